import assert from "node:assert/strict";
import { Payer } from "./wallet.js";

export const prices = { inbox: "2000000", domain: "10000000", small: "10000" };

/** The payers of the suite. What the facilitator executed for each of them is what each of them has. */
export class Ledger {
    payers = [];

    constructor(facilitator) {
        this.facilitator = facilitator;
    }

    payer(urls, variant) {
        const payer = Object.assign(new Payer(urls, variant), { gone: 0, buysMore: false });
        this.payers.push(payer);
        return payer;
    }

    /** A payer that has an inbox already. */
    async settled(urls, variant) {
        const payer = this.payer(urls, variant);
        const made = await payer.paid("POST", "/v0/inboxes", { body: {} });
        assert.equal(made.status, 200, made.text);
        payer.inbox = made.json.inbox_id;
        return payer;
    }

    /** What was executed for a payer, in order. */
    amounts(payer) {
        return this.facilitator.of(payer.address).map(({ value }) => value);
    }

    /** How many of each price were executed for a payer. */
    paid(payer) {
        const values = this.amounts(payer);
        return { inboxes: values.filter((value) => value === prices.inbox).length,
            sent: values.filter((value) => value === prices.small).length, all: values.length };
    }

    /** All items of a list, each page for a proof. */
    async list(payer, path, member) {
        const items = [];
        for (let page = "";;) {
            const { status, json, text } = await payer.paid("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100${page}`);
            if (status === 404 && items.length === 0) return items;
            assert.equal(status, 200, text);
            items.push(...json[member]);
            if (!json.next_page_token) return items;
            page = `&page_token=${encodeURIComponent(json.next_page_token)}`;
        }
    }

    async effects(payer) {
        const inboxes = await this.list(payer, "/v0/inboxes", "inboxes");
        let sent = 0;
        for (const { inbox_id: inbox } of inboxes) {
            sent += (await this.list(payer, `/v0/inboxes/${encodeURIComponent(inbox)}/messages?labels=sent`, "messages")).length;
        }
        return { inboxes: inboxes.length, sent: sent + (payer.buysMore ? await this.#more(payer) : 0) };
    }

    /** What costs as much as a mail, with what was paid for and is gone. */
    async #more(payer) {
        const pods = (await this.list(payer, "/v0/pods", "pods")).length - 1; // one came with the organization
        const counts = await Promise.all([["/v0/webhooks", "webhooks"], ["/v0/drafts", "drafts"],
            ["/v0/lists/send/block", "entries"]].map(async ([path, member]) => (await this.list(payer, path, member)).length));
        return counts.reduce((sum, count) => sum + count, pods + payer.gone);
    }

    /** Waits until every payment of a payer has an outcome: the service asks again after 2, 5, 15 and 60 seconds. */
    async ended(payer) {
        for (let attempt = 0;; attempt++) {
            const payments = await this.list(payer, "/v0/payments", "payments");
            const open = payments.filter(({ status }) => status === "pending");
            if (open.length === 0) return payments;
            assert.ok(attempt < 120, `${open.length} payments have no outcome`);
            await new Promise((resolve) => setTimeout(resolve, 1000));
        }
    }

    async compare() {
        for (const payer of this.payers) {
            const payments = await this.ended(payer);
            const { all, ...paid } = this.paid(payer);
            assert.deepEqual(await this.effects(payer), paid, payer.address);
            const domains = payer.buysMore ? (await this.list(payer, "/v0/domains", "domains")).length : 0;
            assert.equal(all, paid.inboxes + paid.sent + domains, `${payer.address} paid for something else`);
            const settled = payments.filter(({ status }) => status === "settled");
            assert.equal(settled.length, all);
            assert.ok(settled.every((payment) => payment.payer === `eip155:84532:${payer.address}`));
            assert.ok(payments.every(({ status }) => ["settled", "refused"].includes(status)));
        }
    }
}
