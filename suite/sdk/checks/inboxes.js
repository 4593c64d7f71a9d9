import assert from "node:assert/strict";
import { refused } from "../world.js";

export async function inboxes(world, check) {
    const { client, made, domain } = world;
    const { NotFoundError, ValidationError } = world.library.AgentMail;

    await check("create without a body gives a random address", async () => {
        const inbox = await client.inboxes.create();
        assert.match(inbox.inboxId, /^[a-z]+\d{2,4}@/);
        assert.equal(inbox.inboxId, inbox.email);
        assert.ok(inbox.inboxId.endsWith(`@${domain}`));
        assert.equal(inbox.status, "active");
        assert.ok(inbox.createdAt instanceof Date);
    });
    await check("create with everything", async () => {
        const metadata = { team: "blue", level: 3, open: true };
        const inbox = await client.inboxes.create({
            username: world.name("Support"), domain, displayName: "Support desk", clientId: world.name("client.1~a"), metadata,
        });
        assert.equal(inbox.inboxId, `support-${world.mode}@${domain}`);
        assert.equal(inbox.displayName, "Support desk");
        assert.equal(inbox.clientId, world.name("client.1~a"));
        assert.deepEqual(inbox.metadata, metadata);
        made.inbox = inbox;
    });
    await check("a client_id names one inbox: a repeat returns it, another user name is 409", async () => {
        const clientId = world.name("client.1~a");
        assert.equal((await client.inboxes.create({ clientId })).inboxId, made.inbox.inboxId);
        await refused(client.inboxes.create({ clientId, username: world.name("other") }), 409, "idempotency_conflict");
    });
    await check("a taken or reserved user name is 403 resource_taken", async () => {
        await refused(client.inboxes.create({ username: world.name("support") }), 403, "resource_taken");
        await refused(client.inboxes.create({ username: "postmaster" }), 403, "resource_taken");
    });
    await check("faults of a body are told together, each with its path", async () => {
        const fault = await refused(
            client.inboxes.create({ username: "a b", clientId: "x@y", metadata: { "": "empty" } }), ValidationError, "validation_error");
        const paths = fault.body.errors.map((error) => String(error.path[0])).sort();
        assert.deepEqual(paths, ["client_id", "metadata", "username"]);
    });
    await check("get by address, whatever its case, and by raw @", async () => {
        assert.deepEqual(await client.inboxes.get(made.inbox.inboxId), made.inbox);
        assert.equal((await client.inboxes.get(made.inbox.inboxId.toUpperCase())).inboxId, made.inbox.inboxId);
        const raw = await world.http("GET", `/v0/inboxes/${made.inbox.inboxId}`);
        assert.equal(raw.json.email, made.inbox.email);
        assert.equal(raw.json.status, "active");
    });
    await check("update: metadata is merged, null removes a key, null as a whole removes all", async () => {
        const id = made.inbox.inboxId;
        const merged = await client.inboxes.update(id, { displayName: "Desk", metadata: { team: null, level: 4, city: "Rome" } });
        assert.equal(merged.displayName, "Desk");
        assert.deepEqual(merged.metadata, { level: 4, open: true, city: "Rome" });
        assert.ok(merged.updatedAt >= made.inbox.updatedAt);
        const cleared = await client.inboxes.update(id, { metadata: null });
        assert.equal(cleared.metadata, undefined);
        assert.equal((await client.inboxes.get(id)).metadata, undefined);
    });
    await check("update without anything to do is 400", async () => {
        await refused(client.inboxes.update(made.inbox.inboxId, {}), ValidationError, "validation_error");
        await refused(client.inboxes.update(made.inbox.inboxId, { metadata: {} }), ValidationError, "validation_error");
    });
    await check("pause and resume by plain HTTP; a paused inbox takes no mail and tells nobody", async () => {
        const inbox = await client.inboxes.create({ username: world.name("sleeper") });
        const path = `/v0/inboxes/${encodeURIComponent(inbox.inboxId)}`;
        const paused = await world.http("PATCH", path, { body: { status: "paused" } });
        assert.deepEqual([paused.status, paused.json?.status], [200, "paused"]);
        assert.equal((await client.inboxes.get(inbox.inboxId)).status, "paused");
        const data = (subject) => `Subject: ${subject}\r\nFrom: ann@outside.example\r\n\r\nHello\r\n`;
        assert.match(await world.smtp({ to: inbox.inboxId, data: data("while asleep") }), /^250 /);
        assert.equal((await world.http("PATCH", path, { body: { status: "active" } })).json?.status, "active");
        assert.equal((await world.http("PATCH", path, { body: { status: "active" } })).status, 200, "again is no fault");
        assert.equal((await world.http("PATCH", path, { body: { status: "dozing" } })).status, 400);
        assert.match(await world.smtp({ to: inbox.inboxId, data: data("awake") }), /^250 /);
        const messages = await world.messages(inbox.inboxId);
        assert.deepEqual(messages.map((message) => message.subject), ["awake"]);
    });
    await check("list: newest first or oldest first, in pages that meet", async () => {
        const whole = await client.inboxes.list({ limit: 500 });
        assert.equal(whole.nextPageToken, undefined);
        assert.ok(whole.inboxes.some((inbox) => inbox.inboxId === made.inbox.inboxId));
        const newestFirst = whole.inboxes.map((inbox) => inbox.inboxId);
        assert.deepEqual(await walk(client, { limit: 2 }), newestFirst);
        assert.deepEqual(await walk(client, { limit: 2, ascending: true }), newestFirst.toReversed());
    });
    await check("list: a damaged page token or limit is 400", async () => {
        const fault = await refused(client.inboxes.list({ pageToken: "nonsense" }), 400, "validation_error");
        assert.deepEqual(fault.body.errors[0].path, ["page_token"]);
        const { nextPageToken } = await client.inboxes.list({ limit: 1 });
        assert.ok(nextPageToken);
        await refused(client.inboxes.list({ limit: 1, ascending: true, pageToken: nextPageToken }), 400, "validation_error");
        await refused(client.inboxes.list({ limit: 0 }), 400, "validation_error");
        assert.equal((await client.inboxes.list({ limit: 100_000 })).limit, 500);
    });
    await check("delete: gone at once, and free to be made again", async () => {
        const inbox = await client.inboxes.create({ username: world.name("short-lived") });
        await client.inboxes.delete(inbox.inboxId);
        await refused(client.inboxes.get(inbox.inboxId), NotFoundError, "not_found");
        await refused(client.inboxes.delete(inbox.inboxId), NotFoundError, "not_found");
        assert.match(await world.smtp({ to: inbox.inboxId, data: "Subject: late\r\n\r\n" }), /^550 /);
        assert.equal((await client.inboxes.create({ username: world.name("short-lived") })).inboxId, inbox.inboxId);
        await client.inboxes.delete(inbox.inboxId);
    });
}

/** The ids of all inboxes, page after page. */
async function walk(client, request) {
    const ids = [];
    let pageToken;
    do {
        const page = await client.inboxes.list({ ...request, pageToken });
        ids.push(...page.inboxes.map((inbox) => inbox.inboxId));
        pageToken = page.nextPageToken;
    } while (pageToken);
    return ids;
}
