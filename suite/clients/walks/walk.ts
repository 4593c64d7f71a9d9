import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { env: Record<string, string> };

const { INBOXD_URL: baseUrl = "", INBOXD_KEY: key = "" } = process.env;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

function step<T>(title: string, answer: { data?: T; error?: unknown }): T {
    if (answer.data === undefined) throw new Error(`${title}: ${JSON.stringify(answer.error)}`);
    console.log(`ok ${title}`);
    return answer.data;
}

function same(found: unknown, wanted: unknown) {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
}

const inbox = step("createInbox", await client.POST("/v0/inboxes", { body: { display_name: "Walk", metadata: { tier: 2 } } }));
const path = { inbox_id: inbox.inbox_id };
same(step("getInbox", await client.GET("/v0/inboxes/{inbox_id}", { params: { path } })).display_name, "Walk");
step("listInboxes", await client.GET("/v0/inboxes", { params: { query: { limit: 5 } } }));
const update: components["schemas"]["UpdateInbox"] = { display_name: null };
same(step("updateInbox", await client.PATCH("/v0/inboxes/{inbox_id}", { params: { path }, body: update })).display_name, undefined);
const sent = step("sendMessage", await client.POST("/v0/inboxes/{inbox_id}/messages/send", {
    params: { path }, body: { to: ["a@example.com", "b@example.com"], labels: ["one", "two"], subject: "S", text: "T" } }));
const message = step("getMessage", await client.GET("/v0/inboxes/{inbox_id}/messages/{message_id}", {
    params: { path: { ...path, message_id: sent.message_id ?? "" } } }));
same(message.to, ["a@example.com", "b@example.com"]);
same(["one", "two"].every((label) => message.labels.includes(label)), true);
step("listMessages", await client.GET("/v0/inboxes/{inbox_id}/messages", { params: { path, query: { labels: ["one", "two"] } } }));
const draft = step("createDraft", await client.POST("/v0/inboxes/{inbox_id}/drafts", {
    params: { path }, body: { to: ["a@example.com"], subject: "D" } }));
step("updateDraft", await client.PATCH("/v0/inboxes/{inbox_id}/drafts/{draft_id}", {
    params: { path: { ...path, draft_id: draft.draft_id } }, body: { cc: ["c@example.com"], subject: null } }));
step("createWebhook", await client.POST("/v0/webhooks", {
    body: { url: "https://shop.example/hook", event_types: ["message.received", "message.sent"] } }));
const made = step("createCalendarEvent", await client.POST("/v0/inboxes/{inbox_id}/calendar/events", { params: { path }, body: {
    title: "Series", start: "2099-10-15T10:00:00", end: "2099-10-15T11:00:00", recurrence: { rule: "FREQ=DAILY;COUNT=3",
        rdates: ["2099-11-01T10:00:00", { start: "2099-11-02T10:00:00", duration: "PT2H" }] } } }));
same(made.event.recurrence?.rdates?.length, 2);
const gone = await client.DELETE("/v0/inboxes/{inbox_id}", { params: { path } });
if (!gone.response.ok) throw new Error(`deleteInbox: ${gone.response.status}`);
console.log("ok deleteInbox");
