import { Agent, createServer, request } from "node:http";

/** RFC 9110 §7.6.1: a proxy has its own, or a client keeps a connection for longer than this one does. */
const OF_THE_CONNECTION = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** The public address of the service: passes each request on to the node of the moment, and keeps what was said. */
export class Front {
    /** What passed, in order: method, path, sent (headers), body, status, headers, answer. */
    exchanges = [];
    #hooks = [];
    #agent = new Agent({ keepAlive: false });

    async start() {
        this.server = createServer((incoming, outgoing) => {
            this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
        });
        await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${this.server.address().port}`;
    }

    /** Does something once, before the next request whose path begins so is passed on. */
    before(path, act) {
        this.#hooks.push({ path, act });
    }

    /** The exchanges of a path since a mark. */
    since(mark, path = "") {
        return this.exchanges.slice(mark).filter((each) => each.path.startsWith(path));
    }

    async #pass(incoming, outgoing) {
        const chunks = [];
        for await (const chunk of incoming) chunks.push(chunk);
        const hook = this.#hooks.findIndex(({ path }) => incoming.url.startsWith(path));
        if (hook >= 0) await this.#hooks.splice(hook, 1)[0].act();
        const body = Buffer.concat(chunks);
        const exchange = { method: incoming.method, path: incoming.url, sent: incoming.headers, body: body.toString() };
        this.exchanges.push(exchange);
        const asked = request(this.node.url + incoming.url, { method: incoming.method, headers: incoming.headers, agent: this.#agent });
        // A node that was killed is, for the browser, a server that went away.
        asked.once("error", () => incoming.socket.destroy());
        outgoing.once("close", () => asked.destroy());
        asked.once("response", async (answered) => {
            const parts = [];
            try {
                for await (const part of answered) parts.push(part);
            } catch {
                incoming.socket.destroy();
                return;
            }
            const bytes = Buffer.concat(parts);
            Object.assign(exchange, { status: answered.statusCode, headers: answered.headers, answer: bytes.toString() });
            outgoing.writeHead(answered.statusCode, answered.rawHeaders.filter((_, i, all) => !OF_THE_CONNECTION.has(all[i - (i % 2)].toLowerCase())));
            outgoing.end(bytes);
        });
        asked.end(body);
    }

    stop() {
        this.server?.closeAllConnections();
        this.server?.close();
    }
}
