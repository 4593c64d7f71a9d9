import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { within } from "./report.js";

const launcher = fileURLToPath(new URL("../../inboxd", import.meta.url));

/** A DNS in which no name exists: no question leaves this machine, and nobody vouches for any mail. */
async function noNames() {
    const socket = createSocket("udp4");
    socket.on("message", (query, from) => {
        let end = 12;
        while (query[end]) end += query[end] + 1;
        const reply = Buffer.from(query.subarray(0, end + 5)); // header and question, without what else was asked with
        reply.writeUInt16BE(0x8183, 2); // an answer: NXDOMAIN
        reply.fill(0, 6, 12);
        socket.send(reply, from.port, from.address);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    return socket;
}

/** The server as a newcomer starts it, on free ports and a folder of its own; its addresses are read where he reads them. */
export class Server {
    output = "";

    async start() {
        this.folder = await mkdtemp(join(tmpdir(), "inboxd-sdk-"));
        this.dns = await noNames();
        const settings = ["--dns-servers", `127.0.0.1:${this.dns.address().port}`, "--data-dir", join(this.folder, "data"),
            "--http-port", "0", "--smtp-port", "0", "--submission-port", "0"];
        // Settings of whoever runs the suite have no place in it.
        const env = Object.fromEntries(Object.entries(process.env).filter(([name]) =>
            !name.startsWith("INBOXD_") || name === "INBOXD_JAVA_OPTS"));
        this.process = spawn(launcher, ["serve", ...settings], { env, cwd: this.folder, stdio: ["ignore", "pipe", "pipe"] });
        this.ended = new Promise((resolve) => this.process.once("exit", (status, signal) => resolve(status ?? signal)));
        const ready = new Promise((resolve) => {
            for (const stream of [this.process.stdout, this.process.stderr]) {
                stream.setEncoding("utf8").on("data", (text) => {
                    this.output += text;
                    if (this.output.includes("inboxd is ready") && this.output.includes("Try:")) resolve();
                });
            }
        });
        const died = this.ended.then((status) => Promise.reject(new Error(`the server ended with ${status}: ${this.lastLines(10)}`)));
        died.catch(() => {});
        // The first start may have to build the program.
        await within(600, Promise.race([ready, died]), "server");
        this.url = this.#shown(/^ +API +(http\S+)\/v0$/m);
        this.key = this.#shown(/^ +Key +(\S+)/m);
        this.smtpPort = Number(this.#shown(/^ +SMTP +\S+:(\d+)/m));
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
            this.dns.close();
            await rm(this.folder, { recursive: true, force: true });
        }
    }
}
