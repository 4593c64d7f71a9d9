import assert from "node:assert/strict";
import { patiently } from "./place.js";

/**
 * What an agent does with tools: each tool is called at least once, in an order that makes sense.
 *
 * @param call calls a tool by its name and arguments; returns its result, or throws what it was refused with
 */
export function errands(call, place) {
    const word = place.word();
    const at = {};
    const own = (more) => ({ inboxId: at.inbox, ...more });
    // The tools of the newest toolkit give an inbox or a draft itself; the server's own give it below its name.
    const within = (answer, name) => answer[name] ?? answer;
    const refusal = (name, args) => call(name, args).then(() => assert.fail(`${name} was not refused`), (fault) => fault.message);

    return [
        ["makes and changes an inbox", async () => {
            at.inbox = within(await call("create_inbox", { username: word, displayName: "Lunch" }), "inbox").inboxId;
            await call("update_inbox", own({ displayName: "Dinner" }));
            assert.equal((await call("get_inbox", own())).displayName, "Dinner");
            assert.ok((await call("list_inboxes", { limit: 50 })).inboxes.some((each) => each.inboxId === at.inbox));
        }],
        ["reads a mail and its attachment", async () => {
            await place.mail(at.inbox, "Lunch?", "--b\r\n\r\nNoon, or one?\r\n--b\r\nContent-Type: text/csv\r\n"
                + "Content-Disposition: attachment; filename=\"menu.csv\"\r\n\r\nsoup,4\r\n--b--",
                "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"b\"\r\n");
            [at.message] = await patiently("a mail", async () => {
                const { messages } = await call("list_messages", own());
                return messages.length > 0 && messages;
            });
            const thread = await call("get_thread", own({ threadId: at.message.threadId }));
            assert.equal(thread.messages[0].text.trim(), "Noon, or one?");
            const { attachmentId } = thread.messages[0].attachments[0];
            const got = await call("get_attachment", own({ threadId: thread.threadId, attachmentId }));
            assert.equal(got.filename, "menu.csv");
            assert.equal((await call("list_threads", own())).threads.length, 1);
        }],
        ["finds it by its words", () => patiently("the mail is found", async () => {
            const messages = await call("search_messages", own({ q: "noon" }));
            const threads = await call("search_threads", own({ q: "noon" }));
            return messages.messages.length === 1 && threads.threads.length === 1;
        })],
        ["labels it", async () => {
            await call("update_message", own({ messageId: at.message.messageId, addLabels: ["lunch"], removeLabels: ["unread"] }));
            await call("update_thread", own({ threadId: at.message.threadId, addLabels: ["open"] }));
            const { messages: [listed] } = await call("list_messages", own({ labels: ["lunch"] }));
            assert.ok(listed.labels.includes("open") && !listed.labels.includes("unread"));
        }],
        ["answers, sends and forwards", async () => {
            const sent = await call("reply_to_message", own({ messageId: at.message.messageId, text: "One." }));
            assert.equal(sent.threadId, at.message.threadId);
            await call("send_message", own({ to: ["jo@elsewhere.example"], subject: "Table", text: "For two" }));
            await call("forward_message", own({ messageId: at.message.messageId, to: ["kim@elsewhere.example"], text: "FYI" }));
        }],
        ["writes, changes, sends and drops drafts", async () => {
            const { draftId } = await call("create_draft", own({ to: ["jo@elsewhere.example"], subject: "Seats", text: "Two" }));
            await call("update_draft", own({ draftId, text: "Three" }));
            assert.equal(within(await call("get_draft", own({ draftId })), "draft").text.trim(), "Three");
            assert.equal((await call("list_drafts", own())).drafts.length, 1);
            await call("send_draft", own({ draftId }));
            const other = await call("create_draft", own({ subject: "Never" }));
            await call("delete_draft", own({ draftId: other.draftId }));
        }],
        ["knows who it is", async () => assert.equal((await call("auth_me", {})).scopeType, "organization")],
        ["is told what went wrong", async () => {
            assert.match(await refusal("get_inbox", { inboxId: `nobody@${place.server.domain}` }), /not.?found|no inbox/i);
            assert.match(await refusal("create_inbox", { username: word }), /taken|exists/i);
        }],
        ["deletes what it made", async () => {
            await call("delete_thread", own({ threadId: at.message.threadId }));
            await call("delete_inbox", own());
        }],
    ];
}

/** The result of a tool as MCP gives it; throws the text of an error. */
export function result({ isError, content, structuredContent }) {
    if (isError) throw new Error(content[0].text);
    return structuredContent ?? JSON.parse(content[0].text);
}
