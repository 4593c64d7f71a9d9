import { createServer } from "node:http";
import { eventually } from "./report.js";

/** A webhook endpoint: keeps what arrives, answers 204, or once with whatever status is asked for. */
export class Receiver {
    deliveries = [];
    nextStatus = [];

    async start() {
        this.server = createServer(async (request, response) => {
            const chunks = [];
            for await (const chunk of request) chunks.push(chunk);
            const body = Buffer.concat(chunks).toString("utf8");
            const status = this.nextStatus.shift() ?? 204;
            this.deliveries.push({ method: request.method, headers: request.headers, body, status, json: JSON.parse(body) });
            response.writeHead(status).end();
        });
        await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
        this.url = `http://127.0.0.1:${this.server.address().port}/hook`;
    }

    /** The first delivery that matches, which may be still to come. */
    arrived(what, matches) {
        return eventually(`${what} arrives at the webhook; there came ${this.#kinds()}`, () => this.deliveries.find(matches));
    }

    #kinds() {
        return JSON.stringify(this.deliveries.map((delivery) => delivery.json.event_type));
    }

    stop() {
        this.server.closeAllConnections();
        this.server.close();
    }
}
