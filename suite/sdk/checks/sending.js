import assert from "node:assert/strict";
import { eventually } from "../report.js";
import { refused } from "../world.js";

export async function sending(world, check) {
    const { client, made } = world;
    const { ConflictError, MessageRejectedError, NotFoundError, ValidationError } = world.library.AgentMail;
    const { messages } = client.inboxes;
    const inbox = () => made.sender.inboxId;
    const subject = (word) => `${word} ${world.mode}`;

    await check("send: accepted, recorded as sent at once, then handed over and delivered", async () => {
        made.sender = await client.inboxes.create({ username: world.name("sender"), displayName: "Sender, Inc." });
        const sent = await messages.send(inbox(), {
            to: "Zoë <zoe@outside.example>", cc: ["carl@outside.example"], bcc: "secret@outside.example",
            subject: subject("Grüße"), text: "Hello Zoë", html: "<p>Hello Zoë</p>", labels: ["Campaign"],
            headers: { "X-Order": "42" },
        });
        assert.match(sent.messageId, /^<[^<> ]+@[^<> ]+>$/);
        const message = await messages.get(inbox(), sent.messageId);
        assert.equal(message.threadId, sent.threadId);
        assert.ok(message.labels.includes("sent") && message.labels.includes("campaign"));
        assert.ok(!message.labels.includes("unread") && !message.labels.includes("received"));
        assert.equal(message.from, `"Sender, Inc." <${inbox()}>`);
        assert.deepEqual(message.to, ["Zoë <zoe@outside.example>"]);
        assert.deepEqual(message.cc, ["carl@outside.example"]);
        assert.deepEqual(message.bcc, ["secret@outside.example"]);
        assert.equal(message.text.trim(), "Hello Zoë");
        made.sentMessage = message;
        await eventually("the label delivered", async () =>
            (await messages.get(inbox(), sent.messageId)).labels.includes("delivered"));
    });
    await check("what left: signed, with the header asked for, without Bcc", async () => {
        const raw = await messages.getRaw(inbox(), made.sentMessage.messageId);
        const bytes = await (await fetch(raw.downloadUrl)).text();
        assert.match(bytes, /^X-Order: 42\r$/m);
        assert.match(bytes, /^DKIM-Signature: /m);
        assert.match(bytes, /^Message-ID: /mi);
        assert.doesNotMatch(bytes, /secret@|^Bcc:/mi);
        await world.capturedWith(made.sentMessage.messageId.slice(1, -1));
    });
    await check("a default list shows sent mail", async () => {
        const { messages: [newest] } = await messages.list(inbox());
        assert.equal(newest.messageId, made.sentMessage.messageId);
        const { threads: [thread] } = await client.inboxes.threads.list(inbox());
        assert.equal(thread.threadId, made.sentMessage.threadId);
        assert.ok(thread.sentTimestamp instanceof Date);
        assert.equal(thread.receivedTimestamp, undefined);
    });
    await check("an idempotency key makes one mail of many requests", async () => {
        const idempotencyKey = world.name("order.17~a");
        const request = { to: "zoe@outside.example", subject: subject("once"), text: "once" };
        const first = await messages.send(inbox(), request, { idempotencyKey });
        assert.deepEqual(await messages.send(inbox(), request, { idempotencyKey }), first);
        assert.deepEqual(await messages.send(inbox(), request, { headers: { "Idempotency-Key": idempotencyKey } }), first);
        const once = (await messages.list(inbox())).messages.filter((message) => message.subject === request.subject);
        assert.equal(once.length, 1);
        await refused(messages.send(inbox(), { ...request, text: "twice" }, { idempotencyKey }), ConflictError, "conflict");
        await refused(messages.reply(inbox(), first.messageId, { text: "once" }, { idempotencyKey }), ConflictError, "conflict");
    });
    await check("an empty or odd idempotency key is 400", async () => {
        const request = { to: "zoe@outside.example", text: "never" };
        for (const idempotencyKey of ["", "a b", "x".repeat(257)]) {
            const fault = await refused(messages.send(inbox(), request, { idempotencyKey }), ValidationError, "validation_error");
            assert.deepEqual(fault.body.errors[0].path, ["headers", "idempotency-key"]);
        }
    });
    await check("a refused request does not use up its key", async () => {
        const idempotencyKey = world.name("second.try");
        await refused(messages.send(inbox(), { to: "no address", text: "x" }, { idempotencyKey }), ValidationError, "validation_error");
        const sent = await messages.send(inbox(), { to: "zoe@outside.example", text: "x" }, { idempotencyKey });
        assert.ok(sent.messageId);
    });
    await check("mail between two inboxes here is authenticated, and a reply goes back into its thread", async () => {
        made.friend = await client.inboxes.create({ username: world.name("friend") });
        const friend = made.friend.inboxId;
        const sent = await messages.send(inbox(), { to: friend, subject: subject("Lunch"), text: "Noon?" });
        const arrived = await eventually("the local copy", async () => (await messages.list(friend)).messages[0]);
        assert.deepEqual(arrived.labels.toSorted(), ["received", "unread"]);
        assert.equal(arrived.messageId, sent.messageId);
        const reply = await messages.reply(friend, arrived.messageId, { text: "Yes." });
        assert.equal(reply.threadId, arrived.threadId);
        const back = await eventually("the reply", async () =>
            (await messages.list(inbox(), { labels: ["received"] })).messages[0]);
        assert.equal(back.subject, `Re: ${subject("Lunch")}`);
        assert.equal(back.inReplyTo, sent.messageId);
        assert.deepEqual(back.references, [sent.messageId]);
        assert.equal(back.threadId, sent.threadId);
        assert.deepEqual(back.to, [`"Sender, Inc." <${inbox()}>`]);
        const again = await messages.reply(inbox(), back.messageId, { html: "<p>Good.</p>" });
        const third = await messages.get(inbox(), again.messageId);
        assert.equal(third.subject, `Re: ${subject("Lunch")}`, "one Re: is enough");
        assert.deepEqual(third.references, [sent.messageId, back.messageId]);
        const thread = await client.inboxes.threads.get(inbox(), sent.threadId);
        assert.equal(thread.messageCount, 3);
    });
    await check("a reply to mail from outside goes to its Reply-To", async () => {
        const data = ["Message-ID: <ask@outside.example>", "From: ann@outside.example", "Reply-To: Desk <desk@outside.example>",
            `Subject: ${subject("Question")}`, "", "Well?", ""].join("\r\n");
        assert.match(await world.smtp({ to: inbox(), data }), /^250 /);
        const question = await world.message(inbox(), subject("Question"));
        const reply = await messages.reply(inbox(), question.messageId, { text: "Well." });
        const sent = await messages.get(inbox(), reply.messageId);
        assert.deepEqual(sent.to, ["Desk <desk@outside.example>"]);
        assert.equal(sent.inReplyTo, question.messageId);
        assert.equal(reply.threadId, question.threadId);
        const elsewhere = await messages.reply(inbox(), question.messageId, { to: ["boss@outside.example"], text: "See above." });
        assert.deepEqual((await messages.get(inbox(), elsewhere.messageId)).to, ["boss@outside.example"]);
    });
    await check("reply_all by option: everybody but ourselves; with recipients of its own it is 400", async () => {
        const data = ["Message-ID: <all@outside.example>", "From: ann@outside.example", `To: ${inbox()}, bea@outside.example`,
            "Cc: cid@outside.example", `Subject: ${subject("All")}`, "", "All.", ""].join("\r\n");
        assert.match(await world.smtp({ to: inbox(), data }), /^250 /);
        const question = await world.message(inbox(), subject("All"));
        const reply = await messages.reply(inbox(), question.messageId, { replyAll: true, text: "All of you." });
        const sent = await messages.get(inbox(), reply.messageId);
        assert.deepEqual(sent.to, ["ann@outside.example", "bea@outside.example"]);
        assert.deepEqual(sent.cc, ["cid@outside.example"]);
        await refused(messages.reply(inbox(), question.messageId, { replyAll: true, to: "x@outside.example", text: "?" }),
            ValidationError, "validation_error");
    });
    await check("attachments arrive as they were given", async () => {
        const bytes = Buffer.from([0, 1, 2, 13, 10, 46, 13, 10, 255]);
        const sent = await messages.send(inbox(), {
            to: made.friend.inboxId, subject: subject("Files"), html: '<img src="cid:dot">',
            attachments: [
                { filename: "bytes.bin", contentType: "application/octet-stream", content: bytes.toString("base64") },
                { filename: "dot.png", contentType: "image/png", contentDisposition: "inline", contentId: "dot", content: "iVBORw==" },
            ],
        });
        const arrived = await eventually("the files", async () =>
            (await messages.list(made.friend.inboxId)).messages.find((message) => message.subject === subject("Files")));
        assert.deepEqual(arrived.attachments.map((part) => [part.filename, part.contentType, part.contentDisposition, part.contentId]).toSorted(),
            [["bytes.bin", "application/octet-stream", "attachment", undefined], ["dot.png", "image/png", "inline", "dot"]]);
        for (const [where, id] of [[made.friend.inboxId, arrived.messageId], [inbox(), sent.messageId]]) {
            const part = (await messages.get(where, id)).attachments.find((attachment) => attachment.filename === "bytes.bin");
            const { downloadUrl } = await messages.getAttachment(where, id, part.attachmentId);
            assert.deepEqual(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()), bytes);
        }
    });
    await check("faulty requests are 400 with the path of each fault", async () => {
        const fault = await refused(messages.send(inbox(), {
            to: ["fine@outside.example", "not an address"], subject: "two\r\nlines", labels: ["sent"],
            headers: { From: "x@y.example" }, attachments: [{ content: "%%%" }],
        }), ValidationError, "validation_error");
        const paths = fault.body.errors.map((error) => error.path.join("."));
        for (const path of ["to.1", "subject", "labels", "headers", "attachments.0"]) {
            assert.ok(paths.some((told) => told.startsWith(path)), `no fault at ${path}, only at ${paths}`);
        }
        const many = Array.from({ length: 51 }, (_, number) => `n${number}@outside.example`);
        await refused(messages.send(inbox(), { to: many, text: "x" }), ValidationError, "validation_error");
        await refused(messages.send(inbox(), { to: "a@outside.example", headers: { "X-A": "b\r\nBcc: c@d.example" } }),
            ValidationError, "validation_error");
        await refused(messages.send(inbox(), { to: "a@outside.example", attachments: [{ filename: "neither" }] }),
            ValidationError, "validation_error");
    });
    await check("no recipient is 422, an unknown inbox or message 404", async () => {
        await refused(messages.send(inbox(), { text: "to nobody" }), 422, "unprocessable");
        await refused(messages.send(world.address("none"), { to: "a@outside.example" }), NotFoundError, "not_found");
        await refused(messages.reply(inbox(), "<none@outside.example>", { text: "?" }), NotFoundError, "not_found");
    });
    await check("a paused inbox sends nothing, but still answers a replay", async () => {
        const path = `/v0/inboxes/${encodeURIComponent(inbox())}`;
        const request = { to: "zoe@outside.example", subject: subject("before the pause"), text: "x" };
        const idempotencyKey = world.name("before.pause");
        const sent = await messages.send(inbox(), request, { idempotencyKey });
        assert.equal((await world.http("PATCH", path, { body: { status: "paused" } })).status, 200);
        await refused(messages.send(inbox(), { ...request, text: "y" }), MessageRejectedError, "inbox_paused");
        await refused(messages.reply(inbox(), sent.messageId, { text: "y" }), MessageRejectedError, "inbox_paused");
        assert.deepEqual(await messages.send(inbox(), request, { idempotencyKey }), sent);
        assert.equal((await world.http("PATCH", path, { body: { status: "active" } })).status, 200);
    });
    await check("a body above 6 MB is 413, said before the body is sent", async () => {
        const answer = await world.headOnly("POST", `/v0/inboxes/${encodeURIComponent(inbox())}/messages/send`,
            { "Content-Type": "application/json", "Content-Length": String(6 * 1024 * 1024 + 1) });
        assert.equal(answer.status, 413);
        assert.deepEqual(JSON.parse(answer.text), { message: "Request Entity Too Large" });
    });
}
