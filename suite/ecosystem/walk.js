import assert from "node:assert/strict";
import { patiently } from "./place.js";

/** One walk with a Node client: what an agent does in its first hour. walk.py and walk.go are the same elsewhere. */
export function walk(library, place) {
    const { AgentMailClient, AgentMail, AgentMailError } = library;
    const { url, key } = place.server;
    const environment = { http: url, websockets: url.replace("http", "ws") };
    const client = new AgentMailClient({ environment, apiKey: key, maxRetries: 0 });
    const word = place.word();
    let inbox, message;

    const mail = (subject) => place.mail(inbox, subject,
        "--b\r\nContent-Type: text/plain\r\n\r\nNoon, or one?\r\n--b\r\nContent-Type: text/csv\r\n"
        + "Content-Disposition: attachment; filename=\"menu.csv\"\r\n\r\nsoup,4\r\n--b--",
        "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"b\"\r\n");
    const text = async (address) => (await fetch(address)).text();
    const refused = async (kind, status, call) => {
        const fault = await call.then(() => assert.fail(`no ${kind.name}`), (thrown) => thrown);
        assert.ok(fault instanceof kind, `${fault.constructor.name}: ${fault.message}`);
        assert.equal(fault.statusCode, status);
    };

    return [
        ["an inbox is made", async () => {
            inbox = (await client.inboxes.create({ username: word, displayName: "Lunch" })).inboxId;
            assert.equal((await client.inboxes.get(inbox)).displayName, "Lunch");
        }],
        ["a mail is received and read", async () => {
            await mail("Lunch?");
            message = await patiently("a mail", async () => (await client.inboxes.messages.list(inbox)).messages[0]);
            assert.ok(message.subject === "Lunch?" && message.labels.includes("unread"));
            const whole = await client.inboxes.messages.get(inbox, message.messageId);
            assert.equal(whole.text.trim(), "Noon, or one?");
            assert.ok(whole.timestamp instanceof Date);
        }],
        ["an attachment is fetched", async () => {
            const [{ attachmentId, filename }] = (await client.inboxes.messages.get(inbox, message.messageId)).attachments;
            assert.equal(filename, "menu.csv");
            const found = await client.inboxes.messages.getAttachment(inbox, message.messageId, attachmentId);
            assert.equal((await text(found.downloadUrl)).trim(), "soup,4");
        }],
        ["it is answered in its thread", async () => {
            const sent = await client.inboxes.messages.reply(inbox, message.messageId, { text: "One." });
            const thread = await client.inboxes.threads.get(inbox, sent.threadId);
            assert.deepEqual(thread.messages.map((each) => each.messageId), [message.messageId, sent.messageId]);
        }],
        ["labels are changed", async () => {
            await client.inboxes.messages.update(inbox, message.messageId, { addLabels: ["lunch"], removeLabels: ["unread"] });
            const [listed] = (await client.inboxes.messages.list(inbox, { labels: ["lunch"] })).messages;
            assert.ok(listed.messageId === message.messageId && !listed.labels.includes("unread"));
        }],
        ["a draft is written and sent", async () => {
            const draft = await client.inboxes.drafts.create(inbox, { to: ["jo@elsewhere.example"], subject: "Table", text: "Two" });
            await client.inboxes.drafts.update(inbox, draft.draftId, { text: "For three" });
            const sent = await client.inboxes.drafts.send(inbox, draft.draftId, {});
            assert.equal((await client.inboxes.messages.get(inbox, sent.messageId)).text.trim(), "For three");
        }],
        ["a webhook is made", async () => {
            const made = await client.webhooks.create({ url: "http://127.0.0.1:9/hook", eventTypes: ["message.received"], inboxIds: [inbox] });
            assert.match(made.secret, /^whsec_/);
            await client.webhooks.delete(made.webhookId);
            await refused(AgentMail.NotFoundError, 404, client.webhooks.get(made.webhookId));
        }],
        ["a WebSocket tells of mail", async () => {
            const socket = await client.websockets.connect();
            const heard = [];
            socket.on("message", (frame) => heard.push(frame));
            await socket.waitForOpen();
            socket.sendSubscribe({ type: "subscribe", inboxIds: [inbox], eventTypes: ["message.received"] });
            await patiently("the subscription", async () => heard.some((frame) => frame.type === "subscribed"));
            await mail("Dinner?");
            const event = await patiently("the event", async () => heard.find((frame) => frame.type === "event"));
            socket.close();
            assert.equal(event.message.subject, "Dinner?");
        }],
        ["errors are of its own kinds", async () => {
            await refused(AgentMail.NotFoundError, 404, client.inboxes.get(`nobody@${inbox.split("@")[1]}`));
            await refused(AgentMailError, 403, client.inboxes.create({ username: word }));
            await refused(AgentMail.ValidationError, 400, client.inboxes.create({ username: "a b" }));
            const stranger = new AgentMailClient({ environment, apiKey: "inb_nobody", maxRetries: 0 });
            await refused(AgentMailError, 401, stranger.inboxes.list());
        }],
        ["what was made is deleted", async () => {
            await client.inboxes.delete(inbox);
            await refused(AgentMail.NotFoundError, 404, client.inboxes.messages.list(inbox));
        }],
    ];
}
