import assert from "node:assert/strict";
import { ApiException, AutoConfigConsumer } from "svix";
import { eventually } from "../report.js";

const received = "message.received.unauthenticated";

/** Polling webhooks, read with the published consumer of Svix as it comes. */
export async function polling(world, check) {
    const { made } = world;
    const base = "/v0/webhooks/polling";
    const mail = (subject) => world.smtp({
        to: made.polled.inboxId,
        data: `Message-ID: <${subject}-${world.mode}@outside.example>\r\nFrom: Ann <ann@outside.example>\r\nSubject: ${subject}\r\n\r\nDing.\r\n`,
    });
    const failed = async (call, status, code) => {
        const fault = await call.then(() => assert.fail(`must fail with ${status}`), (thrown) => thrown);
        assert.ok(fault instanceof ApiException, String(fault));
        assert.deepEqual([fault.code, fault.body.code], [status, code]);
    };

    await check("create gives a token, get and list do not", async () => {
        made.polled = await world.client.inboxes.create({ username: world.name("polled") });
        const body = { client_id: world.name("poll"), event_types: [received], inbox_ids: [made.polled.inboxId] };
        const { status, json } = await world.http("POST", base, { body });
        assert.equal(status, 200);
        assert.match(json.token, /^auto_v1_/);
        const { token, ...shown } = json;
        made.polling = { ...shown, token };
        assert.deepEqual((await world.http("GET", `${base}/${json.webhook_id}`)).json, shown);
        assert.deepEqual((await world.http("GET", `${base}/${world.name("poll")}`)).json, shown);
        assert.ok((await world.http("GET", base)).json.polling_webhooks.some((one) => one.webhook_id === json.webhook_id));
    });
    await check("the consumer receives, commits and goes on", async () => {
        const consumer = new AutoConfigConsumer(made.polling.token, {});
        assert.equal((await consumer.subscribe()).id, made.polling.webhook_id);
        assert.deepEqual(await consumer.receive("worker"), { data: [], done: true });
        for (const subject of ["poll-1", "poll-2", "poll-3"]) assert.match(await mail(subject), /^250 /);
        const first = await consumer.receive("worker", { limit: 2 });
        assert.deepEqual(first.data.map(({ offset }) => offset), [1, 2]);
        assert.equal(first.done, false);
        assert.deepEqual(first.data.map(({ payload }) => payload.message.subject), ["poll-1", "poll-2"]);
        for (const { id, eventId, eventType, timestamp, payload } of first.data) {
            assert.match(id, /^msg_[0-9A-Za-z]{27}$/);
            assert.equal(eventId, payload.event_id);
            assert.equal(eventType, received);
            assert.ok(timestamp instanceof Date && timestamp <= new Date());
        }
        await failed(consumer.receive("worker"), 409, "lease_held");
        await failed(consumer.commit("worker", 3), 422, "unprocessable");
        await consumer.commit("worker", 2);
        const rest = await consumer.receive("worker");
        assert.deepEqual([rest.data.map(({ offset }) => offset), rest.done], [[3], true]);
        await consumer.commit("worker", 3);
        assert.deepEqual((await consumer.receive("worker")).data, []);
    });
    await check("a short lease gives the same messages again", async () => {
        const consumer = new AutoConfigConsumer(made.polling.token, {});
        const first = await consumer.receive("slow", { leaseDurationMs: 1 });
        const again = await eventually("the lease ends", () => consumer.receive("slow", { leaseDurationMs: 1 })
            .catch((fault) => (fault.code === 409 ? undefined : Promise.reject(fault))));
        assert.deepEqual(again, first);
        assert.deepEqual((await consumer.receive("late", { startingPosition: "latest" })).data, []);
    });
    await check("a new token and a deletion end the old token", async () => {
        const old = new AutoConfigConsumer(made.polling.token, {});
        const body = { client_id: world.name("poll"), event_types: [received] };
        const { json } = await world.http("POST", base, { body });
        assert.equal(json.webhook_id, made.polling.webhook_id);
        await failed(old.receive("worker"), 401, "unauthorized");
        const fresh = new AutoConfigConsumer(json.token, {});
        await fresh.receive("fresh", { limit: 1 });
        assert.equal((await world.http("DELETE", `${base}/${json.webhook_id}`)).status, 200);
        await failed(fresh.receive("fresh"), 401, "unauthorized");
    });
}
