import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NameServer } from "./dns.js";
import { within } from "./report.js";

const launcher = fileURLToPath(new URL("../../inboxd", import.meta.url));

/** The server as a newcomer starts it, on free ports and a folder of its own; its addresses are read where he reads them. */
export class Server {
    output = "";
    /** The one name server that the service asks. */
    dns = new NameServer();
    /** The one app that is registered, unless others are given. */
    app = { id: "7d3c0e4e-6f0b-4a53-9a53-0c2f1d1b2a10", slug: "example-crm", name: "Example CRM" };

    /**
     * @param apps `apps`: what stands in the apps file; JSON is YAML
     * @param env further settings, by the names of their variables
     */
    constructor(apps, env = {}) {
        this.env = env;
        this.apps = { apps: apps?.apps ?? [{ app_id: this.app.id, slug: this.app.slug, name: this.app.name,
            redirect_uris: ["https://crm.example/callback"], initiate_login_uri: "https://crm.example/start",
            token_endpoint_auth_method: "none" }] };
    }

    async start() {
        this.folder = await mkdtemp(join(tmpdir(), "inboxd-sdk-"));
        await this.dns.start();
        const apps = join(this.folder, "apps.yaml");
        await writeFile(apps, JSON.stringify(this.apps));
        this.settings = ["--data-dir", join(this.folder, "data"), "--dns-servers", this.dns.setting, "--apps-file", apps];
        await this.#launch("0", "0", "0");
        this.key = this.#shown(/^ +Key +(\S+)/m);
    }

    /** Kills it as a power failure would, and starts it again at the same addresses. */
    async restart() {
        this.process.kill("SIGKILL");
        await this.ended;
        this.output = "";
        await this.#launch(new URL(this.url).port, String(this.smtpPort), String(this.submissionPort));
    }

    async #launch(http, smtp, submission) {
        const settings = [...this.settings, "--http-port", http, "--smtp-port", smtp, "--submission-port", submission];
        // Settings of the environment have no place in it.
        const others = Object.fromEntries(Object.entries(process.env).filter(([name]) =>
            !name.startsWith("INBOXD_") || name === "INBOXD_JAVA_OPTS"));
        const env = { ...others, ...this.env };
        this.process = spawn(launcher, ["serve", ...settings], { env, cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
        this.ended = new Promise((resolve) => this.process.once("exit", (status, signal) => resolve(status ?? signal)));
        const ready = new Promise((resolve) => {
            for (const stream of [this.process.stdout, this.process.stderr]) {
                stream.setEncoding("utf8").on("data", (text) => {
                    this.output += text;
                    if (/inboxd is ready[^]*\nTry[:,]/.test(this.output)) resolve();
                });
            }
        });
        const died = this.ended.then((status) => Promise.reject(new Error(`the server ended with ${status}: ${this.lastLines(10)}`)));
        died.catch(() => {});
        // The first start may have to build the program.
        await within(600, Promise.race([ready, died]), "server");
        this.url = this.#shown(/^ +API +(http\S+)\/v0$/m);
        this.console = this.#shown(/^ +Console +(\S+)/m);
        this.smtpPort = Number(this.#shown(/^ +SMTP +\S+:(\d+)/m));
        this.submissionPort = Number(this.#shown(/^ +Submit +\S+:(\d+)/m));
        this.domain = this.#shown(/mail for (\S+)\)/);
    }

    #shown(pattern) {
        const found = pattern.exec(this.output);
        if (!found) throw new Error(`the ready block does not show ${pattern}:\n${this.output}`);
        return found[1];
    }

    lastLines(count) {
        return this.output.trimEnd().split("\n").slice(-count).join("\n");
    }

    async stop() {
        if (!this.process) return;
        try {
            this.process.kill("SIGTERM");
            const status = await within(40, this.ended, "end of the server");
            if (status !== 0) throw new Error(`ended with ${status}`);
        } finally {
            this.process.kill("SIGKILL");
            this.dns.stop();
            await rm(this.folder, { recursive: true, force: true });
        }
    }
}
