import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import assert from "node:assert/strict";
import { eventually } from "../sdk/report.js";
import { sendMail } from "../sdk/smtp.js";
import { keyed, keyless } from "./clients.js";

const human = "ann@elsewhere.example";

/** An agent that knows the words of the tools alone: it signs up, gets a code at a service, answers, waits and meets. */
class Agent {
    constructor(server) {
        this.server = server;
    }

    async call(name, args = {}) {
        const tool = this.tools.find((each) => each.name === name);
        assert.ok(tool, `${name} is not listed`);
        for (const required of tool.inputSchema.required ?? []) assert.ok(required in args, `${name} needs ${required}`);
        for (const given of Object.keys(args)) assert.ok(given in tool.inputSchema.properties, `${name} has no ${given}`);
        const answer = await this.client.callTool({ name, arguments: args }, undefined, { timeout: 60_000 });
        assert.ok(!answer.isError, `${name}: ${answer.content?.[0]?.text}`);
        return answer.structuredContent;
    }

    async list() {
        this.tools = (await this.client.listTools()).tools;
        return this.tools.map((tool) => tool.name);
    }

    async mail(from, headers, text) {
        const reply = await sendMail(this.server.smtpPort, { from: from.replace(/^.*<|>$/g, ""), to: this.inbox,
            data: `From: ${from}\r\nTo: ${this.inbox}\r\nMessage-ID: <${crypto.randomUUID()}@elsewhere.example>\r\n${headers}\r\n\r\n${text}\r\n` });
        assert.match(reply, /^250/);
    }

    async signsUp() {
        this.client = await keyless({ url: `${this.server.url}/mcp?toolsets=mail,drafts,calendar` });
        const changed = new Promise((resolve) =>
            this.client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
        assert.deepEqual(await this.list(), ["sign_up", "verify"]);
        const { inboxId, apiKey } = await this.call("sign_up", { username: "walker", humanEmail: human });
        this.inbox = inboxId;
        this.key = apiKey;
        await changed;
        const names = await this.list();
        assert.ok(names.includes("verify") && names.includes("wait_for_message") && !names.includes("sign_up"), names.join(" "));
        const letter = await eventually("the letter to the human", async () => {
            const { messages } = await (await fetch(new URL("/sandbox/messages", this.server.url))).json();
            return messages.find((each) => JSON.stringify(each).includes(human));
        });
        const code = /(?<![0-9])[0-9]{6}(?![0-9])/.exec(letter.text ?? JSON.stringify(letter))[0];
        assert.equal((await this.call("verify", { otpCode: code })).verified, true);
        assert.ok(!(await this.list()).includes("verify"));
        assert.equal((await this.call("get_inbox")).inboxId, this.inbox);
    }

    async getsACode() {
        const { nextCursor } = await this.call("wait_for_message", { timeout: 0 });
        const waiting = this.call("wait_for_message", { cursor: nextCursor, extract: ["code"], timeout: 30 });
        waiting.catch(() => {}); // looked at below
        await this.mail("Shop <no-reply@elsewhere.example>", "Subject: Welcome", "Your verification code is 771204.");
        assert.equal((await waiting).message.extracted.code, "771204");
    }

    async answersAndWaits() {
        await this.mail("Jo <jo@elsewhere.example>", "Subject: Blue chair", "Could you ship the blue chair this week?");
        const found = await eventually("the question", async () =>
            (await this.call("list_messages", { from: ["jo@elsewhere.example"] })).messages[0]);
        const sent = await this.call("reply_to_message", { messageId: found.messageId, text: "Yes, on Friday." });
        const waiting = this.call("wait_for_message", { inReplyTo: sent.messageId, timeout: 30 });
        waiting.catch(() => {}); // looked at below
        await this.mail("Jo <jo@elsewhere.example>", `Subject: Re: Blue chair\r\nIn-Reply-To: ${sent.messageId}`, "Thank you.");
        assert.equal((await waiting).message.fromAddress, "jo@elsewhere.example");
        const thread = await this.call("get_thread", { threadId: sent.threadId });
        assert.equal(thread.messageCount, 3);
    }

    async meets() {
        const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
        const made = await this.call("create_event", { title: "Chairs", start: `${day}T10:00:00`, end: `${day}T11:00:00`,
            timezone: "Europe/Berlin", attendees: [{ email: "jo@elsewhere.example" }], sendInvites: true });
        assert.equal(made.event.attendees[0].email, "jo@elsewhere.example");
        const uid = crypto.randomUUID();
        await this.mail("jo@elsewhere.example", "Subject: Lunch\r\nContent-Type: text/calendar; method=REQUEST",
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//t//EN", "METHOD:REQUEST", "BEGIN:VEVENT", `UID:${uid}`,
                "DTSTAMP:20260101T000000Z", `DTSTART:${day.replaceAll("-", "")}T150000Z`, `DTEND:${day.replaceAll("-", "")}T160000Z`,
                "SUMMARY:Lunch", "ORGANIZER:mailto:jo@elsewhere.example", `ATTENDEE:mailto:${this.inbox}`, "END:VEVENT",
                "END:VCALENDAR"].join("\r\n"));
        const lunch = await eventually("the invitation", async () =>
            (await this.call("get_agenda")).events.find((each) => each.title === "Lunch"));
        const answer = await this.call("respond_to_event", { eventId: lunch.eventId, status: "accepted", sendReply: true });
        assert.equal(answer.event.responseStatus, "accepted");
        await this.client.close();
    }

    /** The client with the key of an inbox is shown what fits into a context. */
    async isShownLittle() {
        const owner = await keyed(this.server, this.server.key);
        assert.ok((await owner.listTools()).tools.length > 35);
        await owner.close();
        const made = await (await fetch(`${this.server.url}/v0/inboxes/${this.inbox}/api-keys`, {
            method: "POST", body: JSON.stringify({ name: "inbox" }),
            headers: { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" } })).json();
        const bound = await keyed(this.server, made.api_key);
        const { tools } = await bound.listTools();
        assert.ok(tools.length <= 22, `${tools.length} tools`);
        assert.ok(tools.every((tool) => !tool.inputSchema.required?.includes("inboxId") && !tool.outputSchema));
        assert.equal((await bound.callTool({ name: "get_inbox", arguments: {} })).structuredContent.inboxId, this.inbox);
        await bound.close();
    }
}

/** The checks, in their order. */
export function agentChecks(server) {
    const agent = new Agent(server);
    return [
        ["signs up without a key, and goes on as its inbox", () => agent.signsUp()],
        ["signs up somewhere by a code", () => agent.getsACode()],
        ["answers a question and waits for what is said to it", () => agent.answersAndWaits()],
        ["meets: sends an invitation and answers one", () => agent.meets()],
        ["is shown at most 22 tools with the key of an inbox", () => agent.isShownLittle()],
    ];
}
