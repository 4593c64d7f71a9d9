import assert from "node:assert/strict";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook } from "svix";
import { Receiver } from "../receiver.js";
import { eventually } from "../report.js";
import { refused } from "../world.js";

const received = "message.received.unauthenticated";

export async function webhooks(world, check) {
    const receiver = new Receiver();
    await receiver.start();
    try {
        await checks(world, check, receiver);
    } finally {
        receiver.stop();
    }
}

async function checks(world, check, receiver) {
    const { client, made } = world;
    const { NotFoundError } = world.library.AgentMail;
    const inbox = () => made.hooked.inboxId;
    const mail = (subject, text = "Ding.") =>
        `Message-ID: <${subject}-${world.mode}@outside.example>\r\nFrom: Ann <ann@outside.example>\r\nSubject: ${subject}\r\n\r\n${text}\r\n`;

    await check("create, and create again with the same client_id", async () => {
        made.hooked = await client.inboxes.create({ username: world.name("hooked") });
        const request = {
            url: receiver.url, eventTypes: [received, "message.received", "message.sent", "message.delivered"],
            inboxIds: [inbox()], clientId: world.name("hook"),
        };
        const webhook = await client.webhooks.create(request);
        assert.match(webhook.webhookId, /^ep_[0-9A-Za-z]{27}$/);
        assert.match(webhook.secret, /^whsec_[0-9A-Za-z+/]{32}$/);
        assert.equal(webhook.enabled, true);
        assert.equal(webhook.url, receiver.url);
        assert.deepEqual(webhook.eventTypes.toSorted(), request.eventTypes.toSorted());
        assert.deepEqual(webhook.inboxIds, [inbox()]);
        assert.deepEqual(await client.webhooks.create(request), webhook);
        made.webhook = webhook;
    });
    await check("get and list", async () => {
        assert.deepEqual(await client.webhooks.get(made.webhook.webhookId), made.webhook);
        const list = await client.webhooks.list();
        assert.ok(list.webhooks.some((webhook) => webhook.webhookId === made.webhook.webhookId));
        await refused(client.webhooks.get("ep_000000000000000000000000000"), NotFoundError, "not_found");
    });
    await check("faulty webhooks are refused", async () => {
        const eventTypes = ["message.received"];
        await refused(client.webhooks.create({ url: receiver.url, eventTypes: [] }), 400, "validation_error");
        const invented = await world.http("POST", "/v0/webhooks", { body: { url: receiver.url, event_types: ["message.invented"] } });
        assert.deepEqual([invented.status, invented.json.code], [400, "validation_error"]);
        await refused(client.webhooks.create({ url: "ftp://127.0.0.1/", eventTypes }), 400, "validation_error");
        await refused(client.webhooks.create({ url: "http://user:word@127.0.0.1/", eventTypes }), 400, "validation_error");
        const many = Array.from({ length: 11 }, (_, number) => world.address(`n${number}`));
        await refused(client.webhooks.create({ url: receiver.url, eventTypes, inboxIds: many }), 400, "validation_error");
        await refused(client.webhooks.create({ url: receiver.url, eventTypes, inboxIds: [world.address("none")] }), 404, "not_found");
        const reserved = { "Svix-Id": "x" };
        await refused(client.webhooks.create({ url: receiver.url, eventTypes, headers: reserved }), 400, "validation_error");
    });
    await check("mail that arrives is told, signed as svix verifies it", async () => {
        assert.match(await world.smtp({ to: inbox(), data: mail("bell") }), /^250 /);
        const delivery = await receiver.arrived("the bell", ({ json }) => json.message?.subject === "bell");
        made.delivery = delivery;
        assert.equal(delivery.method, "POST");
        assert.match(delivery.headers["content-type"], /^application\/json/);
        assert.match(delivery.headers["user-agent"], /^inboxd\//);
        assert.match(delivery.headers["svix-id"], /^msg_[0-9A-Za-z]{27}$/);
        const verifier = new Webhook(made.webhook.secret);
        assert.deepEqual(verifier.verify(delivery.body, delivery.headers), delivery.json);
        const standard = Object.fromEntries(Object.entries(delivery.headers).filter(([name]) => name.startsWith("webhook-")));
        assert.deepEqual(verifier.verify(delivery.body, standard), delivery.json);
        assert.deepEqual(new StandardWebhook(made.webhook.secret).verify(delivery.body, standard), delivery.json);
        assert.throws(() => verifier.verify(delivery.body.replace("bell", "hell"), delivery.headers));
    });
    await check("the payload is what the API shows, and the client's type reads it", async () => {
        const { json } = made.delivery;
        assert.deepEqual(Object.keys(json).toSorted(), ["event_id", "event_type", "message", "thread", "type"]);
        assert.deepEqual([json.type, json.event_type], ["event", received]);
        assert.deepEqual(json.message.from_, ["Ann <ann@outside.example>"]);
        const shown = await world.http("GET", `/v0/inboxes/${encodeURIComponent(inbox())}/messages/${encodeURIComponent(json.message.message_id)}`);
        const { labels, ...told } = json.message;
        assert.deepEqual(labels.toSorted(), shown.json.labels.toSorted());
        assert.deepEqual(told, Object.fromEntries(Object.keys(told).map((name) => [name, shown.json[name]])));
        assert.equal(json.thread.thread_id, json.message.thread_id);
        assert.equal(json.thread.message_count, 1);
        const event = world.library.serialization.MessageReceivedEvent.parseOrThrow(json, { unrecognizedObjectKeys: "passthrough" });
        assert.ok(event.message.timestamp instanceof Date);
        assert.equal(event.thread.lastMessageId, json.message.message_id);
    });
    await check("a failed delivery is repeated after five seconds, byte for byte", async () => {
        receiver.nextStatus.push(500);
        assert.match(await world.smtp({ to: inbox(), data: mail("knock") }), /^250 /);
        const isKnock = ({ json }) => json.message?.subject === "knock";
        const second = await receiver.arrived("the second knock", (delivery) => isKnock(delivery) && delivery.status === 204);
        const [first] = receiver.deliveries.filter(isKnock);
        assert.equal(first.status, 500);
        assert.equal(second.body, first.body);
        assert.equal(second.headers["svix-id"], first.headers["svix-id"]);
        assert.ok(second.headers["svix-timestamp"] - first.headers["svix-timestamp"] >= 4);
        new Webhook(made.webhook.secret).verify(second.body, second.headers);
    });
    await check("a body above 64 KiB is told by a link", async () => {
        const text = "0123456789abcdef\r\n".repeat(5000).trimEnd();
        assert.match(await world.smtp({ to: inbox(), data: mail("tome", text) }), /^250 /);
        const { json } = await receiver.arrived("the tome", (delivery) => delivery.json.message?.subject === "tome");
        for (const name of ["text", "html", "extracted_text", "extracted_html"]) assert.ok(!(name in json.message), name);
        const left = Date.parse(json.message.body_expires_at) - Date.now();
        assert.ok(left > 3_500_000 && left <= 3_600_000);
        const answer = await fetch(json.message.body_url);
        assert.equal(answer.status, 200);
        assert.equal((await answer.json()).text.replaceAll("\r\n", "\n").trim(), text.replaceAll("\r\n", "\n"));
    });
    await check("sending tells sent and delivered", async () => {
        const sent = await client.inboxes.messages.send(inbox(), { to: "zoe@outside.example", subject: "out", text: "x" });
        const told = async (kind, member) => {
            const { json } = await receiver.arrived(kind, (delivery) => delivery.json.event_type === kind
                && delivery.json[member].message_id === sent.messageId);
            assert.deepEqual(Object.keys(json[member]).toSorted(),
                ["inbox_id", "message_id", "organization_id", "pod_id", "recipients", "thread_id", "timestamp"]);
            assert.deepEqual(json[member].recipients, ["zoe@outside.example"]);
            return json;
        };
        const { serialization } = world.library;
        const more = { unrecognizedObjectKeys: "passthrough" };
        serialization.MessageSentEvent.parseOrThrow(await told("message.sent", "send"), more);
        serialization.MessageDeliveredEvent.parseOrThrow(await told("message.delivered", "delivery"), more);
    });
    await check("update replaces types and adds and removes targets", async () => {
        const { webhookId } = made.webhook;
        assert.deepEqual(await client.webhooks.update(webhookId, {}), made.webhook);
        const podId = made.hooked.podId;
        const wide = await client.webhooks.update(webhookId, { addPodIds: [podId], eventTypes: [received, "message.sent"] });
        assert.deepEqual([wide.podIds, wide.inboxIds, wide.eventTypes], [[podId], [inbox()], [received, "message.sent"]]);
        const narrow = await client.webhooks.update(webhookId, { removePodIds: [podId] });
        assert.deepEqual([narrow.podIds, narrow.inboxIds], [undefined, [inbox()]]);
        await refused(client.webhooks.update(webhookId, { eventTypes: [] }), 400, "validation_error");
        const off = await world.http("PATCH", `/v0/webhooks/${webhookId}`, { body: { enabled: false } });
        assert.equal(off.json.enabled, false);
        const on = await world.http("PATCH", `/v0/webhooks/${webhookId}`, { body: { enabled: true } });
        assert.equal(on.json.enabled, true);
    });
    await check("header names are listed, values rotate and stay unseen", async () => {
        const { webhookId } = made.webhook;
        await client.webhooks.updateHeaders(webhookId, { headers: { "X-Env": "one", "X-Old": "old" } });
        await client.webhooks.updateHeaders(webhookId, { headers: { "x-env": "two" }, removeHeaders: ["x-old"] });
        assert.deepEqual((await client.webhooks.getHeaders(webhookId)).headerNames, ["x-env"]);
        await refused(client.webhooks.updateHeaders(webhookId, {}), 400, "validation_error");
        assert.match(await world.smtp({ to: inbox(), data: mail("labelled") }), /^250 /);
        const { headers } = await receiver.arrived("the labelled", ({ json }) => json.message?.subject === "labelled");
        assert.equal(headers["x-env"], "two");
    });
    await check("a rotated secret and the one before verify for a day", async () => {
        const rotated = await world.http("POST", `/v0/webhooks/${made.webhook.webhookId}/secret/rotate`);
        assert.notEqual(rotated.json.secret, made.webhook.secret);
        assert.match(await world.smtp({ to: inbox(), data: mail("rotated") }), /^250 /);
        const delivery = await receiver.arrived("the rotated", ({ json }) => json.message?.subject === "rotated");
        for (const secret of [rotated.json.secret, made.webhook.secret]) {
            assert.deepEqual(new Webhook(secret).verify(delivery.body, delivery.headers), delivery.json);
            assert.deepEqual(new StandardWebhook(secret).verify(delivery.body, delivery.headers), delivery.json);
        }
    });
    await check("webhooks of a pod and of an inbox are their own", async () => {
        const { podId } = made.hooked;
        const request = { url: receiver.url, eventTypes: [received] };
        const ofPod = await client.pods.webhooks.create(podId, request);
        // The client knows no owner of a webhook; plain HTTP tells it.
        const owners = async (webhook) => {
            const { json } = await world.http("GET", `/v0/webhooks/${webhook.webhookId}`);
            return [json.pod_id, json.inbox_id];
        };
        assert.deepEqual([ofPod.podIds, ofPod.inboxIds], [[podId], undefined]);
        assert.deepEqual(await owners(ofPod), [podId, undefined]);
        const narrow = await client.pods.webhooks.update(podId, ofPod.webhookId, { addInboxIds: [inbox()] });
        assert.deepEqual(narrow.inboxIds, [inbox()]);
        const ofInbox = await client.inboxes.webhooks.create(inbox(), request);
        assert.deepEqual(ofInbox.inboxIds, [inbox()]);
        assert.deepEqual(await owners(ofInbox), [podId, inbox()]);
        assert.deepEqual((await client.inboxes.webhooks.list(inbox())).webhooks, [ofInbox]);
        assert.deepEqual(await client.inboxes.webhooks.update(inbox(), ofInbox.webhookId, {}), ofInbox);
        await refused(client.inboxes.webhooks.get(inbox(), ofPod.webhookId), NotFoundError, "not_found");
        await client.inboxes.webhooks.delete(inbox(), ofInbox.webhookId);
        await client.pods.webhooks.delete(podId, ofPod.webhookId);
        await refused(client.pods.webhooks.get(podId, ofPod.webhookId), NotFoundError, "not_found");
    });
    await check("the log shows attempts, and a delivery is made again", async () => {
        const base = `/v0/webhooks/${made.webhook.webhookId}`;
        const repeated = (delivery) => delivery.attempts.length === 2 && delivery.attempts[0].error === "status 500";
        const shown = await eventually("the log", async () => {
            const { json } = await world.http("GET", `${base}/deliveries?limit=100`);
            return json.deliveries.some((one) => one.event_id === made.delivery.json.event_id)
                && json.deliveries.some(repeated) && json.deliveries;
        });
        const one = shown.find((delivery) => delivery.event_id === made.delivery.json.event_id);
        assert.deepEqual([one.status, one.svix_id, one.attempts[0].status], ["delivered", made.delivery.headers["svix-id"], 204]);
        const before = receiver.deliveries.length;
        assert.equal((await world.http("POST", `${base}/deliveries/${one.svix_id}/redeliver`)).status, 200);
        await eventually("the redelivery", () => receiver.deliveries.slice(before)
            .find(({ headers, json }) => headers["svix-id"] === one.svix_id && json.event_id === one.event_id));
        const tried = await world.http("POST", `${base}/test`, { body: { event_type: "message.sent" } });
        assert.deepEqual([tried.json.delivered, tried.json.status], [true, 204]);
        const test = await receiver.arrived("the test", ({ json }) => json.event_id === tried.json.event_id);
        world.library.serialization.MessageSentEvent.parseOrThrow(test.json, { unrecognizedObjectKeys: "passthrough" });
        receiver.deliveries.splice(receiver.deliveries.indexOf(test), 1);
    });
    await check("other inboxes are not told of", async () => {
        assert.ok(receiver.deliveries.length > 0);
        for (const { json } of receiver.deliveries) {
            assert.equal((json.message ?? json.send ?? json.delivery).inbox_id, inbox());
        }
    });
    await check("delete ends the deliveries", async () => {
        await client.webhooks.delete(made.webhook.webhookId);
        await refused(client.webhooks.get(made.webhook.webhookId), NotFoundError, "not_found");
        await refused(client.webhooks.delete(made.webhook.webhookId), NotFoundError, "not_found");
        // A second webhook shows when the next mail was delivered: the first one has been passed over by then.
        const witness = await client.webhooks.create({ url: `${receiver.url}?witness`, eventTypes: [received] });
        const before = receiver.deliveries.length;
        assert.match(await world.smtp({ to: inbox(), data: mail("silence") }), /^250 /);
        await receiver.arrived("the silence", ({ json }) => json.message?.subject === "silence");
        assert.equal(receiver.deliveries.length, before + 1);
        await client.webhooks.delete(witness.webhookId);
    });
}
