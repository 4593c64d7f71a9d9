import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Model } from "./model.js";
import { patiently, typescript } from "./place.js";

/** How many mails each example gets, so that its model chooses several of its tools. */
const MAILS = 4;

/** The examples in TypeScript, as their makers start them, with a stand-in for the model; the others are named. */
export async function examples(place, report) {
    const root = process.env.INBOXD_TEST_EXAMPLES;
    const folders = readdirSync(root, { withFileTypes: true }).filter((each) => each.isDirectory() && !each.name.startsWith("."));
    const others = [];
    for (const { name } of folders) {
        const folder = join(root, name, "typescript");
        // A second copy of the same example has this prefix.
        if (name.startsWith("agentmail-") && existsSync(join(root, name.slice("agentmail-".length)))) continue;
        const needs = existsSync(join(folder, "src/agent.ts")) ? await missing(folder, place) : ["what runs Python"];
        if (needs.length > 0) {
            others.push(`${name} (needs ${needs.join(", ")})`);
            continue;
        }
        report.heading = `the example ${name}`;
        await example(place, report, folder);
    }
    if (others.length > 0) console.log(`not tried: ${others.join("; ")}`);
}

/** The packages of an example that are not there. */
async function missing(folder, place) {
    const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    return Object.keys(dependencies).filter((name) => !existsSync(join(place.folder, "node_modules", name)));
}

async function example(place, report, folder) {
    const copy = await place.copy(folder);
    for (const sample of readdirSync(copy).filter((name) => name.includes(".example."))) {
        await cp(join(copy, sample), join(copy, sample.replace(".example.", ".")));
    }
    // The version of the client that they ask for.
    await cp(join(place.folder, "node_modules/agentmail-4"), join(copy, "node_modules/agentmail"), { recursive: true });
    const model = new Model();
    await model.start();
    const mark = place.front.exchanges.length;
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none", POLL_INTERVAL_SECONDS: "1",
        INBOX_USERNAME: place.word(), ...people(await readFile(join(copy, ".env.example"), "utf8")) };
    const program = place.program([...typescript, "src/agent.ts"], { cwd: copy, env, named: true });
    const passed = () => place.front.exchanges.slice(mark);
    let inbox;
    await report.check("makes its inbox", async () => {
        inbox = await patiently("an inbox", async () => {
            if (program.exitCode !== null) assert.fail(program.output);
            const { inboxes } = await place.call("GET", "/v0/inboxes?limit=100");
            return inboxes.find((each) => each.inbox_id.startsWith(`${env.INBOX_USERNAME}@`))?.inbox_id;
        });
    });
    if (inbox) {
        await report.check("takes its mail, and calls nothing that is refused", async () => {
            for (let i = 0; i < MAILS; i++) await place.mail(inbox, `Question ${i}`, `Could you look at number ${i}, please?`);
            await patiently("all mail is read", async () => {
                if (program.exitCode !== null) assert.fail(program.output);
                const { messages } = await place.call("GET", `/v0/inboxes/${inbox}/messages?labels=received`);
                return messages.filter((each) => !each.labels.includes("unread")).length >= MAILS;
            }).catch((fault) => assert.fail(`${fault.message}: ${program.output.slice(-800)} ${JSON.stringify(faults(passed()))}`));
            assert.deepEqual(faults(passed()), []);
        });
        const paths = new Set(passed().map(({ method, path }) => `${method} ${path.replace(/\?.*/, "").split("/").filter((_, i) => i % 2 === 0 || i === 1).join("/")}`));
        console.log(`      ${passed().length} calls of ${paths.size} kinds, ${model.asked.length} questions to the model`);
    }
    program.kill("SIGKILL");
    await program.ended;
    model.stop();
}

function faults(exchanges) {
    return exchanges.filter(({ status }) => status >= 400).map(({ method, path, status, error }) => `${method} ${path}: ${status} ${error}`);
}

/** Values for the settings that an example wants filled in. */
function people(sample) {
    const wanted = [...sample.matchAll(/^#?\s*([A-Z_]+)=(.*)$/gm)];
    return Object.fromEntries(wanted.filter(([, name]) => /EMAIL|_NAME$|DOCS|DOMAIN/.test(name))
        .map(([, name, value]) => [name, /EMAIL/.test(name) ? "jo@elsewhere.example" : value.replace(/\s*#.*/, "") || "Jo"])
        .concat([["USER_EMAIL", "jo@elsewhere.example"]]));
}
