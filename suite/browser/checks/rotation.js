import assert from "node:assert/strict";
import * as oidc from "openid-client";
import { eventually } from "../../sdk/report.js";
import { Program } from "../program.js";

export const heading = "rotation";

const kid = (token) => JSON.parse(Buffer.from(token.split(".")[0], "base64url")).kid;

/** Time passes for the keys, and the task that makes new ones runs, as it does at each start and each hour. */
const later = async (world, hours) => {
    await world.cluster.sql(`update oidc_key set signs_from = signs_from - interval '${hours} hours'`);
    await world.one.stop();
    await world.one.start();
};

const published = async (world) => (await (await fetch(`${world.front.url}/v0/jwks.json`)).json()).keys.map((key) => key.kid);

/** A client that read the keys so many seconds ago, and counts how often it reads them. */
const client = async (world, jwks, age) => {
    const { app } = world;
    const reads = [];
    await app.discover(world.front.url);
    app.config[oidc.customFetch] = (url, options) => {
        if (new URL(url).pathname === "/v0/jwks.json") reads.push(url);
        return fetch(url, options);
    };
    oidc.setJwksCache(app.config, { jwks, uat: Math.floor(Date.now() / 1000) - age });
    return reads;
};

export const checks = {
    "a client with the keys of before reads them again, and one with those of the day before need not": async (world) => {
        world.front.node = world.one;
        const holder = await Program.register(world, await world.inbox());
        const first = await holder.signIn(world.app);
        const { jwks: old } = oidc.getJwksCache(world.app.config);
        await later(world, 89 * 24 + 1);
        await eventually("the next keys are published", async () => (await published(world)).length === 4);
        const announced = await (await fetch(`${world.front.url}/v0/jwks.json`)).json();
        assert.equal(kid((await holder.signIn(world.app)).idToken), kid(first.idToken), "they sign a day too early");
        await later(world, 24);

        // Kept between one and five minutes: the unknown kid alone makes it read again.
        const reads = await client(world, old, 120);
        const next = await holder.signIn(world.app);
        assert.notEqual(kid(next.idToken), kid(first.idToken));
        assert.equal(old.keys.some((key) => key.kid === kid(next.idToken)), false);
        assert.equal(reads.length, 1);
        assert.equal(next.claims.email, holder.inbox);

        const none = await client(world, announced, 120);
        assert.equal((await holder.signIn(world.app)).claims.email, holder.inbox);
        assert.equal(none.length, 0);
        await world.app.discover(world.front.url);
    },
};
