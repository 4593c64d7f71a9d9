import { Report } from "../sdk/report.js";
import { Server } from "../sdk/server.js";
import { judges } from "./clients.js";
import { agentChecks } from "./agent.js";
import { consenting } from "./consent.js";
import { Walk } from "./walk.js";

const report = new Report();
const server = new Server();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => server.stop().finally(() => process.exit(1)));
}
try {
    await server.start();
    server.dns.publish([{ type: "TXT", name: "elsewhere.example", value: "v=spf1 ip4:127.0.0.1 -all" }]);
    for (const judge of judges) {
        report.heading = judge.name;
        const walk = new Walk(judge, server);
        for (const [title, check] of walk.checks()) {
            await report.check(title, check);
        }
        await walk.close();
    }
    for (const { name, check } of consenting) {
        report.heading = name;
        await report.check("is let in by a person, and uses the tools", () => check(server));
    }
    report.heading = "an agent"; // last: it makes an organization, and a person would be asked for one
    for (const [title, check] of agentChecks(server)) {
        await report.check(title, check, 120);
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
