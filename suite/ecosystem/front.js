import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";

/** Stands where the public service stands for programs whose address is fixed: TLS by those names, the server behind it. */
export class Front {
    /** What passed, in order: method, path, status, and the body of an error. */
    exchanges = [];

    constructor(server) {
        this.server = server;
    }

    async start(folder) {
        const [key, certificate] = ["front.key", "front.pem"].map((name) => join(folder, name));
        execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=front",
            "-addext", "subjectAltName=DNS:api.agentmail.to,DNS:mcp.agentmail.to,DNS:ws.agentmail.to"], { stdio: "pipe" });
        this.listener = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (incoming, outgoing) => {
            this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
        });
        await new Promise((resolve) => this.listener.listen(0, "127.0.0.1", resolve));
        this.settings = { FRONT_PORT: String(this.listener.address().port), NODE_EXTRA_CA_CERTS: certificate };
    }

    async #pass(incoming, outgoing) {
        const body = Buffer.concat(await incoming.toArray());
        const to = new URL(incoming.url, this.server.url);
        const exchange = { method: incoming.method, path: incoming.url };
        this.exchanges.push(exchange);
        const asked = request(to, { method: incoming.method, headers: { ...incoming.headers, host: to.host } });
        asked.once("error", () => outgoing.destroy());
        outgoing.once("close", () => asked.destroy());
        asked.once("response", (answer) => {
            exchange.status = answer.statusCode;
            outgoing.writeHead(answer.statusCode, answer.headers);
            answer.on("data", (part) => {
                if (answer.statusCode >= 400) exchange.error = (exchange.error ?? "") + part;
                outgoing.write(part);
            });
            answer.once("end", () => outgoing.end());
        });
        asked.end(body);
    }

    stop() {
        this.listener?.closeAllConnections();
        this.listener?.close();
    }
}
