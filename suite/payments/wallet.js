import { createHash, randomBytes } from "node:crypto";
import { AgentMailClient } from "agentmail";
import { x402Client } from "@x402/fetch";
import { x402HTTPClient } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { Challenge, Credential, Receipt } from "mppx";
import { Mppx, evm } from "mppx/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

export const decoded = (header) => header === null ? null : JSON.parse(Buffer.from(header, "base64").toString());
export const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64");

/** An account with the public clients that pay by it. */
export class Wallet {
    constructor(urls) {
        this.urls = urls;
        this.account = privateKeyToAccount(generatePrivateKey());
        this.address = this.account.address.toLowerCase();
        this.x402 = new x402Client();
        this.x402.register("eip155:*", new ExactEvmScheme(this.account));
        // The client pays at most 1 USD for a call, unless it is told.
        this.x402.setSpendControls({ maxAmountPerPayment: "$20" });
        this.mppx = Mppx.create({ polyfill: false, methods: [evm({
            account: this.account, authorization: { name: "USDC", version: "2" }, networks: [84532],
        })] });
    }

    /** The public client of the API, with its option for a variant and nothing else. */
    client(variant) {
        const wallet = variant === "x402" ? { x402: this.x402 } : { mppx: this.mppx };
        return new AgentMailClient({ ...wallet, baseUrl: this.urls[variant] });
    }
}

/** Plain HTTP at one variant, step by step, so that each of them can be done wrong. */
export class Payer extends Wallet {
    /** Every payment that was signed, as it is sent. */
    static signed = [];

    constructor(urls, variant) {
        super(urls);
        this.variant = variant;
    }

    async call(method, path, { body, headers = {}, payment, signal } = {}) {
        const paid = payment === undefined ? {} : { [this.variant === "x402" ? "PAYMENT-SIGNATURE" : "Authorization"]: payment };
        const response = await fetch(this.urls[this.variant] + path, {
            method, signal,
            headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers, ...paid },
            body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
        });
        const text = await response.text();
        return { status: response.status, headers: response.headers, text, json: text === "" ? undefined : JSON.parse(text) };
    }

    /** What the service wants for a call: the answer to it without a payment. */
    async wanted(method, path, body) {
        const answer = await this.call(method, path, { body });
        if (answer.status !== 402) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
        return answer;
    }

    /** A payment for what is wanted; `change` may change its members, before or after they are signed. */
    async payment(wanted, { offer, signed } = {}) {
        const payment = await (this.variant === "x402" ? this.#exact(wanted, offer, signed) : this.#charge(wanted, offer, signed));
        Payer.signed.push(payment.replace(/^Payment /, ""));
        return payment;
    }

    async #exact(wanted, offer, signed) {
        const required = decoded(wanted.headers.get("PAYMENT-REQUIRED"));
        offer?.(required.accepts[0]);
        const payment = await this.x402.createPaymentPayload(required);
        signed?.(payment);
        return new x402HTTPClient(this.x402).encodePaymentSignatureHeader(payment)["PAYMENT-SIGNATURE"];
    }

    async #charge(wanted, offer, signed) {
        const challenge = Challenge.fromHeaders(wanted.headers);
        offer?.(challenge);
        const field = await this.mppx.createCredential(new Response("{}", {
            status: 402, headers: { "WWW-Authenticate": Challenge.serialize(challenge) },
        }));
        if (!signed) return field;
        const credential = Credential.deserialize(field);
        signed(credential);
        return Credential.serialize(credential);
    }

    /** The whole way of a client: asks, signs, sends. */
    async paid(method, path, { body, ...more } = {}) {
        const payment = await this.payment(await this.wanted(method, path, body));
        return { payment, ...(await this.call(method, path, { body, payment, ...more })) };
    }

    /** The transaction that an answer tells; null when it tells none. */
    transaction(answer) {
        if (this.variant === "x402") return decoded(answer.headers.get("PAYMENT-RESPONSE"))?.transaction ?? null;
        const receipt = answer.headers.get("Payment-Receipt");
        return receipt === null ? null : Receipt.deserialize(receipt).reference;
    }
}

/** The digest that a challenge has of a body (RFC 9530). */
export const digest = (text) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;

export const word = () => randomBytes(6).toString("hex");
