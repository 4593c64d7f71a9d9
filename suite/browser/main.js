import { Report } from "../sdk/report.js";
import { World } from "./world.js";

const everything = Boolean(process.env.TEST_EVERYTHING);
const names = process.argv.slice(2);
const all = ["links", "endings", "waiting", "hostile", "console", "lists", "dates", "tasks", "keys", "program", "crashes", "rotation", "after"];

const report = new Report();
const world = new World();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => world.stop().finally(() => process.exit(1)));
}
try {
    await world.start();
    for (const name of names.length ? names : all) {
        const { heading, checks, long = {} } = await import(`./checks/${name}.js`);
        report.heading = heading;
        for (const [title, check] of Object.entries({ ...checks, ...(everything ? long : {}) })) {
            await report.check(title, () => check(world));
        }
    }
} catch (fault) {
    report.heading = "suite";
    await report.check("runs to its end", () => Promise.reject(fault));
} finally {
    report.heading = "suite";
    await report.check("SIGTERM ends the nodes with status 0, at once, though a page waits", () => world.stop());
}
if (report.failed > 0) {
    console.log(`The nodes said, at last:\n${world.one?.lastLines(30)}\n${world.two?.lastLines(10)}`);
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 ? 0 : 1);
