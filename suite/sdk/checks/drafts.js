import assert from "node:assert/strict";
import { eventually } from "../report.js";
import { refused } from "../world.js";

export async function drafts(world, check) {
    const { client, made } = world;
    const { ConflictError, NotFoundError, ValidationError } = world.library.AgentMail;
    const { drafts, messages } = client.inboxes;
    const inbox = () => made.drafter.inboxId;
    const hour = () => new Date(Date.now() + 3_600_000);
    const withoutTimes = ({ updatedAt, ...draft }) => draft;

    await check("drafts: create, get at the three levels, list without client_id and bodies", async () => {
        made.drafter = await client.inboxes.create({ username: world.name("drafter") });
        made.draft = await drafts.create(inbox(), {
            to: ["Zoë <zoe@outside.example>"], cc: ["carl@outside.example"], subject: "Draft", text: "Hello", html: "<p>Hello</p>",
            labels: ["Campaign"], clientId: world.name("draft.1"),
            attachments: [{ filename: "a.txt", content: "aGVsbG8=" }],
        });
        assert.equal(made.draft.inboxId, inbox());
        assert.deepEqual(made.draft.labels, ["campaign"]);
        assert.deepEqual(made.draft.to, ["Zoë <zoe@outside.example>"]);
        assert.equal(made.draft.preview, "Hello");
        assert.ok(made.draft.createdAt instanceof Date && made.draft.updatedAt instanceof Date);
        assert.equal(made.draft.sendStatus, undefined);
        const { draftId } = made.draft;
        const { podId } = made.drafter;
        for (const got of [await drafts.get(inbox(), draftId), await client.drafts.get(draftId), await client.pods.drafts.get(podId, draftId)]) {
            assert.deepEqual(got, made.draft);
        }
        for (const list of [await drafts.list(inbox()), await client.drafts.list({ labels: ["campaign"] }), await client.pods.drafts.list(podId)]) {
            const item = list.drafts.find((each) => each.draftId === draftId);
            assert.equal(item.subject, "Draft");
            assert.equal(item.clientId, undefined);
            assert.equal(item.text, undefined);
            assert.equal(item.attachments.length, 1);
        }
        const { count, limit } = await drafts.list(inbox(), { limit: 1, ascending: true, before: new Date(Date.now() + 60_000), after: new Date(0) });
        assert.deepEqual([count, limit], [1, 1]);
    });
    await check("drafts: a client_id makes one draft of many requests; for another message it is 409", async () => {
        const again = await drafts.create(inbox(), { clientId: world.name("draft.1"), subject: "Draft" });
        assert.equal(again.draftId, made.draft.draftId);
        const elsewhere = await client.inboxes.create({ username: world.name("drafter2") });
        await refused(drafts.create(elsewhere.inboxId, { clientId: world.name("draft.1") }), 409, "idempotency_conflict");
    });
    await check("drafts: an attachment is downloaded at every level", async () => {
        const { draftId, attachments: [{ attachmentId }] } = made.draft;
        for (const link of [await drafts.getAttachment(inbox(), draftId, attachmentId), await client.drafts.getAttachment(draftId, attachmentId),
            await client.pods.drafts.getAttachment(made.drafter.podId, draftId, attachmentId)]) {
            assert.equal(await (await fetch(link.downloadUrl)).text(), "hello");
            assert.ok(link.expiresAt instanceof Date);
        }
    });
    await check("drafts: update keeps what it leaves out and empties what is null", async () => {
        const { draftId, attachments: [{ attachmentId }] } = made.draft;
        const changed = await drafts.update(inbox(), draftId, {
            cc: null, html: null, subject: "Changed", addLabels: ["b"], removeLabels: ["campaign"], removeAttachments: [attachmentId],
            addAttachments: [{ filename: "b.txt", content: "d29ybGQ=" }],
        });
        assert.deepEqual([changed.cc, changed.html, changed.subject, changed.text], [undefined, undefined, "Changed", "Hello"]);
        assert.deepEqual(changed.to, made.draft.to);
        assert.deepEqual(changed.labels, ["b"]);
        assert.deepEqual(changed.attachments.map((file) => file.filename), ["b.txt"]);
        assert.deepEqual(withoutTimes(await drafts.update(inbox(), draftId, {})), withoutTimes(changed));
        await refused(drafts.update(inbox(), draftId, { removeAttachments: [attachmentId] }), ValidationError, "validation_error");
        await refused(drafts.update(inbox(), draftId, { addLabels: ["scheduled"] }), ValidationError, "validation_error");
        await refused(drafts.getAttachment(inbox(), draftId, attachmentId), NotFoundError, "not_found");
    });
    await check("drafts: sendAt schedules, null takes it off, a time in the past is 400", async () => {
        const { draftId } = made.draft;
        const sendAt = hour();
        const scheduled = await drafts.update(inbox(), draftId, { sendAt });
        assert.equal(scheduled.sendStatus, "scheduled");
        assert.equal(scheduled.sendAt.getTime(), sendAt.getTime());
        assert.deepEqual(scheduled.labels, ["b", "scheduled"]);
        assert.equal((await drafts.list(inbox(), { labels: ["scheduled"] })).drafts.length, 1);
        const off = await drafts.update(inbox(), draftId, { sendAt: null });
        assert.deepEqual([off.sendStatus, off.sendAt, off.labels], [undefined, undefined, ["b"]]);
        await refused(drafts.update(inbox(), draftId, { sendAt: new Date(Date.now() - 120_000) }), ValidationError, "validation_error");
    });
    await check("drafts: send with {}; the draft is gone, its labels stay, a replay by key is answered", async () => {
        const { draftId } = made.draft;
        const idempotencyKey = world.name("draft.send");
        const sent = await drafts.send(inbox(), draftId, { addLabels: ["out"] }, { idempotencyKey });
        const message = await messages.get(inbox(), sent.messageId);
        assert.ok(["sent", "b", "out"].every((label) => message.labels.includes(label)));
        assert.equal(message.threadId, sent.threadId);
        assert.deepEqual(message.attachments.map((file) => file.filename), ["b.txt"]);
        await refused(drafts.get(inbox(), draftId), NotFoundError, "not_found");
        await refused(drafts.send(inbox(), draftId, {}), NotFoundError, "not_found");
        assert.deepEqual(await drafts.send(inbox(), draftId, { addLabels: ["out"] }, { idempotencyKey }), sent);
        await refused(drafts.send(inbox(), draftId, {}, { idempotencyKey }), ConflictError, "conflict");
        await refused(drafts.send(inbox(), draftId, {}, { idempotencyKey: "" }), ValidationError, "validation_error");
    });
    await check("drafts: reply, reply-all and forward drafts take over what they answer", async () => {
        const data = ["Message-ID: <ask-draft@outside.example>", "From: ann@outside.example", `To: ${inbox()}, bea@outside.example`,
            "Cc: cid@outside.example", "Subject: Ask", "", "Well?", ""].join("\r\n");
        assert.match(await world.smtp({ to: inbox(), data }), /^250 /);
        const question = await world.message(inbox(), "Ask");
        const reply = await drafts.create(inbox(), { inReplyTo: question.messageId, text: "Yes." });
        assert.deepEqual([reply.to, reply.subject, reply.inReplyTo], [["ann@outside.example"], "Re: Ask", question.messageId]);
        assert.deepEqual(reply.references, [question.messageId]);
        const all = await drafts.create(inbox(), { inReplyTo: question.messageId, replyAll: true });
        assert.deepEqual([all.to, all.cc], [["ann@outside.example", "bea@outside.example"], ["cid@outside.example"]]);
        const forward = await drafts.create(inbox(), { forwardOf: question.messageId, to: ["boss@outside.example"] });
        assert.deepEqual([forward.subject, forward.forwardOf], ["Fwd: Ask", question.messageId]);
        await refused(drafts.create(inbox(), { inReplyTo: question.messageId, forwardOf: question.messageId }), ValidationError, "validation_error");
        await refused(drafts.create(inbox(), { inReplyTo: "<none@outside.example>" }), NotFoundError, "not_found");
        for (const draft of [reply, all, forward]) {
            assert.equal((await drafts.send(inbox(), draft.draftId, {})).threadId, question.threadId);
        }
    });
    await check("drafts: one that is due is sent by itself; one without recipients stays and is 422; delete", async () => {
        const due = await drafts.create(inbox(), { to: ["zoe@outside.example"], subject: "By itself", sendAt: new Date() });
        assert.equal(due.sendStatus, "scheduled");
        await eventually("the message of the draft", async () =>
            (await messages.list(inbox())).messages.find((message) => message.subject === "By itself"));
        await refused(drafts.get(inbox(), due.draftId), NotFoundError, "not_found");
        const empty = await drafts.create(inbox(), {});
        await refused(drafts.send(inbox(), empty.draftId, {}), 422, "unprocessable");
        await drafts.delete(inbox(), empty.draftId);
        await refused(drafts.delete(inbox(), empty.draftId), NotFoundError, "not_found");
        assert.deepEqual((await drafts.list(inbox())).drafts, []);
    });
}
