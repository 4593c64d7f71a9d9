// What the interface promises of minutes to months, each row by the clock of the server.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { beforeEach, test } from "node:test";
import { advance, ask, call, letter, now } from "./call.js";

let box;
let path;

beforeEach(async () => {
    await call("POST", "/sandbox/reset", {});
    box = (await call("POST", "/v0/inboxes", {})).inbox_id;
    path = `/v0/inboxes/${encodeURIComponent(box)}`;
});

const mail = (text = "Hello.") => call("POST", "/sandbox/messages", { inbox_id: box, from: "jo@people.example", subject: "Hi", text });
const after = async (seconds) => new Date((await now()).getTime() + seconds * 1000);
const wall = (time) => time.toISOString().slice(0, 19);

/** A receiver of webhooks that answers with a status. */
async function receiver(work) {
    const posts = [];
    let status = 500;
    const server = createServer(async (request, response) => {
        let body = "";
        for await (const part of request) body += part;
        posts.push(JSON.parse(body));
        response.writeHead(status).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
        const hook = await call("POST", "/v0/webhooks", { url: `http://127.0.0.1:${server.address().port}/`, event_types: ["message.received"], inbox_ids: [box] });
        await work({ posts, hook, answer: (next) => (status = next) });
        await call("DELETE", `/v0/webhooks/${hook.webhook_id}`);
    } finally {
        server.close();
        server.closeAllConnections();
    }
}

test("a key works until it expires", async () => {
    const { api_key: key } = await call("POST", "/v0/api-keys", { name: "short", expires_at: (await after(7200)).toISOString() });
    await advance("PT1H59M");
    assert.equal((await ask("GET", "/v0/auth/me", undefined, key)).status, 200);
    await advance("PT2M");
    assert.equal((await ask("GET", "/v0/auth/me", undefined, key)).body.code, "api_key_expired");
});

test("a code is good for 24 hours and ten attempts, and then there is a fresh one", async () => {
    const human = `human-${Math.random().toString(36).slice(2)}@people.example`;
    const signUp = { human_email: human, username: `signs-${Math.random().toString(36).slice(2)}` };
    const code = async () => /\b\d{6}\b/.exec((await letter(human)).subject)[0];
    const first = await call("POST", "/v0/agent/sign-up", signUp, null);
    const digits = await code();
    const wrong = digits === "000000" ? "111111" : "000000";
    for (let attempt = 0; attempt < 10; attempt++) {
        assert.equal((await ask("POST", "/v0/agent/verify", { otp_code: wrong }, first.api_key)).status, 400);
    }
    assert.equal((await ask("POST", "/v0/agent/verify", { otp_code: digits }, first.api_key)).body.code, "limit_exceeded");
    await advance("P1D");
    const second = await call("POST", "/v0/agent/sign-up", signUp, null);
    assert.equal((await ask("POST", "/v0/agent/verify", { otp_code: await code() }, second.api_key)).status, 200);
});

test("a magic link is good for five minutes", async () => {
    const link = async () => (await call("POST", `/v0/apps/${process.env.APP_ID}/connect`, { inbox_id: box })).magic_url.split("/").pop();
    const early = await link();
    const late = await link();
    await advance(290);
    assert.equal((await ask("POST", "/v0/sign-in/begin", { token: early }, null)).status, 200);
    await advance(20);
    assert.equal((await ask("POST", "/v0/sign-in/begin", { token: late }, null)).status, 404);
});

test("a delivery is attempted eight times over 27 hours and a half, and fails", () => receiver(async ({ posts, hook }) => {
    await mail();
    await advance("PT27H");
    assert.equal(posts.length, 7);
    await advance("PT4H");
    assert.equal(posts.length, 8);
    const { deliveries: [delivery] } = await call("GET", `/v0/webhooks/${hook.webhook_id}/deliveries`);
    assert.equal(delivery.status, "failed");
}));

test("an attempt waits 15 seconds for its answer, is logged so, and is made again", () => receiver(async ({ posts, hook, answer }) => {
    answer(200);
    await call("POST", "/sandbox/faults", { kind: "webhook", times: 2, answer: "timeout", webhook_id: hook.webhook_id });
    await mail();
    await advance("PT1H");
    assert.equal(posts.length, 1);
    const { deliveries: [delivery] } = await call("GET", `/v0/webhooks/${hook.webhook_id}/deliveries`);
    assert.deepEqual(delivery.attempts.map(({ error = "", status }) => status ?? error.split(":")[0]), ["timeout", "timeout", 200]);
    assert.equal((await call("GET", "/sandbox/faults")).count, 0);
}));

test("five days of failures disable a webhook, and nothing is delivered again", () => receiver(async ({ posts, hook, answer }) => {
    for (let day = 0; day < 5; day++) {
        await mail();
        await advance("P1D");
    }
    await mail();
    await advance("PT1M");
    assert.equal((await call("GET", `/v0/webhooks/${hook.webhook_id}`)).enabled, false);
    answer(200);
    const { length } = posts;
    await call("PATCH", `/v0/webhooks/${hook.webhook_id}`, { enabled: true });
    await advance("P2D");
    assert.equal(posts.length, length);
}));

test("the link to a large body is good for an hour", () => receiver(async ({ posts, answer }) => {
    answer(200);
    await mail("word ".repeat(60_000));
    await advance(1);
    const link = new URL(posts[0].message.body_url).pathname;
    await advance("PT58M");
    assert.equal((await ask("GET", link, undefined, null)).status, 200);
    await advance("PT3M");
    assert.equal((await ask("GET", link, undefined, null)).status, 403);
}));

test("metrics reach 90 days back", async () => {
    await mail();
    const start = (await after(-3600)).toISOString();
    const metrics = async () => ask("GET", `${path}/metrics/events?period=86400&start=${start}&end=${(await now()).toISOString()}`);
    await advance("P89D");
    assert.equal((await metrics()).status, 200);
    await advance("P2D");
    assert.equal((await metrics()).status, 400);
});

test("an event that began is not moved, and one of long ago is over", async () => {
    const made = await call("POST", `${path}/calendar/events`, { title: "Call", start: wall(await after(3600)), end: wall(await after(5400)) });
    await advance("PT61M");
    const moved = { start: wall(await after(600)), end: wall(await after(900)) };
    assert.equal((await ask("PATCH", `${path}/calendar/events/${made.event.event_id}`, moved)).body.code, "event_already_started");
    const start = wall(await after(3600));
    const series = await call("POST", `${path}/calendar/events`, { title: "Daily", start, end: wall(await after(5400)), recurrence: { rule: "FREQ=DAILY;COUNT=3" } });
    await advance("P31D");
    const date = `${series.event.event_id}_t${start.replaceAll(/[-:]/g, "")}`;
    assert.equal((await ask("PATCH", `${path}/calendar/events/${date}`, { title: "Late" })).body.code, "event_expired");
});

test("a draft of next year leaves then", async () => {
    const at = await after(300 * 86_400);
    await call("POST", `${path}/drafts`, { to: "jo@sandbox.test", text: "Happy birthday.", send_at: at.toISOString() });
    await advance("P400D");
    const { messages: [sent] } = await call("GET", `${path}/messages?labels=sent`);
    assert.ok(Math.abs(Date.parse(sent.timestamp) - at) < 10_000, sent.timestamp);
});

test("mail to a server that is busy leaves hours later", async () => {
    const sent = await call("POST", `${path}/messages/send`, { to: "delay-4h@sandbox.test", text: "Hi" });
    const status = async () => (await call("GET", `${path}/messages/${encodeURIComponent(sent.message_id)}`)).deliveries[0].status;
    await advance("PT1H");
    assert.notEqual(await status(), "captured");
    await advance("PT12H");
    assert.equal(await status(), "captured");
});
