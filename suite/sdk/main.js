import { accounts } from "./checks/accounts.js";
import { apps } from "./checks/apps.js";
import { attachments } from "./checks/attachments.js";
import { domains } from "./checks/domains.js";
import { drafts } from "./checks/drafts.js";
import { errors } from "./checks/errors.js";
import { inboxes } from "./checks/inboxes.js";
import { keys } from "./checks/keys.js";
import { lists } from "./checks/lists.js";
import { metrics } from "./checks/metrics.js";
import { polling } from "./checks/polling.js";
import { pods } from "./checks/pods.js";
import { reading } from "./checks/reading.js";
import { searching } from "./checks/searching.js";
import { sending } from "./checks/sending.js";
import { sockets } from "./checks/sockets.js";
import { submitting } from "./checks/submitting.js";
import { surface } from "./checks/surface.js";
import { webhooks } from "./checks/webhooks.js";
import { loadClient, strict } from "./client.js";
import { Report } from "./report.js";
import { Server } from "./server.js";
import { World } from "./world.js";

const parts = { inboxes, reading, sending, submitting, surface, drafts, searching, attachments, webhooks, polling, metrics, sockets, lists, keys, pods, domains, accounts, apps, errors };

const report = new Report();
const server = new Server();
// Whatever ends this run ends the server.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => server.stop().finally(() => process.exit(1)));
}
try {
    await server.start();
    // What a client reads as it comes, the short form of suite/ecosystem shows.
    for (const mode of process.env.TEST_EVERYTHING ? ["untouched", strict] : [strict]) {
        const world = new World(server, mode, loadClient(mode));
        for (const [name, part] of Object.entries(parts)) {
            report.heading = `${mode} ${name}`;
            await part(world, (title, check) => report.check(title, check));
        }
        report.heading = mode;
        await world.reportAnswers((title, check) => report.check(title, check));
    }
} catch (fault) {
    report.heading = "suite";
    await report.check("runs to its end", () => Promise.reject(fault));
} finally {
    report.heading = "suite";
    await report.check("SIGTERM ends the server with status 0", () => server.stop());
}
if (report.failed > 0) {
    console.log(`The server said, at last:\n${server.lastLines(30)}`);
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 ? 0 : 1);
