import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import { refused } from "../world.js";

export async function keys(world, check) {
    const { client, made } = world;
    const { NotFoundError, ValidationError } = world.library.AgentMail;

    await check("auth.me and organizations.get say who calls", async () => {
        const me = await client.auth.me();
        assert.equal(me.scopeType, "organization");
        assert.equal(me.scopeId, me.organizationId);
        assert.ok(me.apiKeyId);
        const organization = await client.organizations.get();
        assert.equal(organization.organizationId, me.organizationId);
        assert.equal(organization.domainCount, 0);
        assert.ok(organization.inboxCount > 0 && organization.createdAt instanceof Date);
    });
    await check("create: the key is shown once, and works", async () => {
        const key = await client.apiKeys.create({ name: world.name("Worker") });
        assert.match(key.apiKey, /^inb_[0-9A-Za-z]{43}$/);
        assert.equal(key.prefix, key.apiKey.slice(0, 12));
        assert.equal(key.name, world.name("Worker"));
        assert.equal(key.permissions, undefined, "nothing is withheld from it");
        assert.equal((await world.clientWith(key.apiKey).auth.me()).apiKeyId, key.apiKeyId);
        made.key = key;
    });
    await check("get and list never show the key itself", async () => {
        const key = await client.apiKeys.get(made.key.apiKeyId);
        assert.equal(key.type, "bearer");
        assert.equal(key.prefix, made.key.prefix);
        assert.ok(!JSON.stringify(key).includes(made.key.apiKey));
        const list = await client.apiKeys.list({ type: "bearer", ascending: true, limit: 100 });
        assert.ok(list.apiKeys.some((listed) => listed.apiKeyId === made.key.apiKeyId));
        const raw = await world.http("GET", "/v0/api-keys?limit=100");
        assert.ok(!raw.text.includes(made.key.apiKey));
        assert.ok(!("limit" in raw.json), "this list has no limit member");
        assert.deepEqual((await client.apiKeys.list({ type: "public_key" })).apiKeys, []);
        await refused(client.apiKeys.get("00000000-0000-7000-8000-000000000000"), NotFoundError, "not_found");
    });
    await check("list in pages", async () => {
        const ids = [];
        for (let pageToken; ;) {
            const page = await client.apiKeys.list({ limit: 1, pageToken });
            ids.push(...page.apiKeys.map((key) => key.apiKeyId));
            pageToken = page.nextPageToken;
            if (!pageToken) break;
        }
        const whole = await client.apiKeys.list({ limit: 100 });
        assert.deepEqual(ids, whole.apiKeys.map((key) => key.apiKeyId));
    });
    await check("a restricted key does what it may, and is told what it lacks", async () => {
        const key = await client.apiKeys.create({ name: "Reader", permissions: { inboxRead: true, apiKeyCreate: true, inboxDelete: false } });
        assert.deepEqual(key.permissions, { inboxRead: true, apiKeyCreate: true });
        made.restricted = key;
        const reader = world.clientWith(key.apiKey);
        assert.ok((await reader.inboxes.list()).count > 0);
        const fault = await refused(reader.inboxes.create({ username: world.name("never") }), 403, "missing_permission");
        assert.equal(fault.body.message, "Forbidden");
        assert.match(fault.body.fix, /inbox_create/);
    });
    await check("a restricted key makes no stronger one", async () => {
        const reader = world.clientWith(made.restricted.apiKey);
        const fault = await refused(reader.apiKeys.create({ permissions: { inboxRead: true, messageSend: true } }), 403, "permission_escalation");
        assert.match(fault.body.fix, /message_send/);
        await refused(reader.apiKeys.create({ permissions: null }), 403, "unrestricted_key_required");
        const child = await reader.apiKeys.create({ name: "Child" });
        assert.deepEqual(child.permissions, { inboxRead: true, apiKeyCreate: true });
        await client.apiKeys.delete(child.apiKeyId);
    });
    await check("update: name and permissions, replaced, cleared, and obeyed at once", async () => {
        const { apiKeyId, apiKey } = await client.apiKeys.create({ name: "Before", permissions: { inboxRead: true, draftRead: true } });
        const changed = await client.apiKeys.update(apiKeyId, { name: "After", permissions: { draftRead: true } });
        assert.deepEqual([changed.type, changed.name, changed.permissions], ["bearer", "After", { draftRead: true }]);
        assert.deepEqual(await client.apiKeys.get(apiKeyId), changed);
        await refused(world.clientWith(apiKey).inboxes.list(), 403, "missing_permission");
        assert.equal((await client.apiKeys.update(apiKeyId, { permissions: null })).permissions, undefined);
        assert.ok((await world.clientWith(apiKey).inboxes.list()).count > 0);
        await refused(client.apiKeys.update(apiKeyId, {}), 400, "validation_error");
        const reader = world.clientWith(made.restricted.apiKey);
        await refused(reader.apiKeys.update(apiKeyId, { name: "No" }), 403, "missing_permission");
        await client.apiKeys.delete(apiKeyId);
        await refused(client.apiKeys.update(apiKeyId, { name: "x" }), NotFoundError, "not_found");
    });
    await check("keys of a pod and of an inbox: made, listed, changed and deleted there, and bound to it", async () => {
        const inbox = await client.inboxes.create({ username: world.name("keyring") });
        const { pods, inboxes } = client;
        for (const { keys, at, scope } of [
            { keys: pods.apiKeys, at: inbox.podId, scope: { podId: inbox.podId, inboxId: undefined } },
            { keys: inboxes.apiKeys, at: inbox.inboxId, scope: { podId: inbox.podId, inboxId: inbox.inboxId } },
        ]) {
            const key = await keys.create(at, { name: "Local", permissions: { inboxRead: true, apiKeyRead: true } });
            assert.match(key.apiKey, /^inb_/);
            assert.deepEqual({ podId: key.podId, inboxId: key.inboxId }, scope);
            const local = world.clientWith(key.apiKey);
            assert.equal((await local.auth.me()).scopeId, at);
            assert.ok((await keys.list(at, { limit: 100 })).apiKeys.some(({ apiKeyId }) => apiKeyId === key.apiKeyId));
            assert.equal((await keys.update(at, key.apiKeyId, { name: "Renamed" })).name, "Renamed");
            await refused(local.apiKeys.get((await client.auth.me()).apiKeyId), NotFoundError, "not_found");
            await refused(keys.delete(at, (await client.auth.me()).apiKeyId), NotFoundError, "not_found");
            await keys.delete(at, key.apiKeyId);
            await refused(local.auth.me(), 401, "unknown_api_key");
        }
        await client.inboxes.delete(inbox.inboxId);
    });
    await check("public keys, registered by plain HTTP: got by alias, told apart, changed, deleted", async () => {
        const { x, y } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
        const jwk = { kty: "EC", crv: "P-256", x, y };
        const alias = world.name("laptop");
        const body = { client_id: alias, public_key: jwk, permissions: { inbox_read: true, provider_connect: true } };
        const registered = await world.http("POST", "/v0/api-keys", { body });
        assert.equal(registered.status, 200, registered.text);
        const thumbprint = createHash("sha256").update(JSON.stringify({ crv: "P-256", kty: "EC", x, y })).digest("base64url");
        assert.deepEqual(registered.json.public_key, { jwk, fingerprint: thumbprint });
        assert.equal(registered.json.name, `Sign-in key ${thumbprint.slice(0, 8)}`);
        const key = await client.apiKeys.get(alias);
        assert.equal(key.type, "public_key");
        assert.equal(key.publicKey.fingerprint, thumbprint);
        assert.equal(key.createdBy.apiKeyId, (await client.auth.me()).apiKeyId);
        assert.deepEqual((await world.http("POST", "/v0/api-keys", { body })).json, registered.json);
        const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
        const conflict = await world.http("POST", "/v0/api-keys", { body: { ...body, public_key: { ...jwk, x: other.x, y: other.y } } });
        assert.deepEqual([conflict.status, conflict.json.code], [409, "idempotency_conflict"]);
        const ids = async (type) => (await client.apiKeys.list({ type, limit: 100 })).apiKeys.map(({ apiKeyId }) => apiKeyId);
        assert.ok((await ids("public_key")).includes(key.apiKeyId));
        assert.ok(!(await ids("bearer")).includes(key.apiKeyId));
        assert.equal((await client.apiKeys.update(alias, { name: "Renamed" })).name, "Renamed");
        const faulty = await world.http("POST", "/v0/api-keys", { body: { public_key: { ...jwk, d: x } } });
        assert.deepEqual([faulty.status, faulty.json.errors?.[0].path], [400, ["public_key", "d"]]);
        await client.apiKeys.delete(alias);
        await refused(client.apiKeys.get(alias), NotFoundError, "not_found");
    });
    await check("an unknown permission is 400 with its path", async () => {
        const answer = await world.http("POST", "/v0/api-keys", { body: { permissions: { inbox_fly: true } } });
        assert.equal(answer.status, 400);
        assert.deepEqual(answer.json.errors[0].path, ["permissions", "inbox_fly"]);
        const later = await world.http("POST", "/v0/api-keys", { body: { permissions: { inbox_read: "yes" } } });
        assert.deepEqual(later.json.errors[0].path, ["permissions", "inbox_read"]);
        await refused(client.apiKeys.create({ name: "" }), ValidationError, "validation_error");
    });
    await check("expires_at, by plain HTTP: kept, shown, and not in the past", async () => {
        const expires = new Date(Date.now() + 3_600_000).toISOString();
        const answer = await world.http("POST", "/v0/api-keys", { body: { name: "Guest", expires_at: expires } });
        assert.deepEqual([answer.status, answer.json.expires_at], [200, expires]);
        assert.deepEqual((await client.apiKeys.get(answer.json.api_key_id)).expiresAt, new Date(expires));
        await client.apiKeys.delete(answer.json.api_key_id);
        const past = await world.http("POST", "/v0/api-keys", { body: { expires_at: "2020-01-01T00:00:00Z" } });
        assert.deepEqual([past.status, past.json.errors?.[0].path], [400, ["expires_at"]]);
    });
    await check("used_at follows the use", async () => {
        const { usedAt } = await client.apiKeys.get((await client.auth.me()).apiKeyId);
        assert.ok(usedAt instanceof Date && Date.now() - usedAt < 600_000);
    });
    await check("a deleted key is dead at once", async () => {
        for (const key of [made.key, made.restricted]) {
            await client.apiKeys.delete(key.apiKeyId);
            await refused(world.clientWith(key.apiKey).auth.me(), 401, "unknown_api_key");
            await refused(client.apiKeys.get(key.apiKeyId), NotFoundError, "not_found");
        }
        await refused(client.apiKeys.delete(made.key.apiKeyId), NotFoundError, "not_found");
    });
}
