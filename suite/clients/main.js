import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Report } from "../sdk/report.js";
import { Server } from "../sdk/server.js";
import { generators, walk } from "./generators.js";

const report = new Report();
const server = new Server();
const folder = await mkdtemp(join(tmpdir(), "inboxd-clients-"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => server.stop().finally(() => process.exit(1)));
}

async function description(name, query) {
    const answer = await fetch(`${server.url}/openapi.json${query}`);
    assert.equal(answer.status, 200);
    await writeFile(join(folder, name), await answer.text());
    return join(folder, name);
}

try {
    await server.start();
    const whole = await description("api.json", "");
    const calls = await description("calls.json", "?webhooks=false");
    for (const [language, generator] of Object.entries(generators)) {
        if (generator.isLong && !process.env.TEST_EVERYTHING) continue;
        report.heading = generator.name;
        const missing = generator.missing();
        if (missing) {
            console.log(`not tried: ${generator.name}, because ${missing}`);
            continue;
        }
        const place = { whole, calls, folder: join(folder, language) };
        await mkdir(place.folder);
        let isMade = false;
        await report.check("makes a client that compiles", async () => {
            await generator.make(place);
            await generator.compile(place);
            isMade = true;
        }, 300);
        if (!isMade) continue;
        await report.check("the client calls ten routes and more", async () => {
            const done = await walk(generator, place, server);
            assert.ok(done.length >= 10, `it did ${done.join(", ")}`);
        }, 120);
    }
} catch (fault) {
    report.heading = "suite";
    await report.check("runs to its end", () => Promise.reject(fault));
} finally {
    report.heading = "suite";
    await report.check("SIGTERM ends the server with status 0", () => server.stop());
    await rm(folder, { recursive: true, force: true });
}
if (report.failed > 0) {
    console.log(`The server said, at last:\n${server.lastLines(30)}`);
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 ? 0 : 1);
