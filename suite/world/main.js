// Starts a server in an empty folder, runs each script against it, and counts what they say.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "inboxd-world-"));
const app = { id: "019a4c60-0b1c-7d2e-8f30-4a5b6c7d8e9f", callback: "https://app.example/callback" };
let passed = 0;
let failed = 0;

function check(name, good, more = "") {
    console.log(`${good ? "ok" : "FAILED"} ${name} ${good ? "" : more}`.trimEnd());
    if (good) passed++;
    else failed++;
}

/** A server as a newcomer starts it; its address and key are read where a newcomer reads them. */
async function serve() {
    writeFileSync(join(folder, "apps.yaml"), `apps:
  - app_id: ${app.id}
    name: Some App
    redirect_uris: [${app.callback}]
    initiate_login_uri: https://app.example/start
    client_secret: a-secret-of-some-length-for-the-app
    require_pkce: false
`);
    const settings = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("INBOXD_")));
    const server = spawn(fileURLToPath(new URL("../../inboxd", import.meta.url)),
        ["serve", "--data-dir", join(folder, "data"), "--http-port", "0", "--smtp-port", "0", "--submission-port", "0"],
        { env: { ...settings, INBOXD_APPS_FILE: join(folder, "apps.yaml") }, stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: server.stdout });
    let shown = "";
    for await (const line of lines) {
        shown += `${line}\n`;
        if (line.includes("Try:")) break;
    }
    server.stdout.resume();
    const url = /^ +API +(\S+)\/v0$/m.exec(shown)?.[1];
    if (!url) throw new Error(`the server ended:\n${shown}`);
    return { server, url, key: /^ +Key +(\S+)/m.exec(shown)[1] };
}

/** Runs a script and gives what it printed, and its status. */
async function run(command, ...args) {
    const child = spawn(command, args, { cwd: here, stdio: ["ignore", "pipe", "pipe"], env: process.env });
    let text = "";
    child.stdout.on("data", (part) => (text += part));
    child.stderr.on("data", (part) => (text += part));
    const status = await new Promise((resolve) => child.on("close", resolve));
    return { text, status };
}

try {
    const { server, url, key } = await serve();
    Object.assign(process.env, { INBOXD_URL: url, INBOXD_KEY: key, APP_ID: app.id });
    for (const script of ["day.test.js", "rows.test.js"]) {
        const { text, status } = await run(process.execPath, "--test-reporter=tap", "--import", "./timers.js", script);
        const results = [...text.matchAll(/^(not )?ok \d+ - (.*)$/gm)];
        for (const [, not, name] of results) check(`${script}: ${name}`, !not, `\n${text}`);
        check(`${script} ends well, and waits for nothing`, status === 0 && results.length > 0, `\n${text}`);
    }
    const { text, status } = await run("python3", "-B", "timers.py", "day_test.py");
    check("day_test.py ends well, and waits for nothing", status === 0, `\n${text}`);
    server.kill();
    check("the server ends with status 0", (await new Promise((resolve) => server.on("exit", resolve))) === 0);
} catch (error) {
    check("the suite runs", false, error.stack);
} finally {
    rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
