import assert from "node:assert/strict";
import { eventually } from "../sdk/report.js";
import { decoded, word } from "./wallet.js";

const inboxes = "/v0/inboxes";

/** A payer with an inbox who is about to pay for another one. */
async function order(ledger, urls, variant) {
    const payer = await ledger.settled(urls, variant);
    const body = { display_name: word() };
    const payment = await payer.payment(await payer.wanted("POST", inboxes, body));
    return { payer, body, payment, send: () => payer.call("POST", inboxes, { body, payment }) };
}

const count = async (payer) => (await payer.paid("GET", inboxes)).json.count;

/** How a settlement ends, and what of it is seen meanwhile. */
export async function outcomes({ urls, variant, ledger, facilitator }, check) {
    const isX402 = variant === "x402";
    const begin = () => order(ledger, urls, variant);

    await check("refused: 402 with the reason, and the same again without asking", async () => {
        const { payer, send } = await begin();
        facilitator.fail("settle", "refuse", { payer: payer.address, reason: "insufficient_funds" });
        const refused = await send();
        assert.equal(refused.status, 402, refused.text);
        if (isX402) {
            assert.equal(refused.json.reason, "insufficient_funds");
            const response = decoded(refused.headers.get("PAYMENT-RESPONSE"));
            assert.deepEqual([response.success, response.errorReason, response.transaction], [false, "insufficient_funds", ""]);
        } else {
            assert.match(refused.json.type, /verification-failed$/);
            assert.match(refused.json.detail, /insufficient_funds/);
            assert.equal(refused.headers.get("Payment-Receipt"), null);
        }
        assert.doesNotMatch(refused.text, /<b>/);
        const asked = facilitator.askedOf(payer.address).settle;
        assert.equal((await send()).status, 402);
        assert.equal(facilitator.askedOf(payer.address).settle, asked);
        assert.equal(await count(payer), 1);
    });
    await check("a reason that is no word is `refused`", async () => {
        const { payer, send } = await begin();
        facilitator.fail("settle", "refuse", { payer: payer.address, reason: "<script>alert(1)</script>" });
        const refused = await send();
        assert.equal(refused.status, 402, refused.text);
        assert.doesNotMatch(refused.text, /script/);
    });
    await check("a nonce that somebody used already is refused at the first attempt", async () => {
        const { payer, send } = await begin();
        facilitator.fail("settle", "used", { payer: payer.address });
        assert.equal((await send()).status, 402);
        assert.equal(await count(payer), 1);
    });
    await check("verify says no: 402 with its reason, and nothing is settled", async () => {
        const { payer, send } = await begin();
        facilitator.fail("verify", "refuse", { payer: payer.address, reason: "insufficient_funds" });
        const refused = await send();
        assert.equal(refused.status, 402, refused.text);
        if (isX402) assert.equal(refused.json.reason, "insufficient_funds");
        assert.equal((await send()).status, 200, "the payment was not used up");
    });
    await check("slow: the answer comes when it is settled", async () => {
        const { payer, send } = await begin();
        facilitator.fail("settle", "slow", { payer: payer.address, ms: 1500 });
        assert.equal((await send()).status, 200);
        assert.equal(await count(payer), 2);
    });
    await check("another payment for what is being settled: 409, and afterwards what was made, for nothing", async () => {
        const payer = await ledger.settled(urls, variant);
        const body = { client_id: word() };
        facilitator.fail("settle", "slow", { payer: payer.address, ms: 2000 });
        const first = payer.paid("POST", inboxes, { body });
        await eventually("the settlement", () => facilitator.askedOf(payer.address).settle === 2);
        const second = await payer.paid("POST", inboxes, { body });
        assert.deepEqual([second.status, second.json.code], [409, "payment_pending"], second.text);
        const made = await first;
        assert.equal(made.status, 200, made.text);
        const third = await payer.paid("POST", inboxes, { body });
        assert.deepEqual([third.status, third.json.inbox_id], [200, made.json.inbox_id]);
        assert.equal(ledger.paid(payer).inboxes, 2);
    });
    await check("a caller that hangs up changes nothing", async () => {
        const { payer, body, payment, send } = await begin();
        facilitator.fail("settle", "slow", { payer: payer.address, ms: 1500 });
        const hangUp = new AbortController();
        const gone = payer.call("POST", inboxes, { body, payment, signal: hangUp.signal });
        await eventually("the settlement", () => facilitator.askedOf(payer.address).settle === 2);
        hangUp.abort();
        await assert.rejects(gone);
        await eventually("the inbox", async () => await count(payer) === 2);
        assert.equal((await send()).status, 200);
        assert.equal(ledger.paid(payer).inboxes, 2);
    });
    await check("two first payments at once make one organization", async () => {
        const payer = ledger.payer(urls, variant);
        const made = await Promise.all([1, 2, 3].map(() => payer.paid("POST", inboxes, { body: {} })));
        assert.deepEqual(made.map(({ status }) => status), [200, 200, 200], made.map(({ text }) => text).join());
        assert.equal(new Set(made.map(({ json }) => json.pod_id)).size, 1);
        assert.equal(await count(payer), 3);
    });
    for (const call of ["verify", "settle"]) {
        await check(`${call} with a wrong key of the facilitator: 503, and the payment is as new`, async () => {
            const { payer, send } = await begin();
            facilitator.fail(call, "key", { payer: payer.address });
            const away = await send();
            assert.deepEqual([away.status, away.json.code], [503, "service_unavailable"]);
            assert.ok(Number(away.headers.get("Retry-After")) > 0);
            assert.equal(await count(payer), 1);
            assert.equal((await send()).status, 200);
        });
    }
    await check("a facilitator that is away: 503, and nothing is half done", async () => {
        const { payer, send } = await begin();
        await facilitator.stop();
        try {
            const away = await send();
            assert.deepEqual([away.status, away.json.code], [503, "service_unavailable"]);
            assert.ok(Number(away.headers.get("Retry-After")) > 0);
        } finally {
            await facilitator.start(facilitator.port);
        }
        assert.equal((await send()).status, 200);
        assert.equal(await count(payer), 2);
    });
}

/**
 * Settlements whose outcome nobody knows at first. Each of them waits for the repeats of the service: they run beside
 * each other, and beside the other checks. Their titles with what they came to.
 */
export function unknowns({ urls, variant, ledger, facilitator }) {
    const running = ["hang", "lose", "cut", "drop", "pending", "broken", "queue"].map((fault) => [fault, isUnknown(fault)]);
    running.forEach(([, promise]) => promise.catch(() => {})); // told by its check
    return running.map(([fault, promise]) => [`unknown (${fault}): 409, nothing is seen, and the repeat decides`, promise]);

    async function isUnknown(fault) {
        const { payer, body, payment, send } = await order(ledger, urls, variant);
        facilitator.fail("settle", fault, { payer: payer.address });
        const sending = send();
        if (["hang", "lose"].includes(fault)) {
            await eventually("the settlement", () => ledger.paid(payer).inboxes === (fault === "hang" ? 2 : 1));
            assert.equal(await count(payer), 1, "nothing is seen before the answer");
            const meanwhile = await send();
            assert.ok([200, 409].includes(meanwhile.status), meanwhile.text);
        }
        const pending = await sending;
        if (pending.status === 200) return assert.fail("the outcome was not unknown");
        assert.deepEqual([pending.status, pending.json.code], [409, "payment_pending"]);
        assert.equal(pending.headers.get("Retry-After"), "5");
        assert.ok(pending.json.payment_id);
        assert.equal(pending.headers.get("PAYMENT-REQUIRED") ?? pending.headers.get("WWW-Authenticate"), null);
        const other = await payer.call("POST", inboxes, { body: { ...body, display_name: word() }, payment });
        assert.ok([402, 409].includes(other.status), other.text); // used, or without an outcome: no new payment either way
        const ended = await eventually(`the end of ${fault}`, async () => {
            const again = await send();
            if (again.status !== 409) return again;
            await new Promise((resolve) => setTimeout(resolve, 500));
        });
        assert.equal(ended.status, 200, ended.text);
        assert.equal(ended.json.display_name, body.display_name);
        assert.equal(await count(payer), 2);
        assert.equal(ledger.paid(payer).inboxes, 2);
    }
}
