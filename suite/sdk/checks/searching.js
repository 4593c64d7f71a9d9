import assert from "node:assert/strict";
import { eventually } from "../report.js";
import { refused } from "../world.js";

export async function searching(world, check) {
    const { client, made } = world;
    const { NotFoundError, ValidationError } = world.library.AgentMail;
    const inbox = () => made.searcher.inboxId;
    const found = (q, count) => eventually(`${count} messages for ${q}`, async () => {
        const answer = await client.inboxes.messages.search(inbox(), { q });
        return answer.count === count && answer;
    });

    await check("messages: words of the body, pieces of the subject, with highlights, within a second or so", async () => {
        made.searcher = await client.inboxes.create({ username: world.name("searcher"), displayName: "Ärzte Desk" });
        await client.inboxes.messages.send(inbox(), { to: "ann@outside.example", subject: "Reisekosten Mai", text: "Die Größe der Räume" });
        await client.inboxes.messages.send(inbox(), { to: "bob@outside.example", subject: "Lunch", text: "Reisekosten, please" });
        const { messages } = await found("reisekosten", 2);
        assert.deepEqual(messages.map((each) => each.subject), ["Reisekosten Mai", "Lunch"]);
        assert.deepEqual(messages[0].highlights, { subject: ["**Reisekosten** Mai"] });
        assert.deepEqual(messages[1].highlights, { text: ["**Reisekosten**, please"] });
        assert.equal((await found("sekost", 1)).messages[0].subject, "Reisekosten Mai");
        assert.deepEqual((await found("grosse raume", 1)).messages[0].highlights.text, ["Die **Größe** der **Räume**"]);
        assert.deepEqual((await found("bob@outside.example", 1)).messages[0].highlights.recipients, ["**bob**@**outside**.**example**"]);
        assert.equal((await client.inboxes.messages.search(inbox(), { q: "%" })).count, 0);
    });
    await check("messages: pages, times, and faults", async () => {
        const first = await client.inboxes.messages.search(inbox(), { q: "reisekosten", limit: 1 });
        const second = await client.inboxes.messages.search(inbox(), { q: "reisekosten", limit: 1, pageToken: first.nextPageToken });
        assert.deepEqual([first, second].map((page) => page.messages[0].subject), ["Reisekosten Mai", "Lunch"]);
        assert.equal(second.nextPageToken, undefined);
        const before = second.messages[0].timestamp;
        const older = await client.inboxes.messages.search(inbox(), { q: "reisekosten", before });
        assert.deepEqual(older.messages.map((each) => each.subject), ["Reisekosten Mai"]);
        await refused(client.inboxes.messages.search(inbox(), { q: "x".repeat(257) }), ValidationError, "validation_error");
        await refused(client.inboxes.messages.search(inbox(), { q: "x", limit: 101 }), ValidationError, "validation_error");
        await refused(client.inboxes.messages.search(world.address("nobody"), { q: "x" }), NotFoundError, "not_found");
    });
    await check("threads: at every level", async () => {
        const podId = made.searcher.podId;
        for (const search of [(query) => client.threads.search(query), (query) => client.pods.threads.search(podId, query),
            (query) => client.inboxes.threads.search(inbox(), query)]) {
            const { threads } = await search({ q: `sekost ${world.name("searcher")}` });
            assert.deepEqual(threads.map((each) => each.subject), ["Reisekosten Mai"]);
            assert.equal(threads[0].inboxId, inbox());
            assert.deepEqual(threads[0].highlights.subject, ["Rei**sekost**en Mai"]);
        }
    });
    await check("inboxes: by the beginnings of words, the exact address first", async () => {
        for (const search of [(query) => client.inboxes.search(query), (query) => client.pods.inboxes.search(made.searcher.podId, query)]) {
            const one = await search({ q: `arz ${world.name("search")}` });
            assert.deepEqual(one.inboxes.map((each) => each.inboxId), [inbox()]);
            assert.equal((await search({ q: inbox() })).inboxes[0].inboxId, inbox());
            assert.equal((await search({ q: "earcher" })).count, 0);
            await refused(search({ q: "a" }), ValidationError, "validation_error");
        }
    });
}
