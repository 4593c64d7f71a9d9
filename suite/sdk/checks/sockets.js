import assert from "node:assert/strict";
import { eventually } from "../report.js";

const received = "message.received.unauthenticated";

/** The client's own WebSocket: it connects, subscribes, reads, reconnects by itself, and stops when its key is refused. */
export async function sockets(world, check) {
    const { client, made } = world;
    const open = [];
    const connect = async (using = client, options = {}) => {
        const socket = await using.websockets.connect(options);
        const heard = [];
        const closes = [];
        socket.on("message", (message) => heard.push(message));
        socket.on("close", (event) => closes.push(event.code));
        open.push(socket);
        return { socket, heard, closes };
    };
    const subscribe = async ({ socket, heard }, filter = {}) => {
        const before = heard.length;
        socket.sendSubscribe({ type: "subscribe", inboxIds: [made.listening.inboxId], ...filter });
        return eventually("the answer to subscribe", () => heard.slice(before).find(({ type }) => type !== "event"));
    };
    const mail = (subject) => world.smtp({
        to: made.listening.inboxId,
        data: `Message-ID: <${subject}-${world.mode}@outside.example>\r\nFrom: Ann <ann@outside.example>\r\nSubject: ${subject}\r\n\r\nDing.\r\n`,
    });
    const told = ({ heard }, subject) =>
        eventually(`an event of "${subject}"`, () => heard.find((event) => event.type === "event" && event.message?.subject === subject));

    try {
        await check("connect and subscribe", async () => {
            made.listening = await client.inboxes.create({ username: world.name("listening") });
            made.socket = await connect();
            const answer = await subscribe(made.socket, { eventTypes: [received, "message.sent", "message.delivered"] });
            assert.equal(answer.type, "subscribed");
            assert.deepEqual(answer.inboxIds, [made.listening.inboxId]);
            assert.deepEqual(answer.eventTypes.toSorted(), ["message.delivered", received, "message.sent"]);
        });
        await check("mail that arrives is an event the client reads", async () => {
            assert.match(await mail("chime"), /^250 /);
            const event = await told(made.socket, "chime");
            assert.equal(event.eventType, received);
            assert.match(event.eventId, /^evt_/);
            assert.ok(event.message.timestamp instanceof Date);
            assert.equal(event.thread.lastMessageId, event.message.messageId);
            made.chime = event;
        });
        await check("sending tells sent and delivered", async () => {
            const sent = await client.inboxes.messages.send(made.listening.inboxId, { to: "zoe@outside.example", subject: "out", text: "x" });
            for (const [type, member] of [["message.sent", "send"], ["message.delivered", "delivery"]]) {
                const event = await eventually(type, () => made.socket.heard.find(({ eventType }) => eventType === type));
                assert.equal(event[member].messageId, sent.messageId);
                assert.deepEqual(event[member].recipients, ["zoe@outside.example"]);
            }
        });
        await check("what is wrong is an error the client reads, and the connection stays", async () => {
            const answer = await subscribe(made.socket, { inboxIds: [world.address("nobody")] });
            assert.deepEqual([answer.type, answer.name], ["error", "NotFoundError"]);
            assert.equal(typeof answer.message, "string");
            const key = await client.apiKeys.create({ name: "reader", permissions: { messageRead: true } });
            const lesser = await connect(world.clientWith(key.apiKey));
            const refused = await subscribe(lesser, { eventTypes: ["message.received.spam"] });
            assert.deepEqual([refused.type, refused.name, refused.message], ["error", "ForbiddenError", "label_spam_read is forbidden"]);
            made.reader = { ...lesser, key };
        });
        await check("a cursor brings what came since, once", async () => {
            assert.match(await mail("gong"), /^250 /);
            await told(made.socket, "gong");
            const again = await connect();
            // The client's own type has no cursor, so the frame is sent as it is.
            again.socket.socket.send(JSON.stringify({
                type: "subscribe", inbox_ids: [made.listening.inboxId], event_types: [received], cursor: made.chime.eventId,
            }));
            await told(again, "gong");
            assert.deepEqual(again.heard.map(({ type, message }) => message?.subject ?? type), ["subscribed", "gong"]);
        });
        await check("a revoked key closes with 1008", async () => {
            await client.apiKeys.delete(made.reader.key.apiKeyId);
            assert.equal(await eventually("the close", () => made.reader.closes[0]), 1008);
        });
        await check("without a valid key there is no connection", async () => {
            const stranger = world.clientWith("inb_0000000000000000000000000000000000000000000");
            await assert.rejects(connect(stranger), (fault) => /401/.test(fault.message));
        });
    } finally {
        open.forEach((socket) => socket.close());
    }
}
