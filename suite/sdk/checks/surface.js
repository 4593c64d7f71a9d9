import assert from "node:assert/strict";
import { refused } from "../world.js";

/** Threads and messages at their three levels: filters, labels of many, answers to all, forwards, deletion. */
export async function surface(world, check) {
    const { client, made } = world;
    const { NotFoundError, ValidationError } = world.library.AgentMail;
    const { messages, threads } = client.inboxes;
    const inbox = () => made.surface.inboxId;
    const id = (number) => `<surface-${number}-${world.mode}@outside.example>`;
    const unauthenticated = { includeUnauthenticated: true };

    async function arrives(number, { from = "ann@outside.example", subject = "Spoons", more = [] } = {}) {
        const data = [`Message-ID: ${id(number)}`, `From: ${from}`, `To: ${inbox()}, bea@outside.example`,
            "Cc: cid@outside.example", `Subject: ${subject}`, ...more, "", "Hello.", ""].join("\r\n");
        assert.match(await world.smtp({ to: inbox(), data }), /^250 /);
    }
    const names = (list) => list.map((message) => message.messageId);

    await check("lists find parts of addresses and subjects: one text, several, an array, a bare string", async () => {
        made.surface = await client.inboxes.create({ username: world.name("surface") });
        await arrives(1);
        await arrives(2, { from: "Zoë <zoe@outside.example>", subject: "100% Forks", more: [`References: ${id(1)}`] });
        await arrives(3, { subject: "Knives" });
        const find = async (filter) => names((await messages.list(inbox(), { ...unauthenticated, ...filter })).messages);
        assert.deepEqual(await find({ from: ["ZOË"] }), [id(2)]);
        assert.deepEqual(await find({ from: "ann" }), [id(3), id(1)]);
        assert.deepEqual(await find({ to: ["bea", "cid"], subject: "0% f" }), [id(2)]);
        assert.deepEqual(await find({ to: [] }), [id(3), id(2), id(1)]);
        assert.deepEqual(await find({ labels: ["received", "unread"], ascending: true }), [id(1), id(2), id(3)]);
        const { timestamp } = await messages.get(inbox(), id(2));
        assert.deepEqual(await find({ after: timestamp }), [id(3), id(2)]);
        assert.deepEqual(await find({ before: timestamp }), [id(1)]);
        assert.equal((await messages.list(inbox(), { from: ["a"], limit: 500 })).limit, 100);
    });
    await check("threads are the same at every level", async () => {
        const { podId } = made.surface;
        const levels = [
            { list: (q) => client.threads.list(q), get: (t, q) => client.threads.get(t, q) },
            { list: (q) => client.pods.threads.list(podId, q), get: (t, q) => client.pods.threads.get(podId, t, q) },
            { list: (q) => threads.list(inbox(), q), get: (t, q) => threads.get(inbox(), t, q) },
        ];
        const query = { ...unauthenticated, senders: ["zoë", "ann"], recipients: ["cid", inbox()], subject: ["spoon"] };
        for (const { list, get } of levels) {
            const { threads: [found, ...others] } = await list(query);
            assert.deepEqual(others, []);
            assert.equal(found.messageCount, 2);
            assert.deepEqual(found.senders, ["ann@outside.example", "Zoë <zoe@outside.example>"]);
            assert.equal(found.lastMessageId, id(2));
            const newest = await get(found.threadId, { limit: 1 });
            assert.deepEqual(names(newest.messages), [id(2)]);
            const older = await get(found.threadId, { limit: 1, pageToken: newest.nextPageToken });
            assert.deepEqual(names(older.messages), [id(1)]);
            assert.equal(older.nextPageToken, undefined);
            made.surfaceThread = await get(found.threadId);
        }
        assert.deepEqual(names(made.surfaceThread.messages), [id(1), id(2)]);
        await refused(client.threads.get(made.surfaceThread.threadId, { limit: 101 }), 400, "validation_error");
        await refused(client.pods.threads.get("00000000-0000-7000-8000-000000000000", made.surfaceThread.threadId),
            NotFoundError, "not_found");
    });
    await check("a pod's inboxes are made, read, changed and deleted below it", async () => {
        const { inboxes } = client.pods;
        const { podId } = made.surface;
        const below = await inboxes.create(podId, { username: world.name("below") });
        assert.equal(below.podId, podId);
        assert.equal((await inboxes.get(podId, below.inboxId)).inboxId, below.inboxId);
        assert.equal((await inboxes.update(podId, below.inboxId, { displayName: "Below" })).displayName, "Below");
        assert.ok((await inboxes.list(podId)).inboxes.some((one) => one.inboxId === below.inboxId));
        await inboxes.delete(podId, below.inboxId);
        await refused(inboxes.get(podId, below.inboxId), NotFoundError, "not_found");
    });
    await check("many messages are read and relabelled at once", async () => {
        const messageIds = [id(3), "<nobody@outside.example>", id(1)];
        const some = await messages.batchGet(inbox(), { messageIds });
        assert.equal(some.limit, 3);
        assert.deepEqual(names(some.messages), [id(3), id(1)]);
        assert.equal(some.messages[0].text, undefined);
        const updated = await messages.batchUpdate(inbox(), { messageIds, addLabels: "Hot", removeLabels: ["unread"] });
        assert.deepEqual(names(updated.updates), [id(3), id(1)]);
        assert.ok(updated.updates.every(({ labels }) => labels.includes("hot") && !labels.includes("unread")));
        await refused(messages.batchGet(inbox(), { messageIds: [id(1), id(1)] }), ValidationError, "validation_error");
        await refused(messages.batchUpdate(inbox(), { messageIds, addLabels: ["sent"] }), ValidationError, "validation_error");
    });
    await check("a thread's labels are changed on each of its messages", async () => {
        const { threadId } = made.surfaceThread;
        const updated = await client.threads.update(threadId, { addLabels: ["done"], removeLabels: ["unauthenticated"] });
        assert.equal(updated.threadId, threadId);
        assert.ok(updated.labels.includes("done") && !updated.labels.includes("unauthenticated"));
        assert.ok((await messages.get(inbox(), id(2))).labels.includes("done"));
        await refused(threads.update(inbox(), threadId, { addLabels: ["received"] }), ValidationError, "validation_error");
    });
    await check("reply-all goes to everybody but ourselves", async () => {
        const reply = await messages.replyAll(inbox(), id(1), { text: "All of you." });
        const sent = await messages.get(inbox(), reply.messageId);
        assert.deepEqual(sent.to, ["ann@outside.example", "bea@outside.example"]);
        assert.deepEqual(sent.cc, ["cid@outside.example"]);
        assert.equal(sent.subject, "Re: Spoons");
        assert.equal(reply.threadId, made.surfaceThread.threadId);
    });
    await check("a forward carries what it passes on, in the same thread", async () => {
        const forward = await messages.forward(inbox(), id(2), { to: "dan@outside.example", text: "Look:" });
        const sent = await messages.get(inbox(), forward.messageId);
        assert.equal(sent.subject, "Fwd: 100% Forks");
        assert.match(sent.text, /^Look:\n\n-+ Forwarded message -+\nFrom: Zoë <zoe@outside.example>\n[^]*\n\nHello\.\s*$/);
        assert.deepEqual(sent.references, [id(1), id(2)]);
        assert.equal(sent.inReplyTo, undefined);
        assert.equal(forward.threadId, made.surfaceThread.threadId);
        await refused(messages.forward(inbox(), id(2), { text: "To nobody" }), 422, "unprocessable");
    });
    await check("deleted messages and threads are gone for good", async () => {
        const { threadId } = made.surfaceThread;
        await messages.delete(inbox(), id(2));
        await refused(messages.get(inbox(), id(2)), NotFoundError, "not_found");
        await refused(messages.delete(inbox(), id(2)), NotFoundError, "not_found");
        assert.equal((await client.threads.get(threadId)).messageCount, 3);
        await threads.delete(inbox(), threadId);
        await refused(client.threads.get(threadId), NotFoundError, "not_found");
        await refused(messages.get(inbox(), id(1)), NotFoundError, "not_found");
        const { threads: left } = await threads.list(inbox(), unauthenticated);
        assert.deepEqual(left.map((thread) => thread.lastMessageId), [id(3)]);
        await messages.delete(inbox(), id(3));
        assert.deepEqual((await threads.list(inbox(), unauthenticated)).threads, []);
    });
}
