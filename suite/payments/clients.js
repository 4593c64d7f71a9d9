import assert from "node:assert/strict";
import { x402Client } from "@x402/fetch";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { AgentMailClient } from "agentmail";
import { eventually } from "../sdk/report.js";
import { word } from "./wallet.js";

/** The public client with its option for a wallet: it creates, sends, receives, waits and listens. */
export async function clients({ urls, variant, ledger }, check) {
    const payer = ledger.payer(urls, variant);
    const client = payer.client(variant);
    const made = {};
    const refused = (promise, status, code) => assert.rejects(promise, (fault) => {
        assert.deepEqual([fault.statusCode, fault.body?.code], [status, code]);
        return true;
    });

    await check("before its first payment a wallet has no organization", async () => {
        await refused(client.auth.me(), 404, "not_found");
        assert.equal((await client.inboxes.list()).count, 0);
        assert.equal(ledger.paid(payer).all, 0);
    });
    await check("creating an inbox is the sign-up, and is paid once", async () => {
        made.clientId = word();
        made.inbox = await client.inboxes.create({ clientId: made.clientId, displayName: "Paid" });
        assert.match(made.inbox.inboxId, /@/);
        assert.deepEqual(ledger.paid(payer), { inboxes: 1, sent: 0, all: 1 });
    });
    await check("the wallet is who asks, without a key", async () => {
        const me = await client.auth.me();
        assert.equal(me.scopeType, "organization");
        assert.equal(me.scopeId, me.organizationId);
        assert.equal(me.apiKeyId, undefined);
        const organization = await client.organizations.get();
        assert.equal(organization.authenticationType, "wallet");
        assert.equal(organization.authenticationId, `eip155:84532:${payer.address}`);
    });
    await check("what is there already costs nothing", async () => {
        const again = await client.inboxes.create({ clientId: made.clientId, displayName: "Paid" });
        assert.equal(again.inboxId, made.inbox.inboxId);
        assert.equal(ledger.paid(payer).all, 1);
    });
    await check("what is wrong costs nothing", async () => {
        await refused(client.inboxes.create({ username: "a b" }), 400, "validation_error");
        await refused(client.inboxes.messages.send("nobody@localhost.test", { to: "a@b.test", text: "x" }), 404, "not_found");
        assert.equal(ledger.paid(payer).all, 1);
    });
    await check("sending and receiving", async () => {
        made.second = await client.inboxes.create({});
        made.subject = word();
        const sent = await client.inboxes.messages.send(made.inbox.inboxId,
            { to: made.second.inboxId, subject: made.subject, text: "Paid for." });
        assert.ok(sent.messageId);
        made.received = await eventually("the mail in the other inbox", async () =>
            (await client.inboxes.messages.list(made.second.inboxId)).messages.find(({ subject }) => subject === made.subject));
        assert.equal((await client.inboxes.messages.get(made.second.inboxId, made.received.messageId)).text.trim(), "Paid for.");
        assert.deepEqual(ledger.paid(payer), { inboxes: 2, sent: 1, all: 3 });
    });
    await check("waiting for a message", async () => {
        const path = `/v0/inboxes/${encodeURIComponent(made.inbox.inboxId)}/messages/wait`;
        const { json: now } = await payer.paid("GET", `${path}?timeout=0`);
        const waiting = payer.paid("GET", `${path}?timeout=30&cursor=${now.next_cursor}`);
        await client.inboxes.messages.reply(made.second.inboxId, made.received.messageId, { text: "Thank you." });
        const { status, json, text } = await waiting;
        assert.equal(status, 200, text);
        assert.match(json.message.text, /Thank you/);
        assert.deepEqual(ledger.paid(payer), { inboxes: 2, sent: 2, all: 4 });
    });
    await check("a WebSocket, and the same proof again when it reconnects", async () => {
        const socket = await client.websockets.connect({ reconnectAttempts: 3 });
        const heard = [];
        socket.on("message", (message) => heard.push(message));
        const listen = async () => {
            socket.sendSubscribe({ type: "subscribe", inboxIds: [made.second.inboxId] });
            await eventually("the answer to subscribe", () => heard.some(({ type }) => type === "subscribed"));
        };
        const hear = async (subject) => {
            await client.inboxes.messages.send(made.inbox.inboxId, { to: made.second.inboxId, subject, text: "x" });
            await eventually(`an event of ${subject}`, () =>
                heard.some(({ type, message }) => type === "event" && message?.subject === subject));
        };
        try {
            await listen();
            await hear(word());
            heard.length = 0;
            socket.socket._ws.terminate(); // as when the network fails
            await eventually("the end of the connection", () => socket.readyState !== 1);
            await socket.waitForOpen();
            await listen();
            await hear(word());
        } finally {
            socket.close();
        }
        assert.deepEqual(ledger.paid(payer), { inboxes: 2, sent: 4, all: 6 });
    });
    await check("another wallet reaches nothing of it", async () => {
        const stranger = ledger.payer(urls, variant).client(variant);
        await refused(stranger.inboxes.get(made.inbox.inboxId), 404, "not_found");
    });
    await check("the other variant knows the wallet", async () => {
        const other = payer.client(variant === "x402" ? "mpp" : "x402");
        const { inboxes } = await other.inboxes.list();
        assert.deepEqual(inboxes.map(({ inboxId }) => inboxId).sort(), [made.inbox.inboxId, made.second.inboxId].sort());
    });
    if (variant === "x402") {
        await check("a client that was not told to pay more than 1 USD pays for no inbox", async () => {
            const careful = new x402Client().register("eip155:*", new ExactEvmScheme(payer.account));
            const careless = new AgentMailClient({ x402: careful, baseUrl: urls.x402, maxRetries: 0 });
            await assert.rejects(careless.inboxes.create({}));
            assert.equal(ledger.paid(payer).all, 6);
        });
    }
}
