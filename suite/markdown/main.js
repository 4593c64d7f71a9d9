import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Chromium } from "./chromium.js";
import { Figures } from "./figures.js";
import { mails } from "./mail/mails.js";

const [out, java, path, ...rest] = process.argv.slice(2);
const everything = Boolean(process.env.TEST_EVERYTHING);
const all = rest.includes("--all");
const only = rest.find((word) => !word.startsWith("--"));
const folder = join(out, "mails");
/** How many wordings of each layout the short form takes. */
const short = 2;

/** Renders the folder; a line for each mail. */
function rendered() {
    return new Promise((resolve, reject) => {
        const program = spawn(java, ["-Xmx512m", "-XX:+UseSerialGC", "-cp", path, "Render", folder, everything ? "40" : "8"]);
        let said = "";
        program.stdout.on("data", (data) => { said += data; });
        program.stderr.pipe(process.stderr);
        program.on("error", reject);
        program.on("close", (code) => code === 0 ? resolve(said.trim().split("\n")) : reject(new Error(`Render ended with ${code}`)));
    });
}

const counts = new Map();
const chosen = mails().filter(({ name, layout }) => {
    const count = counts.get(layout) ?? 0;
    counts.set(layout, count + 1);
    return only ? name.includes(only) : everything || count < short;
});
// The mark says UTF-8 to the browser, as the header of a mail does.
for (const { name, html } of chosen) writeFileSync(join(folder, `${name}.html`), `\ufeff${html}`);

const chromium = new Chromium();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => chromium.stop().finally(() => process.exit(1)));
let failed = 1;
let passed = 0;
try {
    const rendering = rendered();
    await chromium.start();
    const shown = new Map();
    for (const { name } of chosen) {
        const page = await chromium.shows(join(folder, `${name}.html`));
        writeFileSync(join(folder, `${name}.txt`), page.text);
        shown.set(name, page);
    }
    const lines = await rendering;
    const figures = new Figures(all);
    for (const line of lines) {
        const [name, ...numbers] = line.split(" ");
        if (name === "time") figures.time(numbers.map(Number));
        else {
            const mail = chosen.find((each) => each.name === name);
            figures.add(mail, readFileSync(join(folder, `${name}.md`), "utf8"), shown.get(name), numbers);
        }
    }
    ({ passed, failed } = figures.print(everything));
} catch (fault) {
    console.log(`FAILED it runs to its end: ${fault.stack}`);
} finally {
    await chromium.stop();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
