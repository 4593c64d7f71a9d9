import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";

const self = { name: "inboxd-suite", version: "1" };

/** What a client keeps of its sign-in, as its programmer writes it; the browser of the person is `asked`. */
class Keeper {
    redirectUrl = "http://127.0.0.1:49152/callback";
    clientMetadata = { client_name: "Suite", redirect_uris: [this.redirectUrl], grant_types: ["authorization_code"],
        response_types: ["code"], token_endpoint_auth_method: "none" };

    state() { return this.made ??= crypto.randomUUID(); }
    clientInformation() { return this.client; }
    saveClientInformation(client) { this.client = client; }
    tokens() { return this.given; }
    saveTokens(tokens) { this.given = tokens; }
    saveDiscoveryState(found) { this.found = found; }
    discoveryState() { return this.found; }
    redirectToAuthorization(url) { this.asked = url; }
    saveCodeVerifier(verifier) { this.verifier = verifier; }
    codeVerifier() { return this.verifier; }
}

const field = (page, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)[1];

/** The cookie of the browser in which the person opened the console by its address. */
async function cookie(server) {
    const opened = await fetch(server.console, { redirect: "manual" });
    return opened.headers.get("set-cookie").split(";")[0];
}

/** The person at the page of consent, by the forms that a browser sends. */
async function consents(url, answer, cookie) {
    const opened = await fetch(url, { headers: { cookie } });
    assert.equal(opened.status, 200);
    const page = await opened.text();
    assert.match(page, /<b>Suite \(unverified\)<\/b> wants to access/);
    const sent = await fetch(url, { method: "POST", redirect: "manual", headers: { cookie },
        body: new URLSearchParams({ token: field(page, "token"), do: answer, access: "read", inbox: "" }) });
    assert.equal(sent.status, 303, await sent.text());
    return new URL(sent.headers.get("location")).searchParams;
}

const kinds = [
    ["sdk 1, OAuth", OldHttp, () => new OldClient(self, { capabilities: {} }),
        (transport, answer) => transport.finishAuth(answer.get("code"))],
    ["client 2, OAuth", NewHttp, () => new NewClient(self, { versionNegotiation: { mode: "auto" } }),
        (transport, answer) => transport.finishAuth(answer)],
];

/** Clients that know nothing but the address are let in by a person, and use the tools. */
export const consenting = kinds.map(([name, Transport, make, finish]) => ({
    name,
    async check(server) {
        const keeper = new Keeper();
        const transport = () => new Transport(new URL("/mcp", server.url), { authProvider: keeper });
        const first = transport();
        await assert.rejects(make().connect(first));
        assert.ok(keeper.asked, "the client found no way to sign in");
        assert.equal((await fetch(keeper.asked)).status, 401, "a page of consent opens to anybody on the machine");
        const browser = await cookie(server);
        assert.equal((await consents(keeper.asked, "deny", browser)).get("error"), "access_denied");
        const answer = await consents(keeper.asked, "allow", browser);
        assert.equal(answer.get("state"), keeper.made);
        assert.equal(answer.get("iss"), new URL("/console", server.url).href);
        await finish(first, answer);
        assert.equal(keeper.given.expires_in, 2592000);
        const client = make();
        await client.connect(transport());
        const names = (await client.listTools()).tools.map((tool) => tool.name);
        assert.ok(names.includes("list_organizations") && names.includes("list_messages"));
        assert.ok(!names.includes("send_message"), "only reading was allowed");
        const { organizations } = (await client.callTool({ name: "list_organizations", arguments: {} })).structuredContent;
        assert.equal(organizations.length, 1);
        const chosen = (await client.callTool({ name: "select_organization",
            arguments: { organization: organizations[0].name } })).structuredContent;
        assert.equal(chosen.organizationId, organizations[0].id);
        await client.close();
    },
}));
