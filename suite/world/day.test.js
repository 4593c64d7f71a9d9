// The day of an agent that answers what it is asked, and asks again, once, when nobody answers for two days.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { advance, call } from "./call.js";

const inbox = await call("POST", "/v0/inboxes", { display_name: "Ada" });
const path = `/v0/inboxes/${encodeURIComponent(inbox.inbox_id)}`;

/** The program under test. */
async function agent() {
    const { threads: asked } = await call("GET", `${path}/threads?waiting=me`);
    for (const { last_message_id: message } of asked) {
        await call("POST", `${path}/messages/${encodeURIComponent(message)}/reply`, { text: "120 euros. Shall I reserve it?", if_unanswered: true });
    }
    const { threads: silent } = await call("GET", `${path}/threads?waiting=them`);
    for (const { last_message_id: message, thread_id: thread } of silent) {
        const drafts = (await call("GET", `${path}/drafts`)).drafts.filter((draft) => draft.in_reply_to === message);
        const { message_count: count } = await call("GET", `${path}/threads/${thread}`);
        if (drafts.length > 0 || count > 2) continue;
        const at = new Date(Date.parse((await call("GET", "/sandbox/clock")).now) + 2 * 864e5).toISOString();
        await call("POST", `${path}/drafts`, { in_reply_to: message, text: "Are you still interested?", send_at: at, cancel_on_reply: true });
    }
}

before(() => call("POST", "/sandbox/reset", {}));

const asks = { from: "Kim <kim@customers.example>", subject: "Chair", text: "What does the blue one cost?" };
const directions = async () => {
    const { threads: [thread] } = await call("GET", `${path}/threads`);
    return (await call("GET", `${path}/threads/${thread.thread_id}?format=markdown`)).transcript.map((entry) => entry.direction);
};

test("a customer who does not answer is asked again after two days, once", async () => {
    await call("POST", "/sandbox/recipients", { match: "kim@customers.example", script: [
        { answer: "drop" }, { answer: "accept", then: [{ do: "reply", after: "PT3H", text: "Sorry, yes please." }] },
        { answer: "drop" }] });
    await call("POST", "/sandbox/messages", { inbox_id: inbox.inbox_id, ...asks });
    await agent();
    await agent();
    await advance("P2D");
    assert.deepEqual(await directions(), ["received", "sent", "sent"]);
    await advance("PT4H");
    assert.deepEqual(await directions(), ["received", "sent", "sent", "received"]);
    await agent();
    await advance("P7D");
    assert.deepEqual(await directions(), ["received", "sent", "sent", "received", "sent"]);
});

test("a customer who answers in time is not asked again", async () => {
    await call("POST", "/sandbox/reset", {});
    await call("POST", "/sandbox/recipients", { match: "kim@customers.example", script: [
        { answer: "accept", then: [{ do: "reply", after: "PT1H", text: "Yes please." }] }, { answer: "drop" }] });
    await call("POST", "/sandbox/messages", { inbox_id: inbox.inbox_id, ...asks });
    await agent();
    await agent();
    await advance("PT2H");
    const [draft] = (await call("GET", `${path}/drafts`)).drafts;
    assert.equal(draft.send_status, "cancelled");
    await advance("P3D");
    assert.deepEqual(await directions(), ["received", "sent", "received"]);
});

test("a customer whose address is gone is on the block list", async () => {
    await call("POST", "/sandbox/reset", {});
    await call("POST", `${path}/messages/send`, { to: "bounce@gone.sandbox.test", text: "Are you there?" });
    await advance("PT1M");
    const { messages: [sent] } = await call("GET", `${path}/messages?labels=bounced`);
    assert.ok(sent.labels.includes("bounced"));
    await assert.rejects(call("POST", `${path}/messages/send`, { to: "bounce@gone.sandbox.test", text: "And now?" }), /403/);
});
