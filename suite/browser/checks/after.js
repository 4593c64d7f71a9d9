import assert from "node:assert/strict";
import { Person } from "../chromium.js";

export const heading = "afterwards";

/** Members of JSON whose value lets somebody in. */
const named = new Set(["magic_url", "auth_token", "consent_token", "access_token", "id_token", "challenge", "token", "code",
    "code_verifier", "client_secret", "api_key", "assertion", "proof", "otp_code"]);

/** Every secret that passed: what it is, and its text. */
const secrets = (world) => {
    const found = new Map(world.apps.map((app) => [app.secret, "client_secret"]));
    const add = (name, value) => {
        if (typeof value !== "string" || value.length < 16) return;
        const secret = name === "magic_url" ? value.split("/").pop() : value;
        if (!found.has(secret)) found.set(secret, name);
    };
    const walk = (name, value) => {
        if (value && typeof value === "object") Object.entries(value).forEach(([key, each]) => walk(key, each));
        else if (named.has(name)) add(name, value);
    };
    for (const { sent, body, headers, answer } of world.front.exchanges) {
        for (const text of [body, answer]) if (text?.startsWith("{")) walk("", JSON.parse(text));
        for (const [name, value] of new URLSearchParams(sent["content-type"]?.includes("form") ? body : "")) if (named.has(name)) add(name, value);
        for (const cookie of headers?.["set-cookie"] ?? []) add("cookie", /=([^;]*)/.exec(cookie)[1]);
        if (headers?.location) add("code", new URL(headers.location, world.front.url).searchParams.get("code"));
        if (sent.authorization) add("authorization", sent.authorization.split(" ")[1]);
        for (const [, token] of (answer ?? "").matchAll(/(?:auth_token|consent_token)(?:&quot;|&#34;|")\s*:\s*(?:&quot;|&#34;|")([\w-]{16,})/g)) add("token", token);
    }
    // The first key is shown once, when the first node is ready.
    found.delete(world.one.firstKey);
    return found;
};

export const checks = {
    "no page had an error, or asked another origin": async (world) => {
        const own = new URL(world.front.url).origin;
        for (const { errors, requests } of world.chromium.people) {
            // While a node is away, and only then, the browser says that it does not answer.
            assert.deepEqual(errors.filter((error) => !/net::ERR_(EMPTY_RESPONSE|CONNECTION_\w+)/.test(error)), []);
            const asked = requests.filter(({ from }) => from.startsWith(own)).map(({ url }) => url);
            assert.deepEqual(asked.filter((url) => !url.startsWith(`${own}/`) && !url.startsWith("data:")), []);
        }
        assert.ok(world.chromium.people.some(({ requests }) => requests.some(({ from }) => from.startsWith(own))));
    },
    "no page exported a private key, or made one that can be": async (world) => {
        const used = world.chromium.people.flatMap((person) => person.crypto);
        assert.ok(used.length > 0);
        assert.deepEqual(used.filter(({ name, extractable }) => name === "generateKey" && extractable !== false), []);
        assert.deepEqual(used.filter(({ name }) => !["generateKey", "exportKey"].includes(name)), []);
        assert.deepEqual(used.filter(({ name, type }) => name === "exportKey" && type !== "public"), []);
    },
    "pages fit in 320 and 1280 pixels, and axe finds nothing in either scheme": async () => {
        assert.deepEqual(Person.findings, []);
        assert.ok(Person.looked.size >= 15, `only ${[...Person.looked]} were looked at`);
    },
    "pages have the policy, and no app hears where a browser came from": async (world) => {
        const pages = world.front.exchanges.filter(({ headers }) => headers?.["content-type"]?.startsWith("text/html"));
        assert.ok(pages.length > 20);
        for (const { path, headers } of pages.filter((each) => !each.path.startsWith("/sandbox"))) {
            assert.ok(headers["content-security-policy"].startsWith("default-src 'none'; script-src 'self';"), path);
            assert.equal(headers["content-security-policy"].includes("unsafe"), false, path);
            // Without a referrer of their own origin, browsers send the forms of the console with the origin null.
            const referrer = path.startsWith("/console") ? "same-origin" : "no-referrer";
            assert.equal(headers["referrer-policy"], referrer, path);
            assert.equal(headers["x-frame-options"], "DENY", path);
        }
        const referers = world.apps.flatMap((app) => app.requests).map(({ headers }) => headers.referer ?? "");
        assert.deepEqual(referers.filter((referer) => referer.startsWith(world.front.url)), []);
    },
    "every answer that holds a secret is no-store": async (world) => {
        const all = secrets(world);
        let holding = 0;
        for (const { method, path, headers, answer } of world.front.exchanges) {
            const text = `${JSON.stringify(headers ?? {})}${answer ?? ""}`;
            const names = [...all].filter(([secret]) => text.includes(secret)).map(([, name]) => name);
            if (names.length > 0) {
                holding++;
                assert.match(headers["cache-control"] ?? "", /no-store/, `${method} ${path.split("?")[0]} has ${names}`);
            }
        }
        assert.ok(holding > 50, `only ${holding} answers hold a secret`);
    },
    "neither logs nor metrics have a secret": async (world) => {
        const all = secrets(world);
        let texts = "";
        for (const node of [world.one, world.two]) {
            const metrics = await (await fetch(`http://127.0.0.1:${node.adminPort}/metrics`)).text();
            assert.match(metrics, /inboxd_/);
            texts += node.output + metrics;
        }
        assert.match(texts, /route=\/connect\/\{token\}/);
        const told = [...all].filter(([secret]) => texts.includes(secret) || texts.includes(encodeURIComponent(secret)));
        assert.deepEqual(told.map(([, name]) => name), []);
        const kinds = new Set(all.values());
        for (const kind of ["magic_url", "cookie", "code", "access_token", "id_token", "assertion", "client_secret", "code_verifier", "auth_token"]) {
            assert.ok(kinds.has(kind), `no ${kind} was seen: ${[...kinds]}`);
        }
    },
};
