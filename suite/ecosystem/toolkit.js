import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { within } from "../sdk/report.js";
import { errands } from "./errands.js";
import { typescript } from "./place.js";

/** Makes the toolkit one of the packages that programs find, if a variable names its folder. */
export async function install(place) {
    const folder = process.env.INBOXD_TEST_TOOLKIT;
    const to = join(place.folder, "node_modules/agentmail-toolkit");
    if (!folder || existsSync(to)) return;
    await mkdir(to);
    await cp(join(folder, "src"), join(to, "src"), { recursive: true });
    // Its sources run as they are; the package leads to what was made of them.
    const exports = { ".": "./src/index.ts", "./*": "./src/*.ts" };
    await writeFile(join(to, "package.json"), JSON.stringify({ name: "agentmail-toolkit", type: "module", exports }));
}

/** The toolkit in three of its bindings, each tool at least once. */
export async function toolkit(place, report) {
    await install(place);
    const host = join(place.folder, "toolkit-host.ts");
    await cp(fileURLToPath(new URL("toolkit-host.ts", import.meta.url)), host);
    for (const binding of ["bare", "ai-sdk", "mcp"]) {
        report.heading = `the toolkit, ${binding}`;
        const answers = [];
        const program = place.program([...typescript, host, binding], { line: (text) => /^(\["|\{"(result|fault)")/.test(text) && answers.push(JSON.parse(text)) });
        const next = () => within(55, (async () => {
            while (answers.length === 0) {
                if (program.exitCode !== null) throw new Error(program.output);
                await new Promise((resolve) => program.stdout.once("data", () => setImmediate(resolve)));
            }
            return answers.shift();
        })(), `answer of the toolkit: ${program.output}`);
        const called = new Set();
        const call = async (name, args) => {
            called.add(name);
            program.stdin.write(`${JSON.stringify({ name, args })}\n`);
            const { result, fault } = await next();
            if (fault !== undefined) throw new Error(fault);
            return result;
        };
        let names = [];
        await report.check("starts", async () => {
            names = await next();
        });
        for (const [title, check] of errands(call, place)) await report.check(title, check);
        await report.check("each of its tools was called", async () =>
            assert.deepEqual(names.filter((name) => !called.has(name)), []));
        program.stdin.end();
        await report.check("ends", async () => assert.equal(await within(10, program.ended, "end"), 0));
    }
}
