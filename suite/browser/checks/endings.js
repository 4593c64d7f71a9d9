import assert from "node:assert/strict";

export const heading = "ending";

const enrolled = async (world, inbox) => {
    const person = await world.person();
    await person.open((await world.link(inbox, world.app, { accept_disclosure: true })).magic_url);
    await person.sees(`Signed in as ${inbox}`);
    return person;
};

export const checks = {
    "denied: the app hears access_denied": async (world) => {
        const person = await world.person();
        await person.open((await world.link(await world.inbox())).magic_url);
        await person.sees("will learn");
        await person.clicks("Cancel");
        await person.sees("Not signed in: access_denied");
        await person.leaves();
    },
    "paused: the page says so, and goes on nowhere": async (world) => {
        const inbox = await world.inbox();
        const person = await enrolled(world, inbox);
        await world.ok("PATCH", `/v0/inboxes/${inbox}`, { status: "paused" });
        const before = world.app.signIns.length;
        await person.open(`${world.app.url}/start`);
        await person.sees("The inbox is paused");
        await person.looks("paused");
        assert.equal(world.app.signIns.length, before);
        await person.leaves();
    },
    "an account that was disabled: the page says so": async (world) => {
        const inbox = await world.inbox();
        const person = await enrolled(world, inbox);
        const { accounts } = await world.ok("GET", `/v0/inboxes/${inbox}/accounts`);
        await world.ok("PATCH", `/v0/accounts/${accounts[0].account_id}`, { status: "disabled" });
        await person.open(`${world.app.url}/start`);
        await person.sees("disabled");
        await person.looks("disabled");
        await person.leaves();
    },
    "another browser: a page that says where to go on": async (world) => {
        const [here, there] = [await world.person(), await world.person()];
        await here.open(`${world.app.url}/start`);
        await here.sees("This browser has no key");
        const { continue_url } = JSON.parse((await here.action()).script);
        const answer = await there.open(continue_url);
        assert.equal(answer.status(), 401);
        await there.sees("begun in another browser");
        await there.looks("another-browser");
        // In the browser where it began, it is too early.
        assert.equal((await here.open(continue_url)).status(), 409);
        await here.sees("not approved yet");
        await here.looks("not-approved");
        await Promise.all([here.leaves(), there.leaves()]);
    },
    "over after ten minutes: a page that says so": async (world) => {
        const person = await world.person();
        await person.open(`${world.app.url}/start`);
        await person.sees("This browser has no key");
        const { continue_url, transaction_jti } = JSON.parse((await person.action()).script);
        await world.cluster.sql(`update oidc_transaction set expires_at = expires_at - interval '10 minutes' where jti = '${transaction_jti}'`);
        // The waiting page notices by itself.
        await person.sees("ten minutes have passed");
        await person.looks("waiting-over");
        assert.equal((await person.open(continue_url)).status(), 404);
        await person.sees("ten minutes have passed");
        await person.leaves();
    },
    "a redirect_uri of somebody else: a page, and no way there": async (world) => {
        const person = await world.person();
        const url = await world.app.begin({ redirect_uri: "https://evil.example/callback" });
        const answer = await person.open(url.href);
        assert.equal(answer.status(), 400);
        assert.equal(answer.headers().location, undefined);
        await person.sees("invalid request");
        await person.looks("invalid-request");
        await person.leaves();
    },
};
