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
}
