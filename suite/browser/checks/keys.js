import assert from "node:assert/strict";

export const heading = "key of the page";

const members = (text) => Object.keys(JSON.parse(text)).sort().join();

export const checks = {
    "cannot be exported, leaves the browser nowhere, and ends with the store": async (world) => {
        const inbox = await world.inbox();
        const person = await world.person();
        await person.open((await world.link(inbox)).magic_url);
        await person.sees("will learn");
        const made = person.crypto.filter(({ name }) => name === "generateKey");
        assert.deepEqual(made.map(({ extractable }) => extractable), [false]);
        const [key, ...others] = await person.keys();
        assert.equal(others.length, 0);
        assert.equal(key.inbox_id, inbox);
        assert.equal(key.issuer, world.front.url);
        assert.deepEqual([key.type, key.extractable, key.usages], ["private", false, ["sign"]]);
        assert.deepEqual(key.exports, ["InvalidAccessError", "InvalidAccessError", "InvalidAccessError"]);
        await person.clicks("Share and continue");
        await person.sees(`Signed in as ${inbox}`);

        // All that pages sent, to the last member: none of it can hold a private half.
        const sent = person.requests.filter(({ body }) => body).map(({ url, body }) => [new URL(url).pathname, body]);
        const forms = { "/v0/sign-in/begin": "token", "/v0/sign-in/activate": "api_key_id,proof,public_key",
            "/v0/authorize/approve": "assertion,inbox_id", "/v0/authorize/consent": "consent_token,decision,jti" };
        assert.deepEqual(sent.map(([path]) => path), Object.keys(forms));
        for (const [path, body] of sent) {
            assert.equal(members(body), forms[path], path);
            assert.equal(/"(d|k|p|q|dp|dq|qi)"\s*:/.test(body), false, `${path} sends a private member of a JWK`);
        }
        assert.equal(members(JSON.stringify(JSON.parse(sent[1][1]).public_key)), "crv,kty,x,y");

        await person.open(`${world.front.url}/connect`);
        await person.sees(inbox);
        await person.page.evaluate(() => new Promise((resolve, reject) => {
            const request = indexedDB.deleteDatabase("inboxd-keys");
            request.onsuccess = resolve;
            request.onerror = request.onblocked = reject;
        }));
        await person.open(`${world.app.url}/start`);
        await person.sees("This browser has no key of an inbox");
        await person.leaves();
    },
    "one that was deleted at the server is forgotten, and the page waits": async (world) => {
        const inbox = await world.inbox();
        const person = await world.person();
        const link = await world.link(inbox, world.app, { accept_disclosure: true });
        await person.open(link.magic_url);
        await person.sees(`Signed in as ${inbox}`);
        await world.ok("DELETE", `/v0/api-keys/${link.api_key_id}`);
        await person.open(`${world.app.url}/start`);
        await person.sees("This browser has no key of an inbox");
        assert.deepEqual(await person.keys(), []);
        await person.leaves();
    },
    "no page of another site frames a page, or calls for it": async (world) => {
        const inbox = await world.inbox();
        const person = await world.person();
        const link = await world.link(inbox);
        await person.open(`${world.app.url}/frame?to=${encodeURIComponent(link.magic_url)}`);
        await person.page.waitForNetworkIdle({ idleTime: 300 });
        const frame = person.page.frames().find((each) => each !== person.page.mainFrame());
        assert.ok(frame.url().startsWith("chrome-error:"), frame.url());
        for (const path of ["/v0/sign-in/begin", "/v0/sign-in/activate", "/v0/authorize/activate", "/v0/authorize/consent"]) {
            const answer = await fetch(world.front.url + path, { method: "POST", body: "{}",
                headers: { "Content-Type": "application/json", Origin: world.app.url } });
            assert.equal(answer.status, 403, path);
            assert.equal(answer.headers.get("access-control-allow-origin"), null, path);
        }
        // Nothing of that used the link up.
        await person.open(link.magic_url);
        await person.sees("will learn");
        await person.leaves();
    },
};
