import { webcrypto } from "node:crypto";

const base64url = (bytes) => Buffer.from(bytes).toString("base64url");

/** An agent with an inbox, and a key of its own that approves sign-ins. */
export class Agent {
    static async make(server) {
        const agent = new Agent();
        agent.server = server;
        agent.inbox = (await agent.api("POST", "/v0/inboxes", { display_name: "Agent" })).inbox_id;
        agent.pair = await webcrypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
        const { kty, crv, x, y } = await webcrypto.subtle.exportKey("jwk", agent.pair.publicKey);
        agent.key = (await agent.api("POST", "/v0/api-keys", { public_key: { kty, crv, x, y } })).api_key_id;
        return agent;
    }

    async api(method, path, body) {
        const answer = await fetch(this.server.url + path, {
            method,
            headers: { Authorization: `Bearer ${this.server.key}`, "Content-Type": "application/json" },
            body: body && JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
        return answer.json();
    }

    async #signed(header, payload) {
        const text = [header, payload].map((part) => base64url(JSON.stringify(part))).join(".");
        const signature = await webcrypto.subtle.sign(
            { name: "ECDSA", hash: "SHA-256" }, this.pair.privateKey, Buffer.from(text));
        return `${text}.${base64url(signature)}`;
    }

    /** Opens the address to which an app sent the browser, approves, and returns the address it is sent back to. */
    async signIn(url) {
        const page = await fetch(url, { headers: { Accept: "application/json" }, redirect: "manual" });
        if (page.status !== 200) throw new Error(`authorize: ${page.status} ${page.headers.get("location") ?? await page.text()}`);
        const action = await page.json();
        const cookie = page.headers.get("set-cookie").split(";")[0];
        const assertion = await this.#signed(
            { alg: "ES256", typ: "inbox-approval+jwt", kid: this.key },
            { jti: action.transaction_jti, inbox_id: this.inbox });
        const approval = await fetch(action.approve_endpoint, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ assertion, inbox_id: this.inbox }),
        });
        if (approval.status !== 204) throw new Error(`approve: ${approval.status} ${await approval.text()}`);
        const back = await fetch(action.continue_url, { headers: { Cookie: cookie }, redirect: "manual" });
        if (back.status !== 303) throw new Error(`continue: ${back.status} ${await back.text()}`);
        return back.headers.get("location");
    }
}
