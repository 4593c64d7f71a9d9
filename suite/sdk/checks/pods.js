import assert from "node:assert/strict";
import { refused } from "../world.js";

export async function pods(world, check) {
    const { client, made } = world;
    const { NotFoundError, ValidationError } = world.library.AgentMail;
    const nobody = "00000000-0000-7000-8000-000000000000";

    await check("create, and create again with the same client_id", async () => {
        const pod = await client.pods.create({ name: world.name("Sales"), clientId: world.name("sales") });
        assert.equal(pod.name, world.name("Sales"));
        assert.equal(pod.clientId, world.name("sales"));
        assert.ok(pod.createdAt instanceof Date);
        assert.deepEqual(await client.pods.create({ name: world.name("Sales"), clientId: world.name("sales") }), pod);
        made.pod = pod;
        const unnamed = await client.pods.create({});
        assert.match(unnamed.name, /^Pod [0-9a-f]{8}$/);
        await client.pods.delete(unnamed.podId);
    });
    await check("get and list, page by page", async () => {
        assert.deepEqual(await client.pods.get(made.pod.podId), made.pod);
        await refused(client.pods.get(nobody), NotFoundError, "not_found");
        const first = await client.pods.list({ limit: 1 });
        assert.deepEqual([first.count, first.limit, first.pods[0].podId], [1, 1, made.pod.podId]);
        const all = await client.pods.list({ limit: 100, ascending: true });
        assert.equal(all.pods[0].name, "Default Pod");
        assert.equal(all.pods.at(-1).podId, made.pod.podId);
        await refused(client.pods.list({ limit: 0 }), 400, "validation_error");
    });
    await check("plain HTTP: description, inbox_ids, and a change of them", async () => {
        const path = `/v0/pods/${made.pod.podId}`;
        const changed = await world.http("PATCH", path, { body: { description: "Sells" } });
        assert.deepEqual([changed.status, changed.json.description], [200, "Sells"]);
        const { inboxId } = await client.pods.inboxes.create(made.pod.podId, { username: world.name("seller") });
        assert.deepEqual((await world.http("GET", path)).json.inbox_ids, [inboxId]);
        assert.equal((await world.http("PATCH", path, { body: {} })).status, 400);
        made.seller = inboxId;
    });
    await check("a pod that holds something stays", async () => {
        await refused(client.pods.delete(made.pod.podId), 409, "cannot_delete");
        await client.inboxes.delete(made.seller);
        const domain = await client.pods.domains.create(made.pod.podId, { domain: `${world.name("held")}.example` });
        await refused(client.pods.delete(made.pod.podId), 409, "cannot_delete");
        await client.pods.domains.delete(made.pod.podId, domain.domainId);
        await refused(client.pods.create({ name: "" }), ValidationError, "validation_error");
    });
    await check("an empty pod goes, with its keys", async () => {
        await client.pods.delete(made.pod.podId);
        await refused(client.pods.get(made.pod.podId), NotFoundError, "not_found");
        await refused(client.pods.delete(made.pod.podId), NotFoundError, "not_found");
    });
}
