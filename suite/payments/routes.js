import assert from "node:assert/strict";
import { eventually } from "../sdk/report.js";
import { Receiver } from "../sdk/receiver.js";
import { prices } from "./ledger.js";
import { word } from "./wallet.js";

/** What the public client pays for each kind of call, and what it gets. */
export async function routes({ urls, variant, ledger, publicUrl }, check) {
    const payer = await ledger.settled(urls, variant);
    payer.buysMore = true;
    const client = payer.client(variant);
    const inbox = payer.inbox;
    /** What a call cost: the amounts that were settled in it. */
    const costs = async (expected, call) => {
        const before = ledger.amounts(payer).length;
        const answer = await call();
        assert.deepEqual(ledger.amounts(payer).slice(before), expected);
        return answer;
    };

    await check("a webhook is paid for once, and told of what arrives", async () => {
        const receiver = new Receiver();
        await receiver.start();
        try {
            const hook = await costs([prices.small], () =>
                client.webhooks.create({ url: receiver.url, eventTypes: ["message.received"] }));
            assert.match(hook.secret, /^whsec_/);
            const subject = word();
            await costs([prices.small], () => client.inboxes.messages.send(inbox, { to: inbox, subject, text: "x" }));
            await receiver.arrived("the mail", ({ json }) => json.message?.subject === subject);
        } finally {
            receiver.stop();
        }
    });
    await check("a draft costs, changing it does not, and sending it costs", async () => {
        const draft = await costs([prices.small], () => client.inboxes.drafts.create(inbox, { to: [inbox], subject: "d", text: "t" }));
        await costs([], () => client.inboxes.drafts.update(inbox, draft.draftId, { subject: "e" }));
        const sent = await costs([prices.small], () => client.inboxes.drafts.send(inbox, draft.draftId, {}));
        assert.ok(sent.messageId);
        payer.gone++; // the draft
    });
    await check("a draft for later is paid for when it is scheduled, and not when it falls due", async () => {
        const subject = word();
        const sendAt = new Date(Date.now() + 4000);
        await costs([prices.small], () => client.inboxes.drafts.create(inbox, { to: [inbox], subject, text: "t", sendAt }));
        const draft = await costs([prices.small], () => client.inboxes.drafts.create(inbox, { to: [inbox], subject: "l", text: "t" }));
        await costs([prices.small], () =>
            client.inboxes.drafts.update(inbox, draft.draftId, { sendAt: new Date(Date.now() + 86_400_000) }));
        payer.gone++; // the schedule
        await costs([], () => eventually("the scheduled mail", async () =>
            (await client.inboxes.messages.list(inbox)).messages.find((message) => message.subject === subject)));
    });
    await check("a domain, a list entry and a pod", async () => {
        const domain = `${word()}.example`;
        const made = await costs([prices.domain], () => client.domains.create({ domain, feedbackEnabled: true }));
        assert.equal(made.domainId, domain);
        await costs([prices.small], () => client.lists.create("send", "block", { entry: "nobody@example.com" }));
        await costs([], () => client.lists.create("send", "block", { entry: "nobody@example.com" }));
        await costs([prices.small], () => client.pods.create({ name: word() }));
    });
    await check("a key costs nothing, reads at the public URL, and cannot pay", async () => {
        const key = await costs([], () => client.apiKeys.create({ name: "reader" }));
        if (!publicUrl) return;
        const call = (method, path, body) => fetch(publicUrl + path, {
            method, headers: { Authorization: `Bearer ${key.apiKey}`, "Content-Type": "application/json" }, body,
        });
        const listed = await call("GET", "/v0/inboxes");
        assert.deepEqual([listed.status, (await listed.json()).inboxes[0].inbox_id], [200, inbox]);
        const refused = await call("POST", `/v0/inboxes/${encodeURIComponent(inbox)}/messages/send`,
            JSON.stringify({ to: inbox, subject: "s", text: "t" }));
        assert.equal(refused.status, 403);
        const { code, fix } = await refused.json();
        assert.equal(code, "forbidden");
        assert.ok(Object.values(urls).some((url) => fix.includes(url)), fix);
    });
    await check("a key with a public key of its own is made by a key alone", async () => {
        const refused = await payer.paid("POST", "/v0/api-keys", { body: { name: "k", public_key: {} } });
        assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
    });
    await check("an Idempotency-Key is paid for once", async () => {
        const path = `/v0/inboxes/${encodeURIComponent(inbox)}/messages/send`;
        const body = { to: inbox, subject: word(), text: "t" };
        const headers = { "Idempotency-Key": word() };
        const first = await costs([prices.small], () => payer.paid("POST", path, { body, headers }));
        assert.equal(first.status, 200, first.text);
        const again = await costs([], () => payer.paid("POST", path, { body, headers }));
        assert.deepEqual([again.status, again.json.message_id], [200, first.json.message_id]);
        const other = await costs([], () => payer.paid("POST", path, { body: { ...body, text: "u" }, headers }));
        assert.equal(other.status, 409, other.text);
    });
    await check("the payments that are told are those that were made", async () => {
        const { json } = await payer.paid("GET", "/v0/payments?limit=100");
        assert.deepEqual(json.payments.map(({ amount }) => amount).sort(), ledger.amounts(payer).sort());
        const [{ payment_id: id, transaction }] = json.payments;
        const one = await payer.paid("GET", `/v0/payments/${id}`);
        assert.deepEqual([one.status, one.json.transaction, one.json.variant], [200, transaction, variant]);
        const stranger = await ledger.settled(urls, variant);
        assert.equal((await stranger.paid("GET", `/v0/payments/${id}`)).status, 404);
    });
}
