import { rm } from "node:fs/promises";
import { Report } from "../sdk/report.js";
import { Server } from "../sdk/server.js";
import { bridges } from "./bridge.js";
import { clients } from "./clients.js";
import { examples } from "./examples.js";
import { guide } from "./guide.js";
import { Place } from "./place.js";
import { toolkit } from "./toolkit.js";

/** Each part: what it is called, and the variable that names its folder or program, if it is not from npm. */
const parts = [
    { name: "the Node client", run: clients.node },
    { name: "the Python client", source: "INBOXD_TEST_PYTHON_CLIENT", run: clients.python },
    { name: "the Go client", source: "INBOXD_TEST_GO_CLIENT", run: clients.go },
    { name: "the toolkit", source: "INBOXD_TEST_TOOLKIT", run: toolkit },
    { name: "agentmail-mcp", source: "INBOXD_TEST_MCP", run: bridges },
    { name: "the examples", source: "INBOXD_TEST_EXAMPLES", run: examples },
    { name: "the guide", run: guide },
];

const report = new Report();
const server = new Server();
const place = new Place(server);
const end = () => place.stop().finally(() => server.stop());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => end().finally(() => process.exit(1)));
}
// What nobody waits for ends this run, too.
process.once("uncaughtException", (fault) => {
    console.log(`${fault.stack}\n${report.passed} passed, ${report.failed + 1} failed`);
    end().finally(() => process.exit(1));
});
try {
    await server.start();
    server.dns.publish([{ type: "TXT", name: "elsewhere.example", value: "v=spf1 ip4:127.0.0.1 -all" }]);
    await place.start();
    for (const { name, source, run } of parts) {
        report.heading = name;
        if (source && !process.env[source]) {
            console.log(`not tried: ${name}, because ${source} names nothing`);
        } else {
            await run(place, report);
        }
    }
} catch (fault) {
    report.heading = "suite";
    await report.check("runs to its end", () => Promise.reject(fault));
} finally {
    report.heading = "suite";
    await report.check("SIGTERM ends the server with status 0", end);
    await rm(place.folder ?? "", { recursive: true, force: true });
}
if (report.failed > 0) {
    console.log(`The server said, at last:\n${server.lastLines(30)}`);
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed === 0 ? 0 : 1);
