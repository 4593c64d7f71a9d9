import dns from "node:dns";
import { Report } from "../sdk/report.js";
import { Server } from "../sdk/server.js";
import { clients } from "./clients.js";
import { Facilitator } from "./facilitator.js";
import { faults } from "./faults.js";
import { hosts } from "./hosts.js";
import { kills } from "./kills.js";
import { Ledger } from "./ledger.js";
import { opinions } from "./opinions.js";
import { outcomes, unknowns } from "./outcomes.js";
import { routes } from "./routes.js";
import { untold } from "./untold.js";

// The hosts of the variants are names below localhost, which not every system resolves.
const { lookup } = dns;
dns.lookup = (name, options, callback) => lookup(name.endsWith(".localhost") ? "127.0.0.1" : name, options, callback);

const variants = ["x402", "mpp"];
const report = new Report();
const facilitator = new Facilitator();
await facilitator.start(Number(process.env.INBOXD_FACILITATOR_PORT ?? 0));
const server = process.env.INBOXD_X402_URL ? undefined : new Server({}, {
    INBOXD_X402_HOST: "x402.localhost", INBOXD_MPP_HOST: "mpp.localhost", INBOXD_X402_FACILITATOR: facilitator.url,
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => Promise.resolve(server?.stop()).finally(() => process.exit(1)));
}
try {
    await server?.start();
    const port = server && new URL(server.url).port;
    const urls = server ? { x402: `http://x402.localhost:${port}`, mpp: `http://mpp.localhost:${port}` }
        : { x402: process.env.INBOXD_X402_URL, mpp: process.env.INBOXD_MPP_URL };
    const ledger = new Ledger(facilitator);
    const world = { facilitator, urls, ledger, publicUrl: server?.url };
    const each = async (parts) => {
        for (const variant of variants) {
            for (const [name, checks] of Object.entries(parts)) {
                report.heading = `${variant} ${name}`;
                await checks({ ...world, variant }, (title, check, seconds) => report.check(title, check, seconds));
            }
        }
    };
    report.heading = "second opinion";
    await opinions(world, (title, check) => report.check(title, check));
    await each({ outcome: outcomes });
    const open = variants.map((variant) => [variant, unknowns({ ...world, variant })]);
    await each({ client: clients, route: routes, fault: faults, host: hosts });
    for (const [variant, running] of open) {
        report.heading = `${variant} outcome`;
        for (const [title, promise] of running) await report.check(title, () => promise, 120);
    }
    if (server) {
        report.heading = "log";
        await report.check("no payment is in it, nor the query of a socket", () => untold(server.output));
        report.heading = "kills";
        await kills({ ...world, server }, (title, check, seconds) => report.check(title, check, seconds));
    }
    report.heading = "ledger";
    await report.check("what was paid is what exists, one to one", () => ledger.compare(), 600);
} catch (fault) {
    report.heading = "suite";
    await report.check("runs to its end", () => Promise.reject(fault));
} finally {
    facilitator.release();
    report.heading = "suite";
    if (server) await report.check("SIGTERM ends the server with status 0", () => server.stop());
    await facilitator.stop();
}
if (report.failed > 0 && server) {
    console.log(`The server said, at last:\n${server.lastLines(30)}`);
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 ? 0 : 1);
