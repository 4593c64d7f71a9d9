import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { within } from "../sdk/report.js";
import { freePort } from "./cluster.js";

const launcher = fileURLToPath(new URL("../../inboxd", import.meta.url));

/** One process of the service. It is started again in the same folder after it was killed. */
export class Node {
    /** All that it ever said. */
    output = "";

    /** @param settings by variable, without the prefix */
    constructor(name, folder, settings) {
        this.name = name;
        this.folder = folder;
        this.settings = settings;
    }

    get url() {
        return `http://127.0.0.1:${this.port}`;
    }

    get isDown() {
        return this.process.exitCode !== null || this.process.signalCode !== null;
    }

    /** The address of the console at this node, with the token that the server printed. */
    get console() {
        return `${this.url}/console?token=${this.consoleToken}`;
    }

    get consoleToken() {
        return [...this.output.matchAll(/^ +Console +\S+\?token=(\S+)/gm)].at(-1)[1];
    }

    /** The port of mail from other servers. */
    get smtpPort() {
        return Number([...this.output.matchAll(/^ +SMTP +\S+:(\d+)/gm)].at(-1)[1]);
    }

    /** @param port the one that it had before, for pages that are still open */
    async start(port = undefined) {
        const env = { PATH: process.env.PATH, HOME: process.env.HOME, JAVA_HOME: process.env.JAVA_HOME ?? "",
            INBOXD_JAVA_OPTS: process.env.INBOXD_JAVA_OPTS ?? "" };
        for (const [name, value] of Object.entries(this.settings)) env[`INBOXD_${name}`] = value;
        [this.port, this.adminPort] = [port ?? (await freePort()), await freePort()];
        const options = ["--data-dir", `${this.folder}/${this.name}`, "--http-port", String(this.port), "--admin-port",
            String(this.adminPort), "--smtp-port", "0", "--submission-port", "0"];
        const from = this.output.length;
        this.process = spawn(launcher, ["serve", ...options], { env, cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
        this.ended = new Promise((resolve) => this.process.once("exit", (status, signal) => resolve(status ?? signal)));
        const ready = new Promise((resolve) => {
            for (const stream of [this.process.stdout, this.process.stderr]) {
                stream.setEncoding("utf8").on("data", (text) => {
                    this.output += text;
                    if (/inboxd is ready[^]*\nTry[^]*curl -sS[^\n]*messages/.test(this.output.slice(from))) resolve();
                });
            }
        });
        const died = this.ended.then((status) => Promise.reject(new Error(`${this.name} ended with ${status}:\n${this.lastLines(15)}`)));
        died.catch(() => {});
        await within(120, Promise.race([ready, died]), "server");
        this.firstKey ??= /^ +Key +(inb_\S+)/m.exec(this.output)?.[1];
    }

    lastLines(count) {
        return this.output.trimEnd().split("\n").slice(-count).join("\n");
    }

    async kill() {
        this.process.kill("SIGKILL");
        await this.ended;
    }

    async stop() {
        if (!this.process || this.isDown) return 0;
        this.process.kill("SIGTERM");
        try {
            return await within(40, this.ended, "end of the server");
        } finally {
            this.process.kill("SIGKILL");
        }
    }
}
