import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { within } from "../sdk/report.js";
import { result } from "./errands.js";
import { typescript } from "./place.js";
import { install } from "./toolkit.js";

const text = await readFile(new URL("../../docs/guides/point-a-client.md", import.meta.url), "utf8");
const launcher = fileURLToPath(new URL("../../inboxd", import.meta.url));

/** The blocks of code in a language. */
const code = (language) => [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language).map(([, , block]) => block);

/** The guide "Point X at inboxd": each sample runs as it stands, and makes an inbox. */
export async function guide(place, report) {
    const { INBOXD_TEST_PYTHON_CLIENT: python, INBOXD_TEST_GO_CLIENT: go, INBOXD_TEST_TOOLKIT: toolkit } = process.env;
    const samples = [
        { language: "sh", name: "curl.sh", command: ["sh"] },
        { language: "js", name: "client.mjs", command: [process.execPath] },
        { language: "python", name: "client.py", command: python && ["python3"], env: { PYTHONPATH: python } },
        { language: "go", name: "client.go", command: go && [go] },
        { language: "ts", name: "toolkit.ts", command: toolkit && typescript },
    ];
    await install(place);
    for (const { language, name, command, env } of samples) {
        assert.equal(code(language).length, 1, `the guide has one sample in ${language}`);
        if (!command) {
            console.log(`not tried: the sample in ${language}, because what it points is not there`);
            continue;
        }
        const file = await place.file(name, code(language)[0]);
        await report.check(`the sample in ${language} makes an inbox`, async () => {
            const program = place.program([...command, file], { env });
            assert.equal(await within(50, program.ended, "end of it"), 0, program.output);
            const [inbox] = new RegExp(`[\\w.-]+@${place.server.domain}`).exec(program.output) ?? assert.fail(program.output);
            assert.equal((await place.call("GET", `/v0/inboxes/${inbox}`)).inbox_id, inbox);
        });
    }
    await configurations(place, report);
}

/** The configurations of programs that speak MCP, with this server's address and a key where they have samples of both. */
async function configurations(place, report) {
    const old = await local(place);
    for (const block of code("json")) {
        const filled = JSON.parse(block.replaceAll("https://mail.example", place.server.url).replaceAll("inb_…", place.server.key));
        const [[name, server]] = Object.entries(filled.mcpServers);
        const title = `the configuration of ${name} by ${server.url ? "address" : server.command}`;
        if (server.command === "npx" && !old) {
            console.log(`not tried: ${title}, because no folder of INBOXD_TEST_MCP takes an address`);
            continue;
        }
        const transport = server.url
            ? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } })
            : new StdioClientTransport({
                ...(server.command === "npx" ? old : { command: launcher, args: server.args }),
                env: { PATH: process.env.PATH, HOME: process.env.HOME, ...(process.env.JAVA_HOME && { JAVA_HOME: process.env.JAVA_HOME }), ...server.env } });
        await report.check(`${title} makes an inbox`, async () => {
            const client = new Client({ name: "inboxd-suite", version: "1" });
            await client.connect(transport);
            const made = result(await client.callTool({ name: "create_inbox", arguments: {} }));
            const { inboxId } = made.inbox ?? made;
            assert.equal((await place.call("GET", `/v0/inboxes/${inboxId}`)).inbox_id, inboxId);
            await client.close();
        });
    }
}

/** How the form of agentmail-mcp is started that takes an address, if it is there. */
async function local(place) {
    for (const folder of (process.env.INBOXD_TEST_MCP ?? "").split(":").filter(Boolean)) {
        if ((await readFile(join(folder, "src/index.ts"), "utf8")).includes("AGENTMAIL_BASE_URL")) {
            const copy = await place.copy(folder);
            const [command, ...loader] = typescript;
            return { command, args: [...loader, join(copy, "src/index.ts")], cwd: copy };
        }
    }
    return undefined;
}
