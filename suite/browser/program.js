import { createHash, webcrypto } from "node:crypto";

const base64url = (bytes) => Buffer.from(bytes).toString("base64url");

/** A client without a browser: it holds a key and signs in by the calls that the pages make too. */
export class Program {
    static async #make(world, inbox) {
        const program = new Program();
        program.world = world;
        program.inbox = inbox;
        program.pair = await webcrypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
        const { kty, crv, x, y } = await webcrypto.subtle.exportKey("jwk", program.pair.publicKey);
        program.publicKey = { kty, crv, x, y };
        return program;
    }

    /** One that enrols behind a magic link. */
    static async enrol(world, inbox, link) {
        const program = await Program.#make(world, inbox);
        const begun = await world.call("POST", "/v0/sign-in/begin", { token: link.magic_url.split("/").pop() }, null);
        if (begun.status !== 200) throw new Error(`begin: ${begun.status} ${begun.text}`);
        const { x, y } = program.publicKey;
        const fingerprint = base64url(createHash("sha256").update(`{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`).digest());
        const { challenge, api_key_id, inbox_id } = begun.json;
        const proof = await program.#signed({ alg: "ES256", typ: "inbox-enrollment+jwt" }, { challenge, api_key_id, inbox_id, fingerprint });
        const answer = await fetch(`${world.front.url}/v0/sign-in/activate`, {
            method: "POST",
            headers: { "Content-Type": "application/json", Cookie: begun.headers.get("set-cookie").split(";")[0] },
            body: JSON.stringify({ api_key_id, public_key: program.publicKey, proof }),
        });
        if (answer.status !== 200) throw new Error(`activate: ${answer.status} ${await answer.text()}`);
        program.id = api_key_id;
        return program;
    }

    /** One with a registered public key, made by an API key. */
    static async register(world, inbox, key = undefined) {
        const program = await Program.#make(world, inbox);
        program.id = (await world.ok("POST", "/v0/api-keys", { public_key: program.publicKey }, key)).api_key_id;
        return program;
    }

    async #signed(header, payload) {
        const text = [header, payload].map((part) => base64url(JSON.stringify(part))).join(".");
        const signature = await webcrypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, this.pair.privateKey, Buffer.from(text));
        return `${text}.${base64url(signature)}`;
    }

    /** Opens the address to which an app sent the browser. */
    async arrive(url) {
        const page = await fetch(url, { headers: { Accept: "application/json" }, redirect: "manual" });
        if (page.status !== 200) throw new Error(`authorize: ${page.status} ${page.headers.get("location") ?? await page.text()}`);
        return { action: await page.json(), cookie: page.headers.get("set-cookie").split(";")[0] };
    }

    /** The answer to an approval of the transaction of this name. */
    async approve(jti) {
        const assertion = await this.#signed({ alg: "ES256", typ: "inbox-approval+jwt", kid: this.id }, { jti, inbox_id: this.inbox });
        return this.world.call("POST", "/v0/authorize/approve", { assertion, inbox_id: this.inbox }, null);
    }

    /** Goes on after the approval, past the page of what the app learns, and returns the answer. */
    async proceed({ action, cookie }) {
        const ask = (url, init = {}) => fetch(url, { redirect: "manual", ...init,
            headers: { Accept: "application/json", "Content-Type": "application/json", Cookie: cookie } });
        const first = await ask(action.continue_url);
        if (first.status !== 200) return first;
        const { accept_endpoint, accept_body } = await first.json();
        const consent = await ask(accept_endpoint, { method: "POST", body: JSON.stringify({ ...accept_body, decision: "accept" }) });
        if (consent.status !== 204) return consent;
        return ask(action.continue_url);
    }

    /** The address, with the code in it, with which the app is asked for the tokens. */
    async code(app, more = {}) {
        const page = await this.arrive(await app.begin(more));
        const approval = await this.approve(page.action.transaction_jti);
        if (approval.status !== 204) throw new Error(`approve: ${approval.status} ${approval.text}`);
        const back = await this.proceed(page);
        if (back.status !== 303) throw new Error(`continue: ${back.status} ${await back.text()}`);
        return new URL(back.headers.get("location"));
    }

    async signIn(app, more) {
        return app.end(await this.code(app, more));
    }
}
