import assert from "node:assert/strict";
import { eventually } from "../report.js";
import { refused } from "../world.js";

export async function lists(world, check) {
    const { client, made } = world;
    const { MessageRejectedError, NotFoundError, ValidationError } = world.library.AgentMail;
    const entry = world.name("someone") + "@listed.example";
    const inbox = () => made.listing.inboxId;
    const to = (recipients) => client.inboxes.messages.send(inbox(), { to: recipients, text: "Hello" });

    await check("an inbox to list for", async () => {
        made.listing = await client.inboxes.create({ username: world.name("listing") });
    });
    const levels = {
        organization: (method, ...rest) => client.lists[method](...rest),
        pod: (method, ...rest) => client.pods.lists[method](made.listing.podId, ...rest),
        inbox: (method, ...rest) => client.inboxes.lists[method](inbox(), ...rest),
    };
    for (const [level, call] of Object.entries(levels)) {
        await check(`create, get, list and delete an entry of the ${level}`, async () => {
            const one = await call("create", "receive", "block", { entry: entry.toUpperCase(), reason: "Noise" });
            assert.deepEqual([one.entry, one.direction, one.listType, one.entryType, one.reason],
                [entry, "receive", "block", "email", "Noise"]);
            assert.ok(one.createdAt instanceof Date);
            assert.equal(one.organizationId.length, 36);
            assert.equal(one.podId, level === "organization" ? undefined : made.listing.podId);
            assert.equal(one.inboxId, level === "inbox" ? inbox() : undefined);
            assert.equal(one.readOnly, undefined);
            assert.deepEqual(await call("create", "receive", "block", { entry }), one);
            assert.deepEqual(await call("get", "receive", "block", entry), one);
            const list = await call("list", "receive", "block", { limit: 100 });
            assert.ok(list.entries.some((each) => each.entry === entry));
            assert.deepEqual(list.entries.map((each) => each.entry), list.entries.map((each) => each.entry).toSorted());
            assert.equal(list.count, list.entries.length);
            await call("delete", "receive", "block", entry);
            await refused(call("get", "receive", "block", entry), NotFoundError, "not_found");
            await refused(call("delete", "receive", "block", entry), NotFoundError, "not_found");
        });
    }
    await check("pages go on where they ended, in the order of the entries", async () => {
        const wanted = ["a@z.example", "b.example", "c.example"];
        for (const one of wanted.toReversed()) await client.inboxes.lists.create(inbox(), "reply", "block", { entry: one });
        const first = await client.inboxes.lists.list(inbox(), "reply", "block", { limit: 2 });
        const rest = await client.inboxes.lists.list(inbox(), "reply", "block", { limit: 2, pageToken: first.nextPageToken });
        assert.deepEqual([...first.entries, ...rest.entries].map((each) => each.entry), wanted);
        assert.equal(rest.nextPageToken, undefined);
    });
    await check("what is neither an address nor a domain is 400", async () => {
        for (const wrong of ["", "*.example.com", "@example.com"]) {
            await refused(client.lists.create("send", "block", { entry: wrong }), ValidationError, "validation_error");
        }
    });
    await check("a blocked recipient rejects the whole send and the fix undoes it", async () => {
        await client.inboxes.lists.create(inbox(), "send", "block", { entry });
        const fault = await refused(to(["fine@listed.example", entry]), MessageRejectedError, "message_rejected");
        assert.equal(fault.body.message, `Message rejected: Recipient(s) blocked: ${entry} (in block list)`);
        const path = fault.body.fix.match(/DELETE (\/v0\/\S+)\./)[1];
        assert.equal((await world.http("DELETE", path)).status, 200);
        await to(["fine@listed.example", entry]);
    });
    await check("an allow list lets nobody else through", async () => {
        await client.inboxes.lists.create(inbox(), "send", "allow", { entry: "friends.example" });
        await to(["jo@friends.example"]);
        const fault = await refused(to([entry]), MessageRejectedError, "message_rejected");
        assert.match(fault.body.message, /\(not in allow list\)$/);
        assert.match(fault.body.fix, /POST \/v0\/lists\/send\/allow/);
        await client.inboxes.lists.delete(inbox(), "send", "allow", "friends.example");
    });
    await check("mail of a blocked sender is hidden until asked for", async () => {
        await client.inboxes.lists.create(inbox(), "receive", "block", { entry: "outside.example" });
        const data = `Message-ID: <listed-${world.mode}@outside.example>\r\nFrom: ann@outside.example\r\nSubject: listed\r\n\r\nHi.\r\n`;
        assert.match(await world.smtp({ to: inbox(), data }), /^250 /);
        const hidden = await client.inboxes.messages.list(inbox(), { includeUnauthenticated: true });
        assert.ok(!hidden.messages.some((message) => message.subject === "listed"));
        const shown = await client.inboxes.messages.list(inbox(), { includeUnauthenticated: true, includeBlocked: true });
        const message = shown.messages.find((one) => one.subject === "listed");
        assert.ok(message.labels.includes("blocked"));
    });
    await check("a recipient that bounced is blocked by an entry that nobody deletes", async () => {
        const nobody = world.address("nobody-there");
        await to([nobody]);
        const bounced = await eventually("an entry for the bounce", async () =>
            (await client.lists.list("send", "block", { limit: 100 })).entries.find((each) => each.entry === nobody));
        assert.deepEqual([bounced.readOnly, bounced.reason], [true, "bounced"]);
        await refused(to([nobody]), MessageRejectedError, "message_rejected");
        await refused(client.lists.delete("send", "block", nobody), 409, "cannot_delete");
    });
    await check("opens cannot be tracked without a name for the pixel: 422, and nothing is sent", async () => {
        const html = "<p>Hello</p>";
        await refused(client.inboxes.messages.send(inbox(), { to: "fine@listed.example", html, trackOpens: true }), 422, "unprocessable");
        await client.inboxes.messages.send(inbox(), { to: "fine@listed.example", text: "Plain", trackOpens: true });
    });
}
