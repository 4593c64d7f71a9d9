import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../../inboxd", import.meta.url));
const self = { name: "inboxd-suite", version: "1" };

// The clients hold results against the schemas that are listed with this parameter.
const address = (url) => new URL("/mcp?output_schemas=true", url);

const http = (Transport) => ({ url, key }, headers) =>
    new Transport(address(url), { requestInit: { headers: headers ?? { Authorization: `Bearer ${key}` } } });

const stdio = (Transport) => ({ url, key }) => new Transport({
    command: launcher, args: ["mcp"], stderr: "inherit", env: { ...process.env, INBOXD_URL: address(url).href, INBOXD_KEY: key },
});

/** A client of the program that is started without a key. */
export async function keyless({ url }) {
    const client = new OldClient(self, { capabilities: {} });
    await client.connect(new OldStdio({ command: launcher, args: ["mcp"], stderr: "inherit",
        env: { ...process.env, INBOXD_URL: url, INBOXD_KEY: "" } }));
    return client;
}

/** A client with a key, which is shown what is usual for it. */
export async function keyed({ url }, key) {
    const client = new OldClient(self, { capabilities: {} });
    await client.connect(new OldHttp(new URL("/mcp", url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
    return client;
}

/** One client in one way of speaking. */
class Judge {
    constructor(name, revision, make, transport, call) {
        Object.assign(this, { name, revision, make, transport, call });
    }

    /** A connected client; `headers` replace the key, over HTTP. */
    async connect(server, headers) {
        const client = this.make();
        await client.connect(this.transport(server, headers));
        return client;
    }
}

const old = () => new OldClient(self, { capabilities: {} });
const fresh = (mode) => () => new NewClient(self, { versionNegotiation: { mode } });
const callOld = (client, tool, options) => client.callTool(tool, undefined, options);
const callNew = (client, tool, options) => client.callTool(tool, options);
const newest = "2026-07-28";

export const judges = [
    new Judge("sdk 1", "2025-11-25", old, http(OldHttp), callOld),
    new Judge("client 2, as before", "2025-11-25", fresh("legacy"), http(NewHttp), callNew),
    new Judge("client 2", newest, fresh({ pin: newest }), http(NewHttp), callNew),
    new Judge("client 2, finding out", newest, fresh("auto"), http(NewHttp), callNew),
    new Judge("sdk 1, stdio", "2025-11-25", old, stdio(OldStdio), callOld),
    new Judge("client 2, stdio", newest, fresh({ pin: newest }), stdio(NewStdio), callNew),
];
