import assert from "node:assert/strict";
import { createServer } from "node:http";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import express from "express";
import { decoded } from "./wallet.js";

/** The server library of the standard, beside the service: the same challenges, and each takes what was signed for the other. */
export async function opinions({ urls, ledger, facilitator }, check) {
    const payer = ledger.payer(urls, "x402");
    const wanted = await payer.wanted("POST", "/v0/inboxes", {});
    const [offer] = decoded(wanted.headers.get("PAYMENT-REQUIRED")).accepts;
    const reference = await Reference.start(facilitator, offer);
    try {
        await check("the same challenge", async () => {
            const theirs = await fetch(`${reference.url}/v0/inboxes`, { method: "POST" });
            assert.equal(theirs.status, wanted.status);
            const [ours, other] = [wanted, theirs].map(({ headers }) => headers.get("PAYMENT-REQUIRED"));
            assert.match(ours, /^[A-Za-z0-9+/]+={0,2}$/);
            const [mine, its] = [decoded(ours), decoded(other)];
            assert.equal(mine.x402Version, its.x402Version);
            assert.deepEqual(mine.accepts, its.accepts);
            assert.deepEqual(Object.keys(mine.resource).sort(), Object.keys(its.resource).sort());
            assert.equal(mine.resource.mimeType, its.resource.mimeType);
            assert.equal(typeof mine.error, typeof its.error);
        });
        await check("it takes what was signed for our challenge", async () => {
            const required = decoded(wanted.headers.get("PAYMENT-REQUIRED"));
            const payment = await payer.payment(wanted);
            assert.deepEqual(decoded(payment).accepted, required.accepts[0]);
            const answer = await fetch(`${reference.url}/v0/inboxes`, { method: "POST", headers: { "PAYMENT-SIGNATURE": payment } });
            assert.equal(answer.status, 200, await answer.text());
            const response = decoded(answer.headers.get("PAYMENT-RESPONSE"));
            assert.deepEqual([response.success, response.network], [true, offer.network]);
            assert.equal(response.payer.toLowerCase(), payer.address);
            reference.shown = response;
            facilitator.ledger.clear();
        });
        await check("we take what was signed for its challenge, without its resource", async () => {
            const theirs = await fetch(`${reference.url}/v0/inboxes`, { method: "POST" });
            const payment = await payer.payment(theirs, { signed: (signed) => delete signed.resource });
            const answer = await payer.call("POST", "/v0/inboxes", { body: {}, payment });
            assert.equal(answer.status, 200, answer.text);
            const ours = decoded(answer.headers.get("PAYMENT-RESPONSE"));
            for (const name of Object.keys(reference.shown)) {
                assert.equal(typeof ours[name], typeof reference.shown[name], name);
            }
        });
    } finally {
        await reference.stop();
    }
}

/** An application of express that sells one route. */
class Reference {
    static async start(facilitator, { network, payTo, asset, amount, extra, maxTimeoutSeconds }) {
        const reference = new Reference();
        const resources = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator.url }))
            .register(network, new ExactEvmScheme());
        const app = express();
        app.use(paymentMiddleware({ "POST /v0/inboxes": {
            accepts: [{ scheme: "exact", network, payTo, maxTimeoutSeconds, price: { asset, amount, extra } }],
            description: "Create an inbox", mimeType: "application/json",
        } }, resources));
        app.post("/v0/inboxes", (_, response) => response.json({}));
        reference.server = createServer(app);
        await new Promise((resolve) => reference.server.listen(0, "127.0.0.1", resolve));
        reference.url = `http://127.0.0.1:${reference.server.address().port}`;
        return reference;
    }

    async stop() {
        this.server.closeAllConnections();
        await new Promise((resolve) => this.server.close(resolve));
    }
}
