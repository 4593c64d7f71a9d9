import assert from "node:assert/strict";
import { refused } from "../world.js";

/** Apps and accounts; this client calls an app a provider. */
export async function apps(world, check) {
    const { client } = world;
    const { id, slug, name } = world.server.app;

    await check("list, search and get a provider", async () => {
        const list = await client.providers.list();
        assert.deepEqual([list.count, list.limit], [1, 50]);
        const [one] = list.providers;
        assert.deepEqual([one.providerId, one.name], [id, name]);
        assert.ok(one.updatedAt instanceof Date);
        assert.deepEqual((await client.providers.search({ q: name.slice(0, 4).toUpperCase() })).providers, [one]);
        assert.deepEqual(await client.providers.get(id), one);
        assert.deepEqual(await client.providers.get(slug), one);
        await refused(client.providers.get("00000000-0000-7000-8000-000000000000"), 404, "not_found");
    });
    await check("lists of accounts, which nobody has yet", async () => {
        const list = await client.accounts.list();
        assert.deepEqual([list.count, list.limit, list.accounts], [0, 50, []]);
        const ofProvider = await client.providers.listAccounts(id);
        assert.deepEqual([ofProvider.count, ofProvider.provider.providerId], [0, id]);
        await refused(client.accounts.get("00000000-0000-7000-8000-000000000000"), 404, "not_found");
    });
    await check("connect gives a link of one use, authorize tells a waiting browser", async () => {
        const { inboxId } = await client.inboxes.create({});
        const link = await client.providers.connect(id, { inboxId });
        assert.ok(link.magicUrl.startsWith(`${world.server.url}/connect/`));
        assert.ok(link.expiresAt > new Date());
        const [key] = (await client.apiKeys.list()).apiKeys.filter((each) => each.apiKeyId === link.apiKeyId);
        assert.deepEqual([key.type, key.status], ["public_key", "pending"]);
        const query = new URLSearchParams({ client_id: id, redirect_uri: "https://crm.example/callback", scope: "openid",
            response_type: "code", code_challenge: "a".repeat(43), code_challenge_method: "S256", format: "json" });
        const page = await (await fetch(`${world.server.url}/v0/authorize?${query}`)).json();
        const answer = await client.inboxes.authorize(inboxId, { authToken: page.auth_token });
        assert.equal(answer.instructions, "Authorization complete. Return to browser.");
        await refused(client.inboxes.authorize(inboxId, { authToken: "x".repeat(22) }), 404, "not_found");
        // Its pending keys go with it.
        await client.inboxes.delete(inboxId);
    });
}
