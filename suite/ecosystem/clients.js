import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { within } from "../sdk/report.js";
import { walk } from "./walk.js";

const require = createRequire(import.meta.url);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The clients: each makes the same walk, in its own language. */
export const clients = {
    async node(place, report) {
        for (const name of ["agentmail", "agentmail-4"]) {
            const { version } = require(`${name}/package.json`);
            report.heading = `the Node client ${version}`;
            for (const [title, check] of walk(require(name), place)) {
                await report.check(title, check);
            }
        }
    },

    python: (place, report) => steps(place, report, ["python3", "-B", here("walk.py")],
        { PYTHONPATH: process.env.INBOXD_TEST_PYTHON_CLIENT }),

    go: (place, report) => steps(place, report, [process.env.INBOXD_TEST_GO_CLIENT, here("walk.go")], {}),
};

/** A walk in another process, which prints "ok" or "FAIL" before the title of each step. */
async function steps(place, report, command, env) {
    const lines = [];
    const program = place.program(command, { env: { ...env, WORD: place.word() }, line: (text) => lines.push(text) });
    await report.check("walks to its end", async () => {
        const status = await within(55, program.ended, "end of the walk");
        assert.equal(status, 0, program.output);
        assert.ok(lines.filter((line) => line.startsWith("ok ")).length >= 5, program.output);
    });
    for (const line of lines.filter((each) => /^(ok|FAIL) /.test(each))) {
        const [word, ...title] = line.split(" ");
        await report.check(title.join(" "), async () => assert.equal(word, "ok", line));
    }
}
