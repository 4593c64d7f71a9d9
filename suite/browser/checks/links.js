import assert from "node:assert/strict";

export const heading = "link";

export const checks = {
    "typed in: page, what the app learns, yes, and the app has the identity": async (world) => {
        const inbox = await world.inbox();
        const person = await world.person();
        const link = await world.link(inbox);
        await person.open(link.magic_url);
        await person.sees("will learn");
        const text = await person.sees("The address of this inbox");
        assert.ok(text.includes("Example CRM") && text.includes(inbox), text);
        const action = await person.action();
        assert.equal(action.script && JSON.parse(action.script).type, "disclosure_required");
        assert.deepEqual(JSON.parse(action.meta), JSON.parse(action.script));
        await person.looks("disclosure");
        await person.clicks("Share and continue");
        await person.sees(`Signed in as ${inbox}`);
        const { claims, userinfo } = world.app.signIns.at(-1);
        assert.equal(userinfo.email, inbox);
        assert.equal(userinfo.sub, claims.sub);
        assert.equal(claims.name, "An agent");
        assert.equal(claims.iss, world.front.url);

        // The second visit asks nothing: the key is there, and what the app learns was agreed to.
        const mark = world.front.exchanges.length;
        await person.open(`${world.app.url}/start`);
        await person.sees(`Signed in as ${inbox}`);
        assert.equal(world.app.signIns.at(-1).claims.sub, claims.sub);
        assert.equal(world.front.since(mark, "/v0/authorize/consent").length, 0);
        await person.leaves();
    },
    "from another site: names app and inbox and asks before it enrols": async (world) => {
        const inbox = await world.inbox();
        const person = await world.person();
        const link = await world.link(inbox);
        const mark = world.front.exchanges.length;
        await person.open(`${world.app.url}/mail?to=${encodeURIComponent(link.magic_url)}`);
        await person.clicks("Sign in");
        await person.sees(`Sign in as ${inbox}`);
        assert.ok((await person.sees("opened from another page")).includes("Example CRM"));
        await person.looks("connect-asks");
        await person.page.waitForNetworkIdle({ idleTime: 300 });
        assert.equal(world.front.since(mark, "/v0/sign-in").length, 0, "it enrols before the click");
        assert.deepEqual(await person.keys(), []);
        await person.clicks("Sign in as");
        await person.sees("will learn");
        assert.equal((await person.keys()).length, 1);
        await person.leaves();
    },
    "in a browser that holds a key of another inbox: asks, though it was typed in": async (world) => {
        const [first, second] = [await world.inbox(), await world.inbox()];
        const person = await world.person();
        await person.open((await world.link(first)).magic_url);
        await person.sees("will learn");
        const mark = world.front.exchanges.length;
        await person.open((await world.link(second)).magic_url);
        await person.sees(`Sign in as ${second}`);
        assert.equal(world.front.since(mark, "/v0/sign-in").length, 0);
        await person.clicks("Sign in as");
        await person.sees("will learn");
        // Two keys and no hint: the page asks which.
        await person.open(`${world.app.url}/start`);
        assert.ok((await person.sees("Which inbox signs in?")).includes(first));
        await person.looks("choice");
        await person.clicks(first);
        assert.ok((await person.sees("will learn")).includes(first));
        await person.leaves();
    },
    "a prefetch by HEAD and GET uses nothing up": async (world) => {
        const inbox = await world.inbox();
        const { magic_url: url } = await world.link(inbox);
        for (const method of ["HEAD", "GET", "HEAD", "GET"]) {
            const answer = await fetch(url, { method, headers: { "Sec-Purpose": "prefetch", Accept: "text/html" } });
            assert.equal(answer.status, 200, method);
        }
        const person = await world.person();
        await person.open(url);
        await person.sees("will learn");
        await person.leaves();
    },
    "used, over, withdrawn and unknown: a page that says so": async (world) => {
        const inbox = await world.inbox();
        const person = await world.person();
        const [used, over, withdrawn] = [await world.link(inbox), await world.link(inbox), await world.link(inbox)];
        await person.open(used.magic_url);
        await person.sees("will learn");
        await world.cluster.sql(`update connect_link set expires_at = expires_at - interval '5 minutes' where api_key_id = '${over.api_key_id}'`);
        await world.ok("DELETE", `/v0/api-keys/${withdrawn.api_key_id}`);
        for (const url of [used.magic_url, over.magic_url, withdrawn.magic_url, `${world.front.url}/connect/${"A".repeat(43)}`]) {
            const answer = await person.open(url);
            assert.equal(answer.status(), 404, url);
            await person.sees("This link does not work");
        }
        await person.looks("link-gone");
        await person.leaves();
    },
    "the page of keys lists one, and ends it": async (world) => {
        const inbox = await world.inbox();
        const person = await world.person();
        await person.open((await world.link(inbox, world.app, { accept_disclosure: true })).magic_url);
        await person.sees(`Signed in as ${inbox}`);
        await person.open(`${world.front.url}/connect`);
        await person.sees(inbox);
        await person.looks("keys");
        await person.clicks("Remove");
        await person.sees("No keys.");
        await person.looks("keys-none");
        assert.deepEqual(await person.keys(), []);
        await person.open(`${world.app.url}/start`);
        await person.sees("This browser has no key of an inbox");
        await person.leaves();
    },
};
