import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { errands, result } from "./errands.js";
import { typescript } from "./place.js";
import { install } from "./toolkit.js";

/**
 * agentmail-mcp over standard input and output, in each of the given forms: one that takes AGENTMAIL_BASE_URL, and one
 * whose address is fixed, for which the front stands at that address.
 */
export async function bridges(place, report) {
    await install(place);
    for (const folder of process.env.INBOXD_TEST_MCP.split(":")) {
        const copy = await place.copy(folder);
        const { version } = JSON.parse(await readFile(join(copy, "package.json"), "utf8"));
        report.heading = `agentmail-mcp ${version}`;
        const client = new Client({ name: "inboxd-suite", version: "1" });
        const [command, ...loader] = typescript;
        const names = new URL("names.mjs", import.meta.url).href;
        const transport = new StdioClientTransport({
            command, args: [...loader, "--import", names, join(copy, "src/index.ts")], cwd: copy, stderr: "pipe",
            env: { PATH: process.env.PATH, AGENTMAIL_API_KEY: place.server.key, AGENTMAIL_BASE_URL: place.server.url, ...place.front.settings },
        });
        let said = "";
        transport.stderr?.on("data", (text) => {
            said += text;
        });
        let listed = [];
        await report.check("starts and lists its tools", async () => {
            await client.connect(transport).catch((fault) => assert.fail(`${fault.message} ${said}`));
            listed = (await client.listTools()).tools.map((tool) => tool.name);
            assert.ok(listed.length >= 20, listed.join(" "));
        });
        const call = async (name, args) => result(await client.callTool({ name, arguments: args }));
        for (const [title, check] of errands(call, place)) await report.check(title, check);
        await client.close();
    }
}
