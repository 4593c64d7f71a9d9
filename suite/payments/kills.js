import assert from "node:assert/strict";
import { word } from "./wallet.js";

const count = process.env.TEST_EVERYTHING ? 1000 : 5;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits for something, for at most 30 seconds. */
const until = async (isSo) => {
    for (const end = Date.now() + 30_000; !isSo() && Date.now() < end;) await sleep(50);
};
const chosen = (items) => items[Math.floor(Math.random() * items.length)];

/** The service is killed again and again while payers create and send: each payment ends, and has its one effect. */
export async function kills({ urls, ledger, facilitator, server }, check) {
    const payers = [];
    let isRunning = true;
    let ended = 0;

    /** The answer to a call that is sent until there is one: what a client does whose connection broke. */
    async function answer(call) {
        for (;;) {
            try {
                const answer = await call();
                if (![409, 429, 503].includes(answer.status)) return answer;
            } catch (fault) {
                if (!(fault instanceof TypeError)) throw fault; // fetch failed
            }
            await sleep(200);
        }
    }

    async function pays(payer) {
        while (isRunning) {
            const isInbox = Math.random() < 0.2;
            const path = isInbox ? "/v0/inboxes" : `/v0/inboxes/${encodeURIComponent(payer.inbox)}/messages/send`;
            const body = isInbox ? { display_name: word() } : { to: payer.inbox, subject: word(), text: "Paid for." };
            const wanted = await answer(() => payer.call("POST", path, { body }));
            assert.equal(wanted.status, 402, wanted.text);
            const payment = await payer.payment(wanted);
            const send = () => payer.call("POST", path, { body, payment });
            if (Math.random() < 0.2) {
                await send().catch(() => {}); // a caller that never asks again
                continue;
            }
            const paid = await answer(send);
            assert.equal(paid.status, 200, paid.text);
            ended++;
        }
    }

    await check(`${count} kills while two payers at each variant create and send`, async () => {
        for (const variant of ["x402", "mpp", "x402", "mpp"]) payers.push(await ledger.settled(urls, variant));
        const paying = Promise.all(payers.map(pays));
        paying.catch(() => {}); // told below
        try {
            for (let kill = 0; kill < count; kill++) {
                facilitator.fail("settle", chosen(["cut", "drop", "slow", "pending"]), { ms: 500 });
                const asked = facilitator.asked.settle;
                await Promise.race([until(() => facilitator.asked.settle > asked), paying]);
                await Promise.race([sleep(Math.random() * 700), paying]);
                await server.restart();
            }
            await Promise.race([until(() => ended > count), paying]);
        } finally {
            isRunning = false;
        }
        await paying;
        assert.ok(ended > count, `${ended} calls were paid`);
    }, count * 30 + 120);
}
