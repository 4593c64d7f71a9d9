import assert from "node:assert/strict";
import { Payer } from "./wallet.js";

/** The log has requests and payments, and none of them in a form by which it could be made again. */
export async function untold(log) {
    assert.match(log, /info payment .*outcome=settled/);
    assert.ok(Payer.signed.length > 100);
    const signatures = Payer.signed.map(signatureOf).filter((signature) => signature !== undefined);
    assert.ok(signatures.length > 100);
    for (const text of [...Payer.signed, ...signatures]) assert.ok(!log.includes(text), "a payment is in the log");
    assert.doesNotMatch(log, /payment-signature=|authorization=payment|eyJ4NDAy/i);
}

function signatureOf(payment) {
    return JSON.parse(Buffer.from(payment, "base64").toString()).payload.signature;
}
