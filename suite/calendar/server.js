import { Server } from "../sdk/server.js";

/** A started server, and calendars in it that are filled and read over HTTP. */
export class CalendarServer extends Server {
    constructor() {
        super({ apps: [] });
    }

    async api(method, path, body) {
        const answer = await fetch(`${this.url}${path}`, {
            method,
            headers: { Authorization: `Bearer ${this.key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
            body: body ? JSON.stringify(body) : undefined,
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
        return text ? JSON.parse(text) : undefined;
    }

    /** A new inbox, whose calendar has a link. */
    async calendar() {
        const { inbox_id } = await this.api("POST", "/v0/inboxes", {});
        const path = `/v0/inboxes/${inbox_id}/calendar`;
        const { url } = await this.api("POST", `${path}/feed`);
        return { path, url };
    }

    /** Makes the event of a case with its edits. */
    async make({ path }, { name, zone, start, end, all_day, rule, exdates, rdates, edits = [] }) {
        const recurrence = rule ? { rule, ...(exdates ? { exdates } : {}), ...(rdates ? { rdates } : {}) } : undefined;
        const { event } = await this.api("POST", `${path}/events`, { title: name, timezone: zone, start, end, all_day, recurrence });
        for (const edit of edits) {
            const id = event.event_id + (edit.slot ? `_${edit.slot}` : "") + (edit.mode ? `?mode=${edit.mode}` : "");
            await this.api(edit.patch ? "PATCH" : "DELETE", `${path}/events/${id}`, edit.patch);
        }
        return event;
    }

    /** The dates of an event in a window, as the server says them, in order. */
    async dates({ path }, event, from, until) {
        const dates = [];
        if (event.kind === "single") return [await this.api("GET", `${path}/events/${event.event_id}`)];
        for (let after = from; after < until; ) {
            const before = new Date(Math.min(after.getTime() + 366 * 86_400_000, until.getTime()));
            const window = `after=${after.toISOString()}&before=${before.toISOString()}&include_overlapping=false&limit=100`;
            let token = "";
            do {
                const page = await this.api("GET", `${path}/events/${event.event_id}/instances?${window}${token}`);
                dates.push(...page.events);
                token = page.next_page_token ? `&page_token=${encodeURIComponent(page.next_page_token)}` : undefined;
            } while (token);
            after = before;
        }
        return dates;
    }

    async feed({ url }) {
        const answer = await fetch(url);
        const type = answer.headers.get("content-type");
        if (answer.status !== 200 || type !== "text/calendar; charset=utf-8") throw new Error(`the feed: ${answer.status} ${type}`);
        return answer.text();
    }
}
