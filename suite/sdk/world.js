import assert from "node:assert/strict";
import { request } from "node:http";
import { breaches } from "./answers.js";
import { strict } from "./client.js";
import { Description } from "./description.js";
import { eventually } from "./report.js";
import { sendMail } from "./smtp.js";

/** What the checks of one mode share: the client, plain HTTP, mail, and what earlier checks made. */
export class World {
    #breaches = new Set();
    #answers = 0;
    #description;

    constructor(server, mode, library) {
        this.#description = Description.of(server.url);
        this.server = server;
        this.mode = mode;
        this.url = server.url;
        this.domain = server.domain;
        this.library = library;
        this.client = this.clientWith(server.key);
        /** What checks make for later ones; reading what is not there says so. */
        this.made = new Proxy({}, {
            get: (target, name) => {
                assert.ok(name in target, `there is no ${String(name)}: an earlier check failed`);
                return target[name];
            },
        });
    }

    /** A user name, or any other name, that no other mode has taken. */
    name(word) {
        return `${word}-${this.mode}`;
    }

    address(word) {
        return `${this.name(word)}@${this.domain}`;
    }

    /** The client as anybody makes it; in strict mode its answers are looked at on their way. */
    clientWith(apiKey) {
        const { AgentMailClient } = this.library;
        return new AgentMailClient({
            baseUrl: this.url,
            ...(apiKey && { apiKey }),
            ...(this.mode === strict && { fetch: (...call) => this.#watched(...call) }),
        });
    }

    async #watched(url, options) {
        const answer = await fetch(url, options);
        const call = `${options.method} ${new URL(url).pathname}`;
        this.lastRequest = { call, headers: new Headers(options.headers), body: options.body };
        this.#answers++;
        const text = await answer.clone().text();
        const isJson = (answer.headers.get("content-type") ?? "").startsWith("application/json");
        const faults = (await this.#description).faults(
            options.method, new URL(url).pathname, answer.status, isJson && text !== "" ? JSON.parse(text) : undefined);
        for (const breach of [...breaches(answer, text), ...faults]) {
            this.#breaches.add(`${call} (${answer.status}): ${breach}`);
        }
        return answer;
    }

    /** One check over all answers that the client got: the rules that hold for every one of them. */
    reportAnswers(check) {
        if (this.mode !== strict) return undefined;
        return check(`all ${this.#answers} answers keep the rules of the wire and are described`, async () =>
            assert.deepEqual([...this.#breaches], []));
    }

    /** Plain HTTP, for what the client cannot say; a key of null sends none. */
    async http(method, path, { key = this.server.key, headers = {}, body } = {}) {
        const answer = await fetch(this.url + path, {
            method,
            headers: {
                ...(key && { Authorization: `Bearer ${key}` }),
                ...(body !== undefined && { "Content-Type": "application/json" }),
                ...headers,
            },
            body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        });
        const text = await answer.text();
        const isJson = answer.headers.get("content-type")?.startsWith("application/json");
        return { status: answer.status, headers: answer.headers, text, json: isJson && text ? JSON.parse(text) : undefined };
    }

    /** What a server answers to the head of a request, before any of its body is sent. */
    headOnly(method, path, headers) {
        return new Promise((resolve, reject) => {
            const asked = request(this.url + path, { method, headers: { Authorization: `Bearer ${this.server.key}`, ...headers } });
            asked.once("response", async (answer) => {
                let text = "";
                for await (const part of answer.setEncoding("utf8")) text += part;
                asked.destroy();
                resolve({ status: answer.statusCode, text });
            });
            asked.once("error", reject);
            asked.flushHeaders();
        });
    }

    /** Sends mail from outside and returns the server's last reply. */
    smtp({ from = "ann@outside.example", to, data }) {
        return sendMail(this.server.smtpPort, { from, to, data });
    }

    /** The messages of an inbox, hidden ones too, newest first. */
    async messages(inboxId, filter = {}) {
        const list = await this.client.inboxes.messages.list(inboxId, { includeUnauthenticated: true, ...filter });
        return list.messages;
    }

    /** The message with that subject, which may still be on its way. */
    message(inboxId, subject) {
        return eventually(`a message "${subject}" in ${inboxId}`, async () =>
            (await this.messages(inboxId)).find((message) => message.subject === subject));
    }

    /** All that would have left the sandbox, as text. */
    async captured() {
        const answer = await this.http("GET", "/sandbox/messages", { key: null });
        assert.equal(answer.status, 200, "GET /sandbox/messages");
        return answer.json;
    }

    /** The captured mail in whose JSON a word stands. */
    capturedWith(word) {
        return eventually(`mail with "${word}" in the sandbox`, async () => {
            const answer = await this.captured();
            const messages = Array.isArray(answer) ? answer : answer.messages;
            return messages.find((message) => JSON.stringify(message).includes(word));
        });
    }
}

/** The failure of a call, which must be of that class (or status) and code. */
export async function refused(call, kind, code) {
    let fault;
    try {
        await call;
    } catch (thrown) {
        fault = thrown;
    }
    assert.ok(fault, `must be refused with ${code}`);
    assert.ok(fault.statusCode, `must be refused with ${code}, and failed with: ${fault.message} ${JSON.stringify(fault.errors ?? "")}`);
    const said = `${fault.statusCode} ${JSON.stringify(fault.body)}`;
    if (typeof kind === "number") {
        assert.equal(fault.statusCode, kind, said);
    } else {
        assert.ok(fault instanceof kind, `must be a ${kind.name}, is ${fault.constructor.name}: ${said}`);
    }
    assert.equal(fault.body?.code, code, said);
    return fault;
}
