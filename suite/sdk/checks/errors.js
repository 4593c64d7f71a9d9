import assert from "node:assert/strict";
import { refused } from "../world.js";

export async function errors(world, check) {
    const { client } = world;
    const refusal = async (method, path, options, status, code) => {
        const answer = await world.http(method, path, options);
        assert.deepEqual([answer.status, answer.json?.code], [status, code], `${method} ${path}: ${answer.text.slice(0, 300)}`);
        assert.ok(answer.json.name && answer.json.message && answer.json.docs && answer.json.request_id, answer.text);
        return answer;
    };

    await check("a key is needed, in the one form there is", async () => {
        // The right key first: what a connection has seen must not help the wrong ones that follow on it.
        assert.equal((await world.http("GET", "/v0/inboxes")).status, 200);
        for (const Authorization of [undefined, "Bearer", "Bearer ", `bearer ${world.server.key}`, "Basic YTpi", "Bearer a b"]) {
            const answer = await refusal("GET", "/v0/inboxes",
                { key: null, headers: Authorization ? { Authorization } : {} }, 401, "missing_authorization");
            assert.equal(answer.headers.get("www-authenticate"), 'Bearer realm="inboxd"');
        }
        await refused(world.clientWith("inb_unknown").inboxes.list(), 401, "unknown_api_key");
        await refused(world.clientWith(world.server.key.toUpperCase()).inboxes.list(), 401, "unknown_api_key");
    });
    await check("an unknown path, a known one with another method, and an empty segment are 404", async () => {
        await refusal("GET", "/v0/nothing", {}, 404, "not_found");
        await refusal("PUT", "/v0/inboxes", { body: {} }, 404, "not_found");
        await refusal("GET", "/v0/inboxes//messages", {}, 404, "not_found");
        await refusal("GET", "/nothing", { key: null }, 404, "not_found");
    });
    await check("a body that is no JSON object is 400 at the empty path", async () => {
        for (const body of ["{", "[]", '"text"', "12", "nonsense"]) {
            const answer = await refusal("POST", "/v0/inboxes", { body }, 400, "validation_error");
            assert.deepEqual(answer.json.errors.map((error) => error.path), [[]]);
        }
    });
    await check("members and parameters that nobody knows are ignored", async () => {
        const answer = await world.http("POST", "/v0/inboxes?colour=blue", { body: { username: world.name("odd"), colour: "blue" } });
        assert.equal(answer.status, 200);
        await client.inboxes.delete(answer.json.inbox_id);
    });
    await check("text that no database takes is refused or cleaned, never a 500", async () => {
        for (const displayName of ["nul\u0000", "lone \ud800", "line\nbreak"]) {
            const answer = await world.http("POST", "/v0/inboxes", { body: { display_name: displayName } });
            assert.equal(answer.status, 400, answer.text);
        }
    });
    await check("health and metrics answer without a key", async () => {
        assert.equal((await world.http("GET", "/healthz", { key: null })).status, 200);
        const metrics = await world.http("GET", "/metrics", { key: null });
        assert.equal(metrics.status, 200);
        assert.match(metrics.text, /^# (HELP|TYPE) /m);
    });
}
