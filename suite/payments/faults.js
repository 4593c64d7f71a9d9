import assert from "node:assert/strict";
import { Challenge, Credential } from "mppx";
import { decoded, digest, encoded, word } from "./wallet.js";

const now = () => Math.floor(Date.now() / 1000);

/** Payments that are none, over plain HTTP: each is refused with its word, and costs nothing. */
export async function faults({ urls, variant, ledger, facilitator }, check) {
    const payer = await ledger.settled(urls, variant);
    const isX402 = variant === "x402";
    const inboxes = "/v0/inboxes";
    let paid = 1;
    const nothingPaid = () => assert.equal(ledger.paid(payer).all, paid);
    /** The answer is 402 with a fresh challenge, and with the reason, or with the problem type of the other variant. */
    const refused = (answer, reason, type, status = 402) => {
        assert.equal(answer.status, status, answer.text);
        assert.equal(answer.headers.get("Cache-Control"), "no-store");
        if (isX402) {
            assert.equal(answer.json.code, "payment_required");
            assert.equal(answer.json.reason, reason);
            assert.equal(decoded(answer.headers.get("PAYMENT-REQUIRED")).x402Version, 2);
        } else {
            assert.equal(answer.json.type, `https://paymentauth.org/problems/${type}`);
            assert.match(answer.headers.get("Content-Type"), /^application\/problem\+json/);
            if (status === 402) {
                assert.equal(Challenge.fromHeaders(answer.headers).id, answer.json.challengeId);
            }
        }
        nothingPaid();
    };
    const signedWith = async (change, more) => {
        const wanted = await payer.wanted("POST", inboxes, {});
        return payer.call("POST", inboxes, { body: {}, payment: await payer.payment(wanted, { ...more, signed: change }) });
    };

    await check("without a payment: 402, the price, and nothing that could be kept by a cache", async () => {
        const wanted = await payer.wanted("POST", inboxes, {});
        assert.equal(wanted.json.code, "payment_required");
        assert.equal(wanted.json.name, "PaymentRequiredError");
        assert.equal(wanted.json.price, "2.00");
        assert.equal(wanted.headers.get("Cache-Control"), "no-store");
        if (isX402) {
            const { resource, accepts } = decoded(wanted.headers.get("PAYMENT-REQUIRED"));
            assert.equal(resource.url, urls.x402 + inboxes);
            assert.deepEqual(wanted.json.accepts, accepts);
        } else {
            const challenge = Challenge.fromHeaders(wanted.headers);
            assert.equal(challenge.realm, new URL(urls.mpp).hostname);
            assert.equal(challenge.digest, digest("{}"));
            assert.ok(challenge.opaque);
            assert.equal(wanted.json.status, 402);
            assert.equal(Challenge.fromHeaders((await payer.wanted("GET", inboxes)).headers).digest, undefined);
        }
    });
    await check("the settled answer names the transaction, and is no cache's", async () => {
        const made = await payer.paid("POST", inboxes, { body: {} });
        paid++;
        assert.equal(made.status, 200, made.text);
        assert.match(payer.transaction(made), /^0x[0-9a-f]{64}$/);
        assert.equal(made.headers.get("Cache-Control"), "no-store, private");
        nothingPaid();
    });
    await check("the same payment for the same request: the first answer", async () => {
        const body = { display_name: word() };
        const first = await payer.paid("POST", inboxes, { body });
        paid++;
        const asked = facilitator.askedOf(payer.address);
        const second = await payer.call("POST", inboxes, { body, payment: first.payment });
        assert.deepEqual([second.status, second.text], [200, first.text]);
        assert.equal(payer.transaction(second), payer.transaction(first));
        assert.deepEqual(facilitator.askedOf(payer.address), asked);
        refused(await payer.call("POST", inboxes, { body: { display_name: word() }, payment: first.payment }),
            "payment_already_used", "invalid-challenge");
    });
    await check("one payment on twenty connections: one effect", async () => {
        const body = { display_name: word() };
        const payment = await payer.payment(await payer.wanted("POST", inboxes, body));
        const answers = await Promise.all(Array.from({ length: 20 }, () => payer.call("POST", inboxes, { body, payment })));
        paid++;
        const made = answers.filter(({ status }) => status === 200).map(({ text }) => text);
        assert.ok(made.length > 0 && new Set(made).size === 1);
        assert.ok(answers.every(({ status }) => [200, 409].includes(status)), answers.map(({ status }) => status).join());
        nothingPaid();
    });
    await check("a proof is for one call", async () => {
        const first = await payer.paid("GET", inboxes);
        assert.equal(first.status, 200);
        // A receipt of a proof refers to its challenge: no transaction was made.
        if (isX402) assert.equal(first.headers.get("PAYMENT-RESPONSE"), null);
        else assert.equal(payer.transaction(first), Credential.deserialize(first.payment).challenge.id);
        refused(await payer.call("GET", inboxes, { payment: first.payment }), "payment_already_used", "invalid-challenge");
    });
    await check("a payment for a cheap call does not pay a dear one", async () => {
        const payment = await payer.payment(await payer.wanted("GET", inboxes));
        refused(await payer.call("POST", inboxes, { body: {}, payment }), "no_matching_offer", "payment-insufficient");
    });
    await check("a price of one's own", async () => refused(await signedWith(undefined, { offer: (offer) => {
        if (isX402) offer.amount = "1";
        else offer.request.amount = "1";
    } }), "no_matching_offer", "invalid-challenge"));
    await check("a receiver of one's own", async () => refused(await signedWith(undefined, { offer: (offer) => {
        if (isX402) offer.payTo = payer.account.address;
        else offer.request.recipient = payer.account.address;
    } }), "no_matching_offer", "invalid-challenge"));
    await check("another network", async () => refused(await signedWith((signed) => {
        if (isX402) signed.accepted.network = "eip155:8453";
        else signed.source = signed.source.replace(":84532:", ":8453:");
    }), "no_matching_offer", "verification-failed"));
    await check("another amount in what was signed", async () => refused(await signedWith((signed) => {
        (isX402 ? signed.payload.authorization : signed.payload).value = "1";
    }), "invalid_exact_evm_payload_authorization_value_mismatch", "verification-failed"));
    await check("expired", async () => refused(await signedWith((signed) => {
        (isX402 ? signed.payload.authorization : signed.payload).validBefore = String(now() + 4);
    }), "invalid_exact_evm_payload_authorization_valid_before", "verification-failed"));
    await check("not yet valid", async () => refused(await signedWith((signed) => {
        (isX402 ? signed.payload.authorization : signed.payload).validAfter = String(now() + 60);
    }), "invalid_exact_evm_payload_authorization_valid_after", "verification-failed"));
    await check("another's account", async () => refused(await signedWith((signed) => {
        (isX402 ? signed.payload.authorization : signed.payload).from = "0x1111111111111111111111111111111111111111";
        if (!isX402) signed.source = undefined;
    }), "invalid_exact_evm_payload_signature", "verification-failed"));
    await check("a signature that is none", async () => refused(await signedWith((signed) => {
        signed.payload.signature = `0x${"11".repeat(64)}1b`;
    }), "invalid_exact_evm_payload_signature", "verification-failed"));
    if (isX402) {
        await check("another resource", async () => refused(await signedWith((signed) => {
            signed.resource.url = `${urls.x402}/v0/pods`;
        }), "resource_mismatch"));
        await check("what cannot be read is 400, with its path", async () => {
            for (const payment of ["!", "e30=", encoded({ x402Version: 1 }), encoded([]), "A".repeat(16_500)]) {
                const answer = await payer.call("POST", inboxes, { body: {}, payment });
                if (payment.length > 16_000 && answer.status === 431) continue;
                assert.equal(answer.status, 400, answer.text);
                assert.deepEqual(answer.json.errors[0].path, ["headers", "payment-signature"]);
            }
            nothingPaid();
        });
    } else {
        await check("what cannot be read is malformed", async () => {
            for (const text of ["!", "e30", "W10", Buffer.from("{").toString("base64url")]) {
                refused(await payer.call("POST", inboxes, { body: {}, payment: `Payment ${text}` }), undefined, "malformed-credential");
            }
        });
        await check("a challenge of nobody's", async () => {
            const field = await payer.payment(await payer.wanted("POST", inboxes, {}));
            const credential = Credential.deserialize(field);
            credential.challenge = { ...credential.challenge, expires: "2099-01-01T00:00:00Z" };
            refused(await payer.call("POST", inboxes, { body: {}, payment: Credential.serialize(credential) }),
                undefined, "invalid-challenge");
        });
        await check("a challenge for another body", async () => {
            const payment = await payer.payment(await payer.wanted("POST", inboxes, {}));
            refused(await payer.call("POST", inboxes, { body: { username: word() }, payment }), undefined, "invalid-challenge");
        });
        await check("a nonce of another challenge", async () => {
            const other = Credential.deserialize(await payer.payment(await payer.wanted("POST", inboxes, {})));
            refused(await signedWith((signed) => Object.assign(signed.payload, other.payload)), undefined, "verification-failed");
        });
    }
    await check("a payment for a request that is refused pays the mended one", async () => {
        if (!isX402) return; // the challenge of the other variant is for one body
        const payment = await payer.payment(await payer.wanted("POST", inboxes, {}));
        const wrong = await payer.call("POST", inboxes, { body: { username: "a b" }, payment });
        assert.equal(wrong.status, 400, wrong.text);
        nothingPaid();
        const mended = await payer.call("POST", inboxes, { body: { username: word() }, payment });
        assert.equal(mended.status, 200, mended.text);
        paid++;
        nothingPaid();
    });
    await check("a key beside the payment, or alone", async () => {
        const payment = await payer.payment(await payer.wanted("POST", inboxes, {}));
        for (const headers of [{ "x-api-key": "inb_x" }, ...(isX402 ? [{ Authorization: "Bearer inb_x" }] : [])]) {
            for (const with_ of [payment, undefined]) {
                const answer = await payer.call("POST", inboxes, { body: {}, headers, payment: with_ });
                assert.deepEqual([answer.status, answer.json.code], [401, "invalid_token_type"]);
                assert.equal(answer.headers.get("WWW-Authenticate"), null);
            }
        }
        nothingPaid();
    });
    await check("what is not there is 404, before any 402", async () => {
        for (const [method, path] of [["POST", "/v0/agent/sign-up"], ["GET", "/v0/nothing"], ["GET", "/console"], ["GET", "/.well-known/x"]]) {
            const answer = await payer.call(method, path, { body: method === "POST" ? {} : undefined });
            assert.equal(answer.status, 404, `${path}: ${answer.text}`);
        }
    });
    await check("a socket that is asked for over HTTP wants a proof, which it leaves", async () => {
        const wanted = await payer.wanted("GET", "/v0");
        const payment = await payer.payment(wanted);
        for (let i = 0; i < 2; i++) {
            const answer = await payer.call("GET", "/v0", { payment });
            assert.equal(answer.status, 426, answer.text);
        }
        if (isX402) assert.equal(decoded(wanted.headers.get("PAYMENT-REQUIRED")).accepts[0].maxTimeoutSeconds, 3600);
    });
}
