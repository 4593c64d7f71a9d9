import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sendMail } from "../sdk/smtp.js";
import { Front } from "./front.js";

const modules = fileURLToPath(new URL("node_modules", import.meta.url));

/** Where the programs of others run: a folder with the packages that they ask for, and the names that they know. */
export class Place {
    #running = new Set();
    #word = 0;

    constructor(server) {
        this.server = server;
        this.front = new Front(server);
    }

    async start() {
        this.folder = await mkdtemp(join(tmpdir(), "inboxd-ecosystem-"));
        await mkdir(join(this.folder, "node_modules"));
        await writeFile(join(this.folder, "package.json"), '{"type": "module"}');
        for (const name of await readdir(modules)) {
            if (!name.startsWith(".")) await symlink(join(modules, name), join(this.folder, "node_modules", name));
        }
        await this.front.start(this.folder);
    }

    async stop() {
        for (const each of this.#running) each.kill("SIGKILL");
        this.front.stop();
    }

    /** A word that nothing else has taken. */
    word() {
        return `walk-${process.pid}-${++this.#word}`;
    }

    /** What every program is told. */
    get settings() {
        const { url, key, smtpPort } = this.server;
        return { INBOXD_URL: url, INBOXD_KEY: key, INBOXD_SMTP: `127.0.0.1:${smtpPort}`, AGENTMAIL_API_KEY: key };
    }

    /** A copy of a folder of somebody else, beside the packages that it imports; returns where it is. */
    async copy(folder, name = `${basename(folder)}-${this.word()}`) {
        const to = join(this.folder, name);
        await cp(folder, to, { recursive: true, filter: (from) => !/\/(node_modules|\.git)$/.test(from) });
        return to;
    }

    /** Writes a file and returns its path. */
    async file(name, text) {
        await writeFile(join(this.folder, name), text);
        return join(this.folder, name);
    }

    /**
     * Starts a program. It ends with the suite. TypeScript runs as it stands, by tsx; the fixed names of the public
     * service lead to the front when `named`.
     *
     * @param line called with each line that it prints
     */
    program(command, { env = {}, cwd = this.folder, named = false, line = () => {} } = {}) {
        const hook = named ? `--import ${new URL("names.mjs", import.meta.url)}` : "";
        const settings = { ...this.settings, ...(named ? this.front.settings : {}), NODE_OPTIONS: hook, ...env };
        const program = spawn(command[0], command.slice(1), {
            cwd, stdio: ["pipe", "pipe", "pipe"], env: { ...without(process.env), ...settings } });
        this.#running.add(program);
        program.output = "";
        for (const stream of [program.stdout, program.stderr]) {
            createInterface({ input: stream }).on("line", (text) => {
                program.output += `${text}\n`;
                line(text);
            });
        }
        program.ended = new Promise((resolve) => program.once("close", (status, signal) => {
            this.#running.delete(program);
            resolve(status ?? signal);
        }));
        program.once("error", (fault) => {
            program.output += `${fault.message}\n`;
        });
        return program;
    }

    /** Sends a mail to an inbox, from a person whose domain vouches for it. */
    async mail(to, subject, text, headers = "") {
        const answer = await sendMail(this.server.smtpPort, { from: "jo@elsewhere.example", to,
            data: `From: Jo <jo@elsewhere.example>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${crypto.randomUUID()}@elsewhere.example>\r\n${headers}\r\n${text}\r\n` });
        if (!answer.startsWith("250")) throw new Error(`the mail was refused: ${answer}`);
    }

    /** What a call of the interface answers. */
    async call(method, path, body) {
        const answer = await fetch(this.server.url + path, { method, body: body && JSON.stringify(body),
            headers: { Authorization: `Bearer ${this.server.key}`, "Content-Type": "application/json" } });
        if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
        const text = await answer.text();
        return text ? JSON.parse(text) : undefined;
    }
}

/** Asks again and again until the answer is truthy: what others wrote takes its time to start, and more on a busy machine. */
export async function patiently(what, ask) {
    const end = Date.now() + 50_000;
    for (;;) {
        const answer = await ask();
        if (answer) return answer;
        if (Date.now() > end) throw new Error(`not within 50 s: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

/** The command that runs TypeScript as it stands. */
export const typescript = [process.execPath, "--import", import.meta.resolve("tsx")];

/** Settings of whoever runs the suite are none of a program's. */
function without(environment) {
    return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(INBOXD|AGENTMAIL|ANTHROPIC|NODE)_/.test(name)));
}
