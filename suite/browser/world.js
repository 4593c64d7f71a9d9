import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { App } from "./app.js";
import { Chromium } from "./chromium.js";
import { Cluster } from "./cluster.js";
import { Front } from "./front.js";
import { Node } from "./node.js";

const hostile = `</script><script>window.broken=1</script>"'><img src=x onerror=window.broken=1>\u2028&lt;b`;

/** Two nodes over one PostgreSQL behind one address, three apps, and a browser. */
export class World {
    cluster = new Cluster();
    front = new Front();
    chromium = new Chromium();
    app = new App("Example CRM", { terms_url: "https://crm.example/terms", privacy_url: "https://crm.example/privacy" });
    hostile = new App(hostile, { id_token_signed_response_alg: "ES256" });
    /** One with the longest name, which wants to know who stands behind an inbox. */
    curious = new App("W".repeat(100), { scopes: ["openid", "email", "profile", "owner_email"] });
    #number = 0;

    get apps() {
        return [this.app, this.hostile, this.curious];
    }

    async start() {
        this.folder = await mkdtemp(join(tmpdir(), "inboxd-browser-"));
        await Promise.all([this.cluster.start(), this.front.start(), ...this.apps.map((app) => app.start())]);
        const apps = join(this.folder, "apps.yaml");
        await writeFile(apps, JSON.stringify({ apps: this.apps.map((app) => app.registration) }));
        await mkdir(join(this.folder, "blobs"));
        const settings = { DATABASE_URL: this.cluster.setting, SECRET_KEY: randomBytes(32).toString("base64"), APPS_FILE: apps,
            PUBLIC_URL: this.front.url, BLOB_URL: `file://${this.folder}/blobs` };
        this.one = new Node("one", this.folder, settings);
        this.two = new Node("two", this.folder, settings);
        await this.one.start();
        await Promise.all([this.two.start(), this.chromium.start(this.front.url)]);
        this.front.node = this.one;
        this.key = this.one.firstKey;
        await Promise.all(this.apps.map((app) => app.discover(this.front.url)));
    }

    /** A call of the API. */
    async call(method, path, body, key = this.key) {
        const headers = { Accept: "application/json", ...(body && { "Content-Type": "application/json" }),
            ...(key && { Authorization: `Bearer ${key}` }) };
        const answer = await fetch(this.front.url + path, { method, headers, body: body && JSON.stringify(body), redirect: "manual" });
        const text = await answer.text();
        return { status: answer.status, headers: answer.headers, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
    }

    /** A call that succeeds. */
    async ok(method, path, body, key) {
        const answer = await this.call(method, path, body, key);
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
        return answer.json;
    }

    async inbox(username = `agent${++this.#number}`, key = undefined) {
        return (await this.ok("POST", "/v0/inboxes", { username, display_name: "An agent" }, key)).inbox_id;
    }

    /** A magic link. */
    async link(inbox, app = this.app, more = {}, key = undefined) {
        return this.ok("POST", `/v0/apps/${app.id}/connect`, { inbox_id: inbox, ...more }, key);
    }

    /** A browser of somebody, without keys or cookies. */
    person() {
        return this.chromium.person();
    }

    /** A waiting page holds no node back for longer than some seconds. */
    async stop() {
        try {
            if (!this.front.node) return;
            const waiting = await this.person();
            await waiting.open(`${this.app.url}/start`);
            await waiting.page.waitForNetworkIdle({ idleTime: 200, concurrency: 1 });
            const begun = Date.now();
            const ends = await Promise.all([this.one, this.two].map((node) => node.stop()));
            const seconds = (Date.now() - begun) / 1000;
            if (ends.some((status) => status !== 0)) throw new Error(`the nodes ended with ${ends}`);
            if (seconds > 15) throw new Error(`the nodes ended after ${seconds} s`);
        } finally {
            await this.chromium.stop();
            this.one?.process?.kill("SIGKILL");
            this.two?.process?.kill("SIGKILL");
            this.front.stop();
            this.apps.forEach((app) => app.stop());
            await this.cluster.stop();
            if (this.folder) await rm(this.folder, { recursive: true, force: true });
        }
    }
}
