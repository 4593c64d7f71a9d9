import assert from "node:assert/strict";
import http from "node:http";
import http2 from "node:http2";
import { Payer } from "./wallet.js";

/** By which names a variant is reached, and what a page and a socket get there. */
export async function hosts({ urls, variant, ledger }, check) {
    const { hostname, port } = new URL(urls[variant]);
    const isX402 = variant === "x402";
    const query = (payment) => `/v0?${isX402 ? "payment-signature" : "authorization"}=${encodeURIComponent(payment)}`;
    const request = (path, headers, options = {}) => new Promise((resolve, reject) => {
        const sent = http.request({ host: "127.0.0.1", port, path, headers, ...options }, async (response) => {
            const chunks = [];
            for await (const chunk of response) chunks.push(chunk);
            resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() });
        });
        sent.on("upgrade", (response, socket) => {
            socket.destroy();
            resolve({ status: response.statusCode, headers: response.headers });
        });
        sent.on("error", reject).end();
    });
    const upgrade = (path, headers = {}) => request(path, {
        Host: hostname, Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", ...headers,
    });

    await check("the name alone tells the variant, not its port, its case or a dot at its end", async () => {
        for (const host of [hostname, hostname.toUpperCase(), `${hostname}.`, `${hostname}:1`, `${hostname}:${port}`]) {
            assert.equal((await request("/v0/inboxes", { Host: host })).status, 402, host);
        }
        assert.equal((await request("/v0/inboxes", { Host: `www.${hostname}` })).status, 401);
    });
    await check("over HTTP/2 by its authority", async () => {
        const session = http2.connect(`http://127.0.0.1:${port}`);
        try {
            const headers = await new Promise((resolve, reject) => {
                session.on("error", reject);
                session.request({ ":path": "/v0/inboxes", ":authority": `${hostname.toUpperCase()}:${port}` })
                    .on("response", resolve).end();
            });
            assert.equal(headers[":status"], 402);
            assert.ok(headers[isX402 ? "payment-required" : "www-authenticate"]);
        } finally {
            session.close();
        }
    });
    await check("a page may send the fields of a payment, and read them", async () => {
        const Origin = "https://page.example";
        const asked = "payment-signature,authorization,access-control-expose-headers,content-type";
        const preflight = await request("/v0/inboxes", { Host: hostname, Origin, "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": asked }, { method: "OPTIONS" });
        assert.deepEqual([preflight.status, preflight.headers["access-control-allow-headers"]], [204, asked]);
        const wanted = await request("/v0/inboxes", { Host: hostname, Origin });
        const exposed = wanted.headers["access-control-expose-headers"].toLowerCase().split(/, */);
        for (const name of ["payment-required", "payment-response", "www-authenticate", "payment-receipt"]) {
            assert.ok(exposed.includes(name), name);
        }
    });
    await check("a socket that cannot be opened is an ordinary answer", async () => {
        const payer = await ledger.settled(urls, variant);
        assert.equal((await upgrade("/v0")).status, 402);
        assert.equal((await upgrade(query("!"))).status, isX402 ? 400 : 402);
        assert.equal((await upgrade("/v0", { "X-Api-Key": "inb_x" })).status, 401);
        const payment = await payer.payment(await payer.wanted("GET", "/v0"));
        for (let i = 0; i < 3; i++) assert.equal((await upgrade(query(payment))).status, 101);
        const header = { [isX402 ? "PAYMENT-SIGNATURE" : "Authorization"]: payment };
        assert.equal((await upgrade("/v0", header)).status, 101);
        const nobody = new Payer(urls, variant);
        const none = await upgrade(query(await nobody.payment(await nobody.wanted("GET", "/v0"))));
        assert.equal(none.status, 404);
        assert.match(JSON.parse(none.text).fix, /2\.00/);
    });
    await check("a proof of a socket is none for another call", async () => {
        const payer = await ledger.settled(urls, variant);
        const proof = await payer.payment(await payer.wanted("GET", "/v0"));
        assert.equal((await upgrade(query(proof))).status, 101);
        const dear = await payer.call("POST", "/v0/inboxes", { body: {}, payment: proof });
        assert.equal(dear.status, 402, dear.text);
        assert.equal((await payer.call("POST", "/v0/inboxes", { body: {}, payment: proof })).status, 402);
    });
    await check("nor for one that costs nothing, whoever writes another offer around it", async () => {
        const payer = await ledger.settled(urls, variant);
        const proof = await payer.payment(await payer.wanted("GET", "/v0"));
        assert.equal((await upgrade(query(proof))).status, 101);
        let other = proof;
        if (isX402) {
            const wanted = JSON.parse(Buffer.from((await payer.wanted("GET", "/v0/inboxes")).headers.get("PAYMENT-REQUIRED"), "base64"));
            const { x402Version, payload } = JSON.parse(Buffer.from(proof, "base64"));
            other = Buffer.from(JSON.stringify({ x402Version, payload, accepted: wanted.accepts[0] })).toString("base64");
        }
        const free = await payer.call("GET", "/v0/inboxes", { payment: other });
        assert.equal(free.status, 402, free.text);
        assert.equal(free.json.reason ?? "payment_already_used", "payment_already_used");
        assert.equal((await upgrade(query(proof))).status, 101);
    });
}
