import assert from "node:assert/strict";
import { eventually } from "../sdk/report.js";
import { sendMail } from "../sdk/smtp.js";

/** What one client does: it connects, lists, and calls every tool. The clients hold results against the schemas. */
export class Walk {
    #called = new Set();
    made = {};

    constructor(judge, server) {
        this.judge = judge;
        this.server = server;
    }

    async close() {
        await this.client?.close().catch(() => {});
    }

    /** The result of a tool, which must be one. */
    async call(name, args = {}, options) {
        this.#called.add(name);
        const answer = await this.judge.call(this.client, { name, arguments: args }, options);
        assert.ok(!answer.isError, `${name}: ${answer.content?.[0]?.text}`);
        assert.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
        return answer.structuredContent;
    }

    /** The error of a tool, as the interface gives it. */
    async refused(name, args) {
        const answer = await this.judge.call(this.client, { name, arguments: args });
        assert.equal(answer.isError, true);
        return JSON.parse(answer.content[0].text);
    }

    async mail(text, headers = "") {
        const id = `<${crypto.randomUUID()}@elsewhere.example>`;
        const reply = await sendMail(this.server.smtpPort, {
            from: "jo@elsewhere.example", to: this.inbox,
            data: `From: Jo <jo@elsewhere.example>\r\nTo: ${this.inbox}\r\nSubject: Hello from Jo\r\nMessage-ID: ${id}\r\n${headers}\r\n${text}\r\n`,
        });
        assert.match(reply, /^250/);
        return id;
    }

    checks() {
        return [
            ["connects", () => this.#connects()],
            ["lists what the key may use", () => this.#lists()],
            ["calls the tools of inboxes", () => this.#inboxes()],
            ["calls the tools of received mail", () => this.#received()],
            ["calls the tools of mail that it sends", () => this.#sends()],
            ["calls the tools of drafts", () => this.#drafts()],
            ["calls the tools of the calendar", () => this.#calendar()],
            ["calls the tools of apps", () => this.#apps()],
            ["waits for a code and hears of progress", () => this.#waits()],
            ["cancels a wait", () => this.#cancels()],
            ["gets errors that say what to do", () => this.#errors()],
            ["deletes what it made", () => this.#deletes()],
            ["has called every tool that is listed", async () =>
                assert.deepEqual(this.tools.map((tool) => tool.name).filter((name) => !this.#called.has(name)), [])],
        ];
    }

    async #connects() {
        this.client = await this.judge.connect(this.server);
        assert.equal(this.client.getServerVersion()?.name, "inboxd");
        assert.match(this.client.getInstructions(), /never an instruction/);
        if (this.client.getNegotiatedProtocolVersion) {
            assert.equal(this.client.getNegotiatedProtocolVersion(), this.judge.revision);
        }
    }

    async #lists() {
        this.tools = (await this.client.listTools()).tools;
        assert.ok(this.tools.length > 35, `${this.tools.length} tools`);
        for (const tool of this.tools) {
            assert.equal(tool.annotations.readOnlyHint, /^(list|get|search|wait|auth)_/.test(tool.name), tool.name);
            assert.equal(tool.outputSchema.additionalProperties, false);
        }
    }

    async #inboxes() {
        assert.equal((await this.call("auth_me")).scopeType, "organization");
        const { inbox } = await this.call("create_inbox", { displayName: "Agent", metadata: { team: "blue", tier: 2 } });
        this.inbox = inbox.inboxId;
        assert.equal((await this.call("get_inbox", { inboxId: this.inbox })).displayName, "Agent");
        const changed = await this.call("update_inbox", { inboxId: this.inbox, displayName: "Other", metadata: { tier: null } });
        assert.deepEqual(changed.inbox.metadata, { team: "blue" });
        assert.ok((await this.call("list_inboxes", { limit: 1 })).inboxes.length === 1);
        assert.equal((await this.call("search_inboxes", { q: this.inbox })).inboxes[0].inboxId, this.inbox);
        const entry = { direction: "receive", type: "block", entry: "spam.example" };
        const listed = await this.call("create_list_entry", { ...entry, inboxId: this.inbox, reason: "noise" });
        assert.equal(listed.inboxId, this.inbox);
        assert.equal((await this.call("list_list_entries", { ...entry, entry: undefined, inboxId: this.inbox })).entries.length, 1);
        assert.equal((await this.call("get_list_entry", { ...entry, inboxId: this.inbox })).reason, "noise");
        assert.deepEqual(await this.call("delete_list_entry", { ...entry, inboxId: this.inbox }), { success: true });
    }

    async #received() {
        const boundary = "Content-Type: multipart/mixed; boundary=b\r\n";
        const id = await this.mail("--b\r\n\r\nThe second variant, please.\r\n--b\r\nContent-Type: text/plain; name=a.txt\r\n"
            + "Content-Disposition: attachment; filename=a.txt\r\n\r\nWords of the file.\r\n--b--", boundary);
        const inboxId = this.inbox;
        const { messages } = await this.call("list_messages", { inboxId, from: ["jo@elsewhere.example"] });
        assert.equal(messages[0].messageId, id);
        const { message } = await this.call("get_message", { inboxId, messageId: id });
        assert.equal(message.fromAddress, "jo@elsewhere.example");
        assert.equal(message.firstContact, true);
        assert.equal(message.authentication.aligned, true);
        assert.match(message.markdown, /^<mail (\w{12})>\nThe second variant, please\.\n<\/mail \1>$/);
        assert.match((await this.call("get_message", { inboxId, messageId: id, format: "plain" })).message.text, /second variant/);
        const { threads } = await this.call("list_threads", { inboxId });
        const threadId = threads[0].threadId;
        const thread = await this.call("get_thread", { inboxId, threadId });
        assert.equal(thread.transcript.length, 1);
        assert.equal(thread.transcript[0].direction, "received");
        const attachmentId = thread.attachments[0].attachmentId;
        const file = await eventually("the text of the attachment", async () => {
            const found = await this.call("get_attachment", { inboxId, threadId, attachmentId });
            return found.markdown && found;
        });
        assert.match(file.markdown, /^<mail (\w{12})>\n```\nWords of the file\.\n```\n<\/mail \1>$/);
        assert.match((await this.call("get_attachment", { inboxId, threadId, attachmentId, format: "plain" })).text, /Words of the file/);
        assert.equal(await (await fetch(file.downloadUrl)).text(), "Words of the file.");
        await eventually("the index", async () =>
            (await this.call("search_messages", { inboxId, q: "variant" })).messages.length === 1);
        assert.equal((await this.call("search_threads", { inboxId, q: "variant" })).threads.length, 1);
        const labelled = await this.call("update_message", { inboxId, messageId: id, addLabels: ["seen"], removeLabels: ["unread"] });
        assert.ok(labelled.labels.includes("seen") && !labelled.labels.includes("unread"));
        assert.ok((await this.call("update_thread", { inboxId, threadId, addLabels: ["blue"] })).labels.includes("blue"));
        this.made = { id, threadId };
    }

    async #sends() {
        const inboxId = this.inbox;
        const { messageId } = await this.call("send_message", {
            inboxId, to: ["Jo <jo@elsewhere.example>"], subject: "Offer", text: "Which one?",
            attachments: [{ filename: "a.txt", contentType: "text/plain", content: Buffer.from("hi").toString("base64") }],
        });
        assert.ok(messageId);
        const reply = await this.call("reply_to_message", { inboxId, messageId: this.made.id, text: "It is on its way." });
        assert.equal(reply.threadId, this.made.threadId);
        await this.call("forward_message", { inboxId, messageId: this.made.id, to: ["ann@elsewhere.example"], text: "See below." });
    }

    async #drafts() {
        const inboxId = this.inbox;
        const draft = await this.call("create_draft", { inboxId, to: ["jo@elsewhere.example"], subject: "D", text: "T", html: "<p>T</p>" });
        const { draftId } = draft;
        assert.equal(draft.html, "<p>T</p>");
        assert.equal((await this.call("update_draft", { inboxId, draftId, subject: null })).draft.subject, undefined);
        assert.equal((await this.call("get_draft", { inboxId, draftId })).draft.draftId, draftId);
        assert.equal((await this.call("list_drafts", { inboxId })).drafts.length, 1);
        assert.equal((await this.call("list_approvals")).drafts.length, 0);
        assert.ok((await this.call("send_draft", { inboxId, draftId })).messageId);
        const other = await this.call("create_draft", { inboxId, text: "Not this one" });
        assert.deepEqual(await this.call("delete_draft", { inboxId, draftId: other.draftId }), { success: true });
    }

    async #calendar() {
        const inboxId = this.inbox;
        const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
        const { event } = await this.call("create_event", {
            inboxId, title: "Meeting", start: `${day}T10:00:00`, end: `${day}T11:00:00`, timezone: "Europe/Berlin",
            attendees: [{ email: "jo@elsewhere.example", name: "Jo" }], metadata: { some_name: 1 },
        });
        const { eventId } = event;
        const series = await this.call("create_event", {
            inboxId, title: "Every day", start: `${day}T08:00:00`, end: `${day}T08:15:00`,
            recurrence: { rule: "FREQ=DAILY;COUNT=3" },
        });
        assert.equal(series.event.recurrence.rule, "FREQ=DAILY;COUNT=3");
        assert.equal((await this.call("list_events", { inboxId })).events.length, 2);
        assert.equal((await this.call("get_agenda", { inboxId })).events.length, 4);
        const read = await this.call("get_event", { inboxId, eventId });
        assert.deepEqual(read.event.metadata, { some_name: 1 });
        const changed = await this.call("update_event", { inboxId, eventId, title: "Longer", location: "Room 2", ifMatch: read.event.etag });
        assert.equal(changed.event.title, "Longer");
        assert.equal((await this.refused("update_event", { inboxId, eventId, title: "X", ifMatch: read.event.etag })).code, "precondition_failed");
        assert.equal((await this.call("delete_event", { inboxId, eventId })).success, true);
        const uid = crypto.randomUUID();
        await this.mail(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//t//EN", "METHOD:REQUEST", "BEGIN:VEVENT", `UID:${uid}`,
            "DTSTAMP:20260101T000000Z", `DTSTART:${day.replaceAll("-", "")}T150000Z`, `DTEND:${day.replaceAll("-", "")}T160000Z`,
            "SUMMARY:Invited", "ORGANIZER:mailto:jo@elsewhere.example", `ATTENDEE:mailto:${inboxId}`, "END:VEVENT", "END:VCALENDAR"]
            .join("\r\n"), "Content-Type: text/calendar; method=REQUEST\r\n");
        const invited = await eventually("the invitation", async () =>
            (await this.call("list_events", { inboxId })).events.find((each) => each.uid === uid));
        const answer = await this.call("respond_to_event", { inboxId, eventId: invited.eventId, status: "accepted", sendReply: true });
        assert.equal(answer.event.responseStatus, "accepted");
    }

    async #apps() {
        const { apps } = await this.call("list_apps");
        assert.equal(apps[0].name, this.server.app.name);
        assert.equal((await this.call("search_apps", { q: "exam" })).apps.length, 1);
        assert.equal((await this.call("get_app", { appId: this.server.app.slug })).app.appId, this.server.app.id);
        assert.equal((await this.call("list_accounts")).count, 0);
        if (this.tools.some((tool) => tool.name === "connect_app")) {
            const link = await this.call("connect_app", { appId: this.server.app.id, inboxId: this.inbox });
            assert.match(link.magicUrl, /^http/);
        }
    }

    async #waits() {
        const inboxId = this.inbox;
        const begun = await this.call("wait_for_message", { inboxId, timeout: 0 });
        const heard = [];
        const waiting = this.call("wait_for_message", { inboxId, cursor: begun.nextCursor, extract: ["code"], timeout: 30 },
            { onprogress: (progress) => heard.push(progress), timeout: 40_000 });
        waiting.catch(() => {}); // looked at below
        await eventually("progress", () => heard.length > 1);
        assert.equal(heard[0].total, 30);
        assert.ok(heard[1].progress > heard[0].progress);
        await this.mail("Your code is 481516");
        assert.equal((await waiting).message.extracted.code, "481516");
    }

    async #cancels() {
        const abort = new AbortController();
        const waiting = this.judge.call(this.client, { name: "wait_for_message", arguments: { inboxId: this.inbox, timeout: 300 } },
            { signal: abort.signal, timeout: 310_000 });
        waiting.catch(() => {}); // looked at below
        await eventually("a wait", () => this.#areWaiting(1));
        abort.abort("enough");
        await assert.rejects(waiting);
        await eventually("the end of the wait", () => this.#areWaiting(0));
    }

    async #areWaiting(count) {
        return (await (await fetch(`${this.server.url}/metrics`)).text()).includes(`\ninboxd_waits ${count}.0\n`);
    }

    async #errors() {
        assert.equal((await this.refused("get_inbox", { inboxId: "nobody@nowhere.example" })).code, "not_found");
        const wrong = await this.refused("send_message", { inboxId: this.inbox, to: ["no address"] });
        assert.equal(wrong.code, "validation_error");
        assert.ok(wrong.fix && wrong.docs && wrong.request_id && wrong.errors.length > 0);
        await assert.rejects(this.judge.call(this.client, { name: "no_such_tool", arguments: {} }), (fault) => fault.code === -32602);
        if (!this.judge.name.includes("stdio")) {
            await assert.rejects(this.judge.connect(this.server, { Authorization: "Bearer nobody" }));
            const other = await this.judge.connect(this.server, { "x-api-key": this.server.key });
            assert.ok((await other.listTools()).tools.length > 35);
            await other.close();
        }
    }

    async #deletes() {
        assert.deepEqual(await this.call("delete_thread", { inboxId: this.inbox, threadId: this.made.threadId }), { success: true });
        assert.deepEqual(await this.call("delete_inbox", { inboxId: this.inbox }), { success: true });
    }
}
