import assert from "node:assert/strict";
import { refused } from "../world.js";

const file = "name,count\r\nspoon,3\r\n";

export async function reading(world, check) {
    const { client, made } = world;
    const { NotFoundError } = world.library.AgentMail;
    const { messages, threads, events } = client.inboxes;
    const messageId = `<CAF+x=/y%z-${world.mode}@outside.example>`;
    const inbox = () => made.reader.inboxId;

    await check("mail over SMTP is taken, plus addressing too; relaying and unknown addresses are refused", async () => {
        made.reader = await client.inboxes.create({ username: world.name("reader") });
        made.sent = mail(messageId, inbox());
        assert.match(await world.smtp({ to: `reader-${world.mode}+shop@${world.domain}`, data: made.sent }), /^250 2\./);
        assert.match(await world.smtp({ to: `nobody-${world.mode}@${world.domain}`, data: made.sent }), /^550 5\.1\.1 /);
        assert.match(await world.smtp({ to: "someone@elsewhere.example", data: made.sent }), /^55\d 5\./);
    });
    await check("list hides unauthenticated mail unless asked", async () => {
        assert.deepEqual((await messages.list(inbox())).messages, []);
        const list = await messages.list(inbox(), { includeUnauthenticated: true });
        assert.equal(list.count, 1);
        const [item] = list.messages;
        assert.equal(item.messageId, messageId);
        assert.equal(item.inboxId, inbox());
        assert.deepEqual(item.labels.toSorted(), ["received", "unauthenticated", "unread"]);
        assert.equal(item.from, "Ann Müller <ann@outside.example>");
        assert.deepEqual(item.to, [inbox()]);
        assert.deepEqual(item.cc, ["Bob <bob@outside.example>"]);
        assert.equal(item.subject, "Größe – three spoons");
        assert.match(item.preview, /^Three spoons/);
        assert.equal(item.attachments.length, 1);
        assert.equal(item.text, undefined, "a list has no bodies");
        assert.equal(item.extractedText, undefined, "nor what is new in them");
        assert.ok(item.timestamp instanceof Date && item.createdAt instanceof Date && item.updatedAt instanceof Date);
    });
    await check("get by a message id with / % and + in it", async () => {
        const message = await messages.get(inbox(), messageId);
        assert.equal(message.text.trim(), "Three spoons, please.");
        assert.match(message.html, /<b>spoons<\/b>/);
        assert.equal(message.extractedText, "Three spoons, please.");
        assert.match(message.extractedHtml, /<b>spoons<\/b>/);
        assert.deepEqual(message.replyTo, ["desk@outside.example"]);
        assert.equal(message.headers["X-Shop"], "spoons & more");
        assert.match(message.organization_id, /^[0-9a-f-]{36}$/);
        assert.deepEqual(message.from_, [message.from]);
        made.message = message;
        const bare = await messages.get(inbox(), messageId.slice(1, -1));
        assert.equal(bare.messageId, messageId, "the brackets may be left away");
    });
    await check("reading changes nothing", async () => {
        const message = await messages.get(inbox(), messageId);
        assert.deepEqual(message, made.message);
    });
    await check("an attachment: its facts, and its bytes by a link that needs no key", async () => {
        const [item] = made.message.attachments;
        const attachment = await messages.getAttachment(inbox(), messageId, item.attachmentId);
        assert.equal(attachment.attachmentId, item.attachmentId);
        assert.equal(attachment.filename, "order.csv");
        assert.equal(attachment.contentType, "text/csv");
        assert.equal(attachment.contentDisposition, "attachment");
        assert.equal(attachment.size, file.length);
        const hour = attachment.expiresAt - Date.now();
        assert.ok(hour > 3_500_000 && hour <= 3_600_000, "the link lives for an hour");
        const answer = await fetch(attachment.downloadUrl);
        assert.equal(answer.status, 200);
        assert.equal(await answer.text(), file);
        downloadHeaders(answer);
        assert.match(answer.headers.get("content-disposition"), /order\.csv/);
        made.attachment = attachment;
    });
    await check("a changed link is 403, an unknown attachment 404", async () => {
        const url = made.attachment.downloadUrl;
        assert.equal((await fetch(url.slice(0, -2) + (url.endsWith("AA") ? "BB" : "AA"))).status, 403);
        await refused(messages.getAttachment(inbox(), messageId, "00000000-0000-7000-8000-000000000000"), NotFoundError, "not_found");
    });
    // Proves P13
    await check("raw: the bytes that came, under our own trace header", async () => {
        const raw = await messages.getRaw(inbox(), messageId);
        assert.equal(raw.messageId, messageId);
        const answer = await fetch(raw.downloadUrl);
        const bytes = Buffer.from(await answer.arrayBuffer());
        downloadHeaders(answer);
        assert.equal(bytes.length, raw.size);
        assert.equal(bytes.length, made.message.size);
        assert.ok(bytes.toString("utf8").endsWith(made.sent));
        assert.match(bytes.toString("latin1"), /^(Return-Path|Received):/);
    });
    await check("an answer by mail joins the thread, at both levels", async () => {
        const data = ["Subject: Re: spoons", "From: ann@outside.example", `To: ${inbox()}`, `Message-ID: <two-${world.mode}@outside.example>`,
            `In-Reply-To: ${messageId}`, `References: ${messageId}`, "", "Four, rather.", ""].join("\r\n");
        assert.match(await world.smtp({ to: inbox(), data }), /^250 /);
        assert.deepEqual((await threads.list(inbox())).threads, [], "a thread of hidden mail is hidden");
        const list = await threads.list(inbox(), { includeUnauthenticated: true });
        assert.equal(list.count, 1);
        const [item] = list.threads;
        assert.equal(item.threadId, made.message.threadId);
        assert.equal(item.messageCount, 2);
        assert.equal(item.lastMessageId, `<two-${world.mode}@outside.example>`);
        assert.equal(item.subject, "Größe – three spoons");
        assert.ok(item.receivedTimestamp instanceof Date);
        assert.equal(item.sentTimestamp, undefined);
        assert.deepEqual(item.senders, ["Ann Müller <ann@outside.example>"]);
        made.thread = item;
        const all = await client.threads.list({ includeUnauthenticated: true, limit: 500 });
        assert.ok(all.threads.some((thread) => thread.threadId === item.threadId));
    });
    await check("get a thread: messages oldest first, whole, in pages from the newest", async () => {
        const thread = await threads.get(inbox(), made.thread.threadId);
        assert.deepEqual(thread.messages.map((message) => message.text.trim()), ["Three spoons, please.", "Four, rather."]);
        assert.equal(thread.count, 2);
        assert.equal(thread.size, thread.messages[0].size + thread.messages[1].size);
        assert.deepEqual(await client.threads.get(made.thread.threadId), thread, "the same at the organization");
        const newest = await threads.get(inbox(), made.thread.threadId, { limit: 1 });
        assert.equal(newest.messages[0].text.trim(), "Four, rather.");
        const older = await threads.get(inbox(), made.thread.threadId, { limit: 1, pageToken: newest.nextPageToken });
        assert.equal(older.messages[0].messageId, messageId);
        assert.equal(older.nextPageToken, undefined);
        await refused(client.threads.get("no-such-thread"), NotFoundError, "not_found");
    });
    await check("an attachment by way of its thread", async () => {
        const { attachmentId } = made.attachment;
        const attachment = await threads.getAttachment(inbox(), made.thread.threadId, attachmentId);
        assert.equal(await (await fetch(attachment.downloadUrl)).text(), file);
        assert.equal((await client.threads.getAttachment(made.thread.threadId, attachmentId)).filename, "order.csv");
    });
    await check("lists filter by label and time, in either order, in pages", async () => {
        const ids = async (filter) => (await world.messages(inbox(), filter)).map((message) => message.messageId);
        const [second, first] = await ids({});
        assert.equal(first, messageId);
        assert.deepEqual(await ids({ ascending: true }), [first, second]);
        assert.deepEqual(await ids({ labels: ["received", "Unread"] }), [second, first]);
        assert.deepEqual(await ids({ labels: ["received", "no-such"] }), []);
        const { timestamp } = await messages.get(inbox(), second);
        assert.deepEqual(await ids({ after: timestamp }), [second], "after counts itself");
        assert.deepEqual(await ids({ before: timestamp }), [first], "before does not");
        assert.deepEqual(await ids({ after: new Date(Date.now() + 60_000) }), []);
        const page = await messages.list(inbox(), { includeUnauthenticated: true, limit: 1 });
        const next = await messages.list(inbox(), { includeUnauthenticated: true, limit: 1, pageToken: page.nextPageToken });
        assert.deepEqual([page, next].map(({ messages: [message] }) => message.messageId), [second, first]);
        assert.equal(next.nextPageToken, undefined);
    });
    await check("labels change, and lists follow", async () => {
        const first = await messages.update(inbox(), messageId, { addLabels: "Urgent", removeLabels: ["unread", "unauthenticated"] });
        assert.equal(first.messageId, messageId);
        assert.deepEqual(first.labels.toSorted(), ["received", "urgent"]);
        const again = await messages.update(inbox(), messageId, { addLabels: ["urgent"] });
        assert.deepEqual(again.labels.toSorted(), ["received", "urgent"]);
        const { messages: [shown, ...others] } = await messages.list(inbox());
        assert.deepEqual([shown.messageId, others.length], [messageId, 0]);
        const { threads: [thread] } = await threads.list(inbox());
        assert.deepEqual([thread.threadId, thread.messageCount], [made.thread.threadId, 1], "counts only what is not hidden");
        assert.deepEqual(thread.labels.toSorted(), ["received", "urgent"]);
    });
    await check("system labels and empty changes are 400, an unknown message is 404", async () => {
        await refused(messages.update(inbox(), messageId, { addLabels: ["sent"] }), 400, "validation_error");
        await refused(messages.update(inbox(), messageId, { removeLabels: ["received"] }), 400, "validation_error");
        await refused(messages.update(inbox(), messageId, {}), 400, "validation_error");
        await refused(messages.update(inbox(), "<none@outside.example>", { addLabels: ["a"] }), NotFoundError, "not_found");
        await refused(messages.get(inbox(), "<none@outside.example>"), NotFoundError, "not_found");
        await refused(messages.get(world.address("none"), messageId), NotFoundError, "not_found");
        await refused(messages.list(world.address("none")), NotFoundError, "not_found");
        await refused(messages.list(inbox(), { limit: 0 }), 400, "validation_error");
    });
    await check("the feed tells every label, newest first, once", async () => {
        const feed = await events.list(inbox(), { limit: 100 });
        const told = feed.events.filter((event) => event.messageId === messageId).map((event) => `${event.eventType} ${event.label}`);
        assert.deepEqual(told.slice(0, 3).toSorted(), ["label.added urgent", "label.removed unauthenticated", "label.removed unread"]);
        assert.deepEqual(told.slice(3).toSorted(), ["label.added received", "label.added unauthenticated", "label.added unread"]);
        const ids = feed.events.map((event) => event.eventId);
        assert.deepEqual(ids, ids.toSorted().toReversed(), "ordered by event_id");
        for (const event of feed.events) {
            assert.ok(event.organizationId && event.podId && event.eventAt instanceof Date && event.createdAt instanceof Date);
            assert.equal(event.inboxId, inbox());
        }
        const walked = [];
        for (let pageToken; ;) {
            const page = await events.list(inbox(), { limit: 4, ascending: true, pageToken });
            walked.push(...page.events.map((event) => event.eventId));
            pageToken = page.nextPageToken;
            if (!pageToken) break;
        }
        assert.deepEqual(walked, ids.toReversed());
        await refused(events.list(world.address("none")), NotFoundError, "not_found");
    });
    await check("a repeated Message-ID is kept under a name of its own; the very same mail is absorbed", async () => {
        const id = `<again-${world.mode}@outside.example>`;
        const data = (text) => `Message-ID: ${id}\r\nSubject: again ${text}\r\nFrom: ann@outside.example\r\n\r\n${text}\r\n`;
        for (const text of ["one", "one", "two"]) assert.match(await world.smtp({ to: inbox(), data: data(text) }), /^250 /);
        const kept = (await world.messages(inbox())).filter((message) => message.subject.startsWith("again"));
        assert.deepEqual(kept.map((message) => message.subject), ["again two", "again one"]);
        assert.equal(kept[1].messageId, id);
        assert.notEqual(kept[0].messageId, id);
        assert.equal(kept[0].headers["Message-ID"], id);
    });
}

function downloadHeaders(answer) {
    assert.match(answer.headers.get("content-disposition"), /^attachment/);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("x-frame-options"), "DENY");
    assert.equal(answer.headers.get("content-security-policy"), "default-src 'none'; sandbox");
    assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
}

function mail(messageId, to) {
    return [
        `Message-ID: ${messageId}`,
        "From: =?utf-8?Q?Ann_M=C3=BCller?= <ann@Outside.Example>",
        `To: ${to}`,
        "Cc: Bob <bob@outside.example>",
        "Reply-To: desk@outside.example",
        "Subject: =?utf-8?B?R3LDtsOfZSDigJMgdGhyZWUgc3Bvb25z?=",
        "Date: Mon, 02 Mar 2026 10:00:00 +0100",
        "X-Shop: spoons &",
        " more",
        "MIME-Version: 1.0",
        "Content-Type: multipart/mixed; boundary=outer",
        "",
        "--outer",
        "Content-Type: multipart/alternative; boundary=inner",
        "",
        "--inner",
        "Content-Type: text/plain; charset=utf-8",
        "",
        "Three spoons, please.",
        "--inner",
        "Content-Type: text/html; charset=utf-8",
        "",
        "<p>Three <b>spoons</b>, please.</p>",
        "--inner--",
        "--outer",
        'Content-Type: text/csv; name="order.csv"',
        'Content-Disposition: attachment; filename="order.csv"',
        "Content-Transfer-Encoding: base64",
        "",
        Buffer.from(file).toString("base64"),
        "--outer--",
        "",
    ].join("\r\n");
}
