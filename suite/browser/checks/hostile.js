import assert from "node:assert/strict";

export const heading = "hostile text";

// 1,024 characters of UTF-16: quotes, newlines, ends of elements, a header, half of everything.
const piece = `"'\`\r\nX-Broken: 1\r\n\r\n</script><script>window.broken=1</script>"><img src=x onerror=window.broken=1>&amp;%0d%0a\u2028\u2029\t é😀`;
const state = (`${crypto.randomUUID()} ${piece.repeat(20)}`).slice(0, 1022).replace(/[\ud800-\udbff]$/, "") ;
const full = state.padEnd(1024, "\n");

const unbroken = async (person) => {
    assert.equal(await person.page.evaluate(() => window.broken), undefined, "a script of somebody else ran");
    assert.equal(await person.page.evaluate(() => document.querySelectorAll("script").length), 2);
    assert.equal(await person.page.evaluate(() => document.querySelectorAll("img, iframe, meta[http-equiv]").length), 0);
};

export const checks = {
    "a state and nonce of 1,024 characters come back as they were": async (world) => {
        assert.equal(full.length, 1024);
        const inbox = await world.inbox();
        const person = await world.person();
        await person.open((await world.link(inbox, world.hostile)).magic_url);
        await person.sees("will learn");
        await unbroken(person);
        const mark = world.front.exchanges.length;
        world.hostile.next = { state: full, nonce: full, login_hint: `"</script><script>window.broken=1</script>'@x.test` };
        await person.open(`${world.hostile.url}/start`);
        await person.sees("will learn");
        const action = await person.action();
        assert.deepEqual(JSON.parse(action.script), JSON.parse(action.meta));
        assert.equal(JSON.parse(action.script).app.name, world.hostile.name);
        assert.ok((await person.sees(world.hostile.name.slice(0, 20))).includes("onerror"));
        await unbroken(person);
        await person.looks("disclosure-hostile");
        await person.clicks("Share and continue");
        await person.sees(`Signed in as ${inbox}`);
        const told = world.hostile.signIns.at(-1);
        assert.equal(told.state, full);
        assert.equal(told.claims.nonce, full);
        for (const each of world.front.since(mark)) {
            assert.equal(each.headers?.["x-broken"], undefined, each.path);
        }
        await person.leaves();
    },
    "they cannot leave the waiting page's JSON, its meta tag or its headers": async (world) => {
        const person = await world.person();
        const url = await world.hostile.begin({ state: full, nonce: full, login_hint: `"'&lt;</script><b>\u2028"@x.test` });
        const answer = await person.open(url.href);
        await person.sees("This browser has no key");
        assert.equal(answer.headers()["x-broken"], undefined);
        const action = await person.action();
        assert.deepEqual(JSON.parse(action.script), JSON.parse(action.meta));
        await unbroken(person);
        await person.looks("waiting-hostile");
        await person.leaves();
    },
    "an error takes the state back to the app as it was": async (world) => {
        const url = await world.hostile.begin({ state: full, prompt: "none" });
        const answer = await fetch(url, { redirect: "manual" });
        assert.equal(answer.status, 303);
        const back = new URL(answer.headers.get("location"));
        assert.equal(back.origin, world.hostile.url);
        assert.equal(back.searchParams.get("error"), "login_required");
        assert.equal(back.searchParams.get("state"), full);
        assert.equal(answer.headers.get("x-broken"), null);
    },
    "one character more is refused": async (world) => {
        const answer = await fetch(await world.hostile.begin({ state: `${full}x` }), { redirect: "manual" });
        assert.equal(new URL(answer.headers.get("location")).searchParams.get("error"), "invalid_request");
    },
};
