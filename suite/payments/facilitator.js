import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { keccak256, toHex, verifyTypedData } from "viem";

const types = { TransferWithAuthorization: [
    { name: "from", type: "address" }, { name: "to", type: "address" }, { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" }, { name: "validBefore", type: "uint256" }, { name: "nonce", type: "bytes32" },
] };
const same = (a, b) => String(a).toLowerCase() === String(b).toLowerCase();

/**
 * A facilitator of x402 that talks to no chain: it checks signatures of EIP-3009 offline and keeps a ledger in memory, in
 * which every nonce is executed at most once. It can be told to fail, by `fail` or by HTTP:
 *
 *   POST /control   {"call": "verify" | "settle", "fault": …, "times": 1, "payer"?, "reason"?, "ms"?}
 *   GET /ledger     what was executed, and how often was asked
 *   DELETE /ledger  forgets all of it
 *
 * | fault   | verify and settle answer | it is executed |
 * | refuse  | no, with the reason | no |
 * | hang    | nothing, until `release` (DELETE /control) | when it was asked |
 * | lose    | nothing, as hang | no |
 * | cut     | the connection ends in place of an answer | yes |
 * | drop    | the same | no |
 * | pending | `settlement_pending` | yes |
 * | slow    | yes, after `ms` | yes |
 * | used    | the nonce is used | no |
 * | broken  | 500 and a page of HTML | yes |
 * | queue   | 202 without a body | yes |
 * | key     | 401 | no |
 */
export class Facilitator {
    ledger = new Map();
    asked = { verify: 0, settle: 0, supported: 0 };
    #payers = new Map();
    #faults = [];
    #open = new Set();
    #waiting = new Set();

    constructor(networks = ["eip155:84532"]) {
        this.networks = networks;
    }

    async start(port = 0) {
        this.server = createServer((request, response) => this.#answer(request, response).catch((fault) => {
            response.writeHead(500).end(String(fault));
        }));
        this.server.on("connection", (socket) => {
            this.#open.add(socket);
            socket.once("close", () => this.#open.delete(socket));
        });
        await new Promise((resolve) => this.server.listen(port, "127.0.0.1", resolve));
        this.port = this.server.address().port;
        this.url = `http://127.0.0.1:${this.port}`;
    }

    /** Ends it, and every connection. Started again at the same port it has its ledger still. */
    async stop() {
        this.#open.forEach((socket) => socket.destroy());
        await new Promise((resolve) => this.server.close(resolve));
    }

    /** The next calls of this kind fail in this way; of one payer alone, where one is named. */
    fail(call, fault, { times = 1, payer, reason, ms } = {}) {
        this.#faults.push({ call, fault, times, payer, reason, ms });
    }

    /** Nothing fails any more; who hangs gets the answer. */
    release() {
        this.#faults = [];
        this.#waiting.forEach((resolve) => resolve());
        this.#waiting.clear();
    }

    /** How often was asked about a payer. */
    askedOf(payer) {
        return { verify: 0, settle: 0, ...this.#payers.get(payer.toLowerCase()) };
    }

    /** What was executed for a payer. */
    of(payer) {
        return [...this.ledger.values()].filter((entry) => same(entry.from, payer));
    }

    async #answer(request, response) {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        const json = (status, value) => {
            response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
        };
        const call = `${request.method} ${new URL(request.url, "http://x").pathname}`;
        switch (call) {
            case "GET /supported":
                this.asked.supported++;
                return json(200, { kinds: this.networks.map((network) => ({ x402Version: 2, scheme: "exact", network })),
                    extensions: [], signers: {} });
            case "GET /ledger":
                return json(200, { asked: this.asked, entries: [...this.ledger.values()] });
            case "DELETE /ledger":
                this.ledger.clear();
                return json(200, {});
            case "POST /control": {
                const { call: of, fault, ...more } = JSON.parse(text);
                this.fail(of, fault, more);
                return json(200, {});
            }
            case "DELETE /control":
                this.release();
                return json(200, {});
            case "POST /verify":
            case "POST /settle":
                return this.#judge(call.endsWith("verify") ? "verify" : "settle", JSON.parse(text), request, response, json);
            default:
                return json(404, { error: "no such path" });
        }
    }

    async #judge(call, { x402Version, paymentPayload, paymentRequirements }, request, response, json) {
        this.asked[call]++;
        const authorization = paymentPayload.payload.authorization;
        const payer = authorization?.from;
        const asked = this.askedOf(String(payer));
        asked[call]++;
        this.#payers.set(String(payer).toLowerCase(), asked);
        const fault = this.#fault(call, payer);
        const no = (reason) => call === "verify" ? { isValid: false, invalidReason: reason, invalidMessage: `<b>${reason}</b>`, payer }
            : { success: false, errorReason: reason, errorMessage: `<b>${reason}</b>`, transaction: "",
                network: paymentRequirements.network, payer };
        const reason = x402Version === 2 ? await invalid(paymentPayload, paymentRequirements, this.networks) : "invalid_x402_version";
        const kept = this.#key(paymentRequirements, authorization);
        const isUsed = reason === undefined && this.ledger.has(kept);
        let answer = no(reason ?? "invalid_exact_evm_nonce_already_used");
        if (["refuse", "used", "key", "lose", "drop"].includes(fault?.fault)) {
            answer = no(fault.fault === "used" ? "invalid_exact_evm_nonce_already_used" : fault.reason ?? "insufficient_funds");
        } else if (reason === undefined && !isUsed) {
            answer = call === "verify" ? { isValid: true, payer } : this.#execute(kept, paymentRequirements, authorization);
        }
        switch (fault?.fault) {
            case "hang":
            case "lose":
                await new Promise((resolve) => {
                    this.#waiting.add(resolve);
                    response.once("close", resolve);
                });
                return response.writableEnded || response.destroyed ? undefined : json(200, answer);
            case "cut":
            case "drop":
                return request.socket.destroy();
            case "pending":
                return json(200, no("settlement_pending"));
            case "slow":
                await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 1000));
                return json(200, answer);
            case "broken":
                return response.writeHead(500, { "Content-Type": "text/html" }).end("<h1>Internal Server Error</h1>");
            case "queue":
                return response.writeHead(202).end();
            case "key":
                return json(401, { error: "unauthorized" });
            default:
                return json(200, answer);
        }
    }

    #fault(call, payer) {
        const fault = this.#faults.find((each) => each.call === call && (!each.payer || same(each.payer, payer)));
        if (fault && --fault.times <= 0) this.#faults.splice(this.#faults.indexOf(fault), 1);
        return fault;
    }

    #key({ network, asset }, authorization) {
        return [network, asset, authorization?.from, authorization?.nonce].join("|").toLowerCase();
    }

    #execute(key, { network, asset }, { from, to, value, nonce }) {
        const transaction = keccak256(toHex(key));
        this.ledger.set(key, { network, asset, from, to, value, nonce, transaction });
        return { success: true, transaction, network, payer: from };
    }
}

/** Why a payment is none, or undefined: the checks of a facilitator that need no chain. */
async function invalid({ payload, accepted }, requirements, networks) {
    const { authorization, signature } = payload;
    if (!authorization) return "unsupported_payload_type";
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const { network, asset, amount, payTo, extra } = requirements;
    const now = Math.floor(Date.now() / 1000);
    if (!networks.includes(network) || accepted.network !== network) return "invalid_network";
    if (requirements.scheme !== "exact") return "unsupported_scheme";
    if (!same(to, payTo)) return "invalid_exact_evm_payload_recipient_mismatch";
    if (value !== amount) return "invalid_exact_evm_payload_authorization_value_mismatch";
    if (Number(validAfter) > now) return "invalid_exact_evm_payload_authorization_valid_after";
    if (Number(validBefore) <= now) return "invalid_exact_evm_payload_authorization_valid_before";
    const isSigned = await verifyTypedData({
        address: from, signature, types, primaryType: "TransferWithAuthorization",
        domain: { name: extra.name, version: extra.version, chainId: Number(network.split(":")[1]), verifyingContract: asset },
        message: { from, to, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore), nonce },
    }).catch(() => false);
    return isSigned ? undefined : "invalid_exact_evm_payload_signature";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    const facilitator = new Facilitator((process.env.NETWORKS ?? "eip155:84532").split(","));
    await facilitator.start(Number(process.argv[2] ?? 0));
    console.log(facilitator.url);
}
