import assert from "node:assert/strict";
import nodemailer from "nodemailer";
import { eventually } from "../report.js";

/** A mail library that many programs use, unmodified, against the submission port; what it sent is read with the client. */
export async function submitting(world, check) {
    const { client } = world;
    const { messages } = client.inboxes;
    const program = (inbox, more = {}) => nodemailer.createTransport({
        host: "127.0.0.1", port: world.server.submissionPort, requireTLS: true, tls: { rejectUnauthorized: false },
        auth: { user: inbox, pass: world.server.key }, ...more,
    });
    let inbox;
    let first;

    await check("submission: a library's mail is a sent message with text, HTML, a file and a blind copy", async () => {
        inbox = (await client.inboxes.create({ username: world.name("program") })).inboxId;
        const info = await program(inbox).sendMail({
            from: `Zoë's program <${inbox}>`, to: "Jo <jo@outside.example>", bcc: "secret@outside.example",
            subject: "Grüße", text: "Hello\n.dot\n", html: "<p>Hello</p>",
            attachments: [{ filename: "naïve.txt", content: "file" }],
        });
        assert.deepEqual(info.accepted, ["jo@outside.example", "secret@outside.example"]);
        first = await messages.get(inbox, info.messageId);
        assert.ok(first.labels.includes("sent"));
        assert.equal(first.from, `Zoë's program <${inbox}>`);
        assert.deepEqual(first.to, ["Jo <jo@outside.example>"]);
        assert.deepEqual(first.bcc, ["secret@outside.example"]);
        assert.equal(first.subject, "Grüße");
        assert.equal(first.text.trim().replaceAll("\r\n", "\n"), "Hello\n.dot");
        assert.equal(first.html.trim(), "<p>Hello</p>");
        assert.equal(first.attachments[0].filename, "naïve.txt");
        await eventually("the label delivered", async () =>
            (await messages.get(inbox, info.messageId)).labels.includes("delivered"));
        const { downloadUrl } = await messages.getRaw(inbox, info.messageId);
        const raw = await (await fetch(downloadUrl)).text();
        assert.match(raw, /^DKIM-Signature: /m);
        assert.doesNotMatch(raw, /secret@|^Bcc:|127\.0\.0\.1/m);
    });
    await check("submission: AUTH LOGIN, several mails over one connection, a reply in its thread", async () => {
        const pool = program(inbox, { pool: true, maxConnections: 1, authMethod: "LOGIN" });
        const sent = await Promise.all(["a", "b"].map((text) => pool.sendMail({
            from: inbox, to: "jo@outside.example", inReplyTo: first.messageId, references: first.messageId, text,
        })));
        pool.close();
        for (const { messageId } of sent) {
            assert.equal((await messages.get(inbox, messageId)).threadId, first.threadId);
        }
    });
    await check("submission: a wrong key, another's address and a connection in the clear are refused", async () => {
        const mail = { from: inbox, to: "jo@outside.example", text: "x" };
        await assert.rejects(program(inbox, { auth: { user: inbox, pass: "inb_wrong" } }).sendMail(mail),
            { code: "EAUTH", responseCode: 535 });
        await assert.rejects(program(inbox).sendMail({ ...mail, from: "somebody@else.example" }), { responseCode: 550 });
        await assert.rejects(program(inbox, { requireTLS: false, ignoreTLS: true }).sendMail(mail));
    });
}
