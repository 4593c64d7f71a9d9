import { execFileSync } from "node:child_process";
import { Report } from "../sdk/report.js";
import { Server } from "../sdk/server.js";
import { Agent } from "./agent.js";
import { authJs, authlib, oauth4webapi, oidcClientTs, openidClient5, openidClient6 } from "./clients.js";

const secret = "a secret with + / % : é and thirty-two characters";
const redirects = ["http://127.0.0.1:9/callback", "http://127.0.0.1:9/auth/callback/inboxd"];
let number = 0;
const app = (name, method, alg, fields = {}) => ({
    app_id: `7d3c0e4e-6f0b-4a53-9a53-00000000000${++number}`, name, redirect_uris: redirects,
    token_endpoint_auth_method: method, id_token_signed_response_alg: alg,
    ...(method === "none" ? {} : { client_secret: secret }), ...fields,
});
const basic = app("Basic", "client_secret_basic", "RS256");
const post = app("Post", "client_secret_post", "ES256");
const open = app("Public", "none", "ES256");
// The fields of these clients beyond RFC 6749 differ in how they write a secret of any characters.
const plain = app("Plain", "client_secret_basic", "RS256", { client_secret: "x".repeat(40) });

const report = new Report();
const server = new Server({ apps: [basic, post, open, plain] });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => server.stop().finally(() => process.exit(1)));
}
try {
    await server.start();
    const agent = await Agent.make(server);
    const judges = { "openid-client 6": openidClient6, "openid-client 5": openidClient5, oauth4webapi };
    for (const [name, judge] of Object.entries(judges)) {
        for (const each of [basic, post, open]) {
            report.heading = name;
            await report.check(`${each.token_endpoint_auth_method}, ${each.id_token_signed_response_alg}`, () => judge(each, agent));
        }
    }
    report.heading = "oidc-client-ts";
    await report.check("a page without a secret", () => oidcClientTs(open, agent));
    await report.check("client_secret_post", () => oidcClientTs(post, agent));
    report.heading = "Auth.js";
    await report.check("signs in and has a session", () => authJs(plain, agent));
    report.heading = "Authlib";
    if (hasAuthlib()) {
        await report.check("client_secret_basic", () => authlib(plain, agent));
        await report.check("client_secret_post", () => authlib({ ...post }, agent));
    } else {
        console.log("suite oidc: Debian's python3-authlib is not here, so it does not sign in");
    }
    report.heading = "accounts";
    await report.check("every app has one account of the inbox", async () => {
        const { accounts } = await agent.api("GET", `/v0/inboxes/${agent.inbox}/accounts`);
        const names = accounts.map((account) => account.app_name).sort().join();
        if (names !== "Basic,Plain,Post,Public") throw new Error(`accounts at ${names}`);
    });
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

function hasAuthlib() {
    try {
        execFileSync("/usr/bin/python3", ["-c", "import authlib, requests"], { stdio: "ignore" });
        return true;
    } catch {
        return false;
    }
}
