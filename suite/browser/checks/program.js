import assert from "node:assert/strict";
import { Program } from "../program.js";

export const heading = "without a browser";

/** Everything that can end, each in its own stage: an open link, an approved page, a code, an access token. */
const stages = async (world) => {
    const inbox = await world.inbox();
    // A key that may do all that the caller may, and can be deleted.
    const bearer = await world.ok("POST", "/v0/api-keys", { name: "bearer",
        permissions: { inbox_read: true, provider_connect: true, provider_share_owner: true } });
    const program = await Program.enrol(world, inbox, await world.link(inbox, world.app, {}, bearer.api_key));
    const token = (await program.signIn(world.app)).accessToken;
    const code = await program.code(world.app);
    const page = await program.arrive(await world.app.begin());
    assert.equal((await program.approve(page.action.transaction_jti)).status, 204);
    const link = await world.link(inbox, world.app, {}, bearer.api_key);
    const { accounts } = await world.ok("GET", `/v0/inboxes/${inbox}/accounts`);
    return { inbox, bearer, program, token, code, page, link, account: accounts[0].account_id };
};

const userinfo = async (world, token) => (await world.call("GET", "/v0/userinfo", undefined, token)).status;

const linkOpens = async (world, link) => {
    const page = await world.call("GET", new URL(link.magic_url).pathname, undefined, null);
    const begun = await world.call("POST", "/v0/sign-in/begin", { token: link.magic_url.split("/").pop() }, null);
    return [page.status, begun.status];
};

const redeemed = (world, code) => world.app.end(code).then(() => "tokens", (error) => error.error ?? String(error));

/** How the app hears of a page that was approved before. */
const heard = async (program, page) => {
    const back = await program.proceed(page);
    return new URL(back.headers.get("location") ?? `none:?error=${back.status}`).searchParams.get("error") ?? "code";
};

const ended = async (world, end) => {
    const it = await stages(world);
    assert.equal(await userinfo(world, it.token), 200);
    await end(it);
    // The very next request, at the node that did not do it.
    world.front.node = world.two;
    try {
        assert.equal(await userinfo(world, it.token), 401, "userinfo");
        assert.equal(await redeemed(world, it.code), "invalid_grant", "code");
        assert.equal(await heard(it.program, it.page), "access_denied", "approved page");
    } finally {
        world.front.node = world.one;
    }
    return it;
};

export const checks = {
    "a sign-in key that is deleted ends page, code and token at once": async (world) => {
        world.front.node = world.one;
        await ended(world, ({ program }) => world.ok("DELETE", `/v0/api-keys/${program.id}`));
    },
    "an inbox that is deleted ends link, page, code and token at once": async (world) => {
        const { link } = await ended(world, ({ inbox }) => world.ok("DELETE", `/v0/inboxes/${inbox}`));
        assert.deepEqual(await linkOpens(world, link), [404, 404]);
    },
    "an inbox that is paused ends link, page, code and token at once": async (world) => {
        const { link } = await ended(world, ({ inbox }) => world.ok("PATCH", `/v0/inboxes/${inbox}`, { status: "paused" }));
        assert.deepEqual(await linkOpens(world, link), [404, 404]);
    },
    "an account that is disabled ends link, page, code and token at once": async (world) => {
        const { link } = await ended(world, ({ account }) => world.ok("PATCH", `/v0/accounts/${account}`, { status: "disabled" }));
        assert.deepEqual(await linkOpens(world, link), [404, 404]);
    },
    "a bearer that is deleted ends its links at once; a key that is active lives on": async (world) => {
        const { bearer, link, token } = await stages(world);
        await world.ok("DELETE", `/v0/api-keys/${bearer.api_key_id}`);
        world.front.node = world.two;
        assert.deepEqual(await linkOpens(world, link), [404, 404]);
        assert.equal(await userinfo(world, token), 200);
        world.front.node = world.one;
    },
    "a link whose key is deleted does not open": async (world) => {
        const { link } = await stages(world);
        await world.ok("DELETE", `/v0/api-keys/${link.api_key_id}`);
        assert.deepEqual(await linkOpens(world, link), [404, 404]);
    },
    "the owner's address is told by a key that may share it, and by no other": async (world) => {
        const human = `ann-${crypto.randomUUID()}@human.test`;
        const { api_key: key, inbox_id: inbox } = await world.ok("POST", "/v0/agent/sign-up",
            { human_email: human, username: `owned${Date.now()}` }, null);
        await world.ok("POST", "/v0/agent/verify", { otp_code: await otp(world, human) }, key);
        const { api_key: quiet } = await world.ok("POST", "/v0/api-keys",
            { permissions: { inbox_read: true, provider_connect: true, api_key_create: true } }, key);
        for (const [bearer, tells] of [[key, true], [quiet, false]]) {
            const link = await world.link(inbox, world.curious, {}, bearer);
            for (const program of [await Program.enrol(world, inbox, link), await Program.register(world, inbox, bearer)]) {
                const { claims, userinfo: told, scope } = await program.signIn(world.curious);
                assert.equal(told.owner_email, tells ? human : undefined);
                assert.equal(scope.includes("owner_email"), tells);
                assert.equal(JSON.stringify(claims).includes(human), false, "the ID token names the owner");
                assert.equal(JSON.stringify(told).includes(human), tells);
            }
        }
    },
};

/** The code that the server mails to a human; a server in development shows such mail. */
async function otp(world, human) {
    for (let tries = 0; tries < 100; tries++) {
        for (const node of [world.one, world.two]) {
            const shown = await (await fetch(`${node.url}/sandbox/messages`)).text();
            const message = shown.slice(shown.indexOf(human));
            const code = shown.includes(human) && /\b\d{6}\b/.exec(message);
            if (code) return code[0];
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("no code was mailed");
}
