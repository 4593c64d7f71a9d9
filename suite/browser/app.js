import { createServer } from "node:http";
import * as oidc from "openid-client";

const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const page = (title, content) => `<!doctype html><html lang="en"><title>${escaped(title)}</title><h1>${escaped(title)}</h1>${content}`;

/** A web application at which inboxes sign in, by openid-client. It lives at another site than the service. */
export class App {
    /** How each sign-in here ended: claims, userinfo, scope, or error. */
    signIns = [];
    /** The headers of each request here. */
    requests = [];
    /** What the next sign-in asks for beside the usual. */
    next = {};
    #open = new Map();

    constructor(name, fields = {}) {
        this.id = crypto.randomUUID();
        this.name = name;
        this.secret = `${crypto.randomUUID()} + / % : é`;
        this.fields = fields;
    }

    async start() {
        this.server = createServer((incoming, outgoing) => {
            this.#answer(incoming, outgoing).catch((fault) => outgoing.writeHead(500).end(String(fault.stack)));
        });
        await new Promise((resolve) => this.server.listen(0, "localhost", resolve));
        this.url = `http://localhost:${this.server.address().port}`;
    }

    /** What stands in the apps file. */
    get registration() {
        return { app_id: this.id, name: this.name, redirect_uris: [`${this.url}/callback`],
            initiate_login_uri: `${this.url}/start?from=link`, client_secret: this.secret, ...this.fields };
    }

    /** Reads the configuration of the service, as a program does once when it starts. */
    async discover(issuer) {
        this.config = await oidc.discovery(new URL(issuer), this.id,
            { id_token_signed_response_alg: this.fields.id_token_signed_response_alg ?? "RS256" },
            oidc.ClientSecretBasic(this.secret), { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] });
    }

    /** The address to which it sends a browser. */
    async begin(more = {}) {
        const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
        const query = { redirect_uri: `${this.url}/callback`, scope: (this.fields.scopes ?? ["openid", "email", "profile"]).join(" "), state: oidc.randomState(),
            nonce: oidc.randomNonce(), code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
            code_challenge_method: "S256", ...more };
        this.#open.set(query.state, { pkceCodeVerifier, expectedState: query.state, expectedNonce: query.nonce });
        return oidc.buildAuthorizationUrl(this.config, query);
    }

    /** Redeems the code in an address to which a browser came back. */
    async end(back) {
        const checks = this.#open.get(back.searchParams.get("state"));
        const tokens = await oidc.authorizationCodeGrant(this.config, back, checks);
        const claims = tokens.claims();
        const userinfo = await oidc.fetchUserInfo(this.config, tokens.access_token, claims.sub);
        return { claims, userinfo, scope: tokens.scope, accessToken: tokens.access_token, idToken: tokens.id_token,
            state: back.searchParams.get("state") };
    }

    async #answer(incoming, outgoing) {
        const url = new URL(incoming.url, this.url);
        this.requests.push({ path: url.pathname, headers: incoming.headers });
        const html = (text) => outgoing.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(text);
        if (url.pathname === "/start") {
            const hint = url.searchParams.get("login_hint");
            const more = { ...(hint && { login_hint: hint }), ...this.next };
            this.next = {};
            outgoing.writeHead(302, { Location: (await this.begin(more)).href }).end();
        } else if (url.pathname === "/callback") {
            const signIn = await this.end(url).catch((error) => ({ error: error.error ?? error.code ?? String(error), cause: error }));
            this.signIns.push(signIn);
            html(page(signIn.error ? `Not signed in: ${signIn.error}` : `Signed in as ${signIn.claims.email}`, ""));
        } else if (url.pathname === "/mail") {
            html(page("Mail", `<a id="link" href="${escaped(url.searchParams.get("to"))}">Sign in</a>`));
        } else if (url.pathname === "/frame") {
            html(page("Frame", `<iframe src="${escaped(url.searchParams.get("to"))}"></iframe>`));
        } else {
            outgoing.writeHead(404).end();
        }
    }

    stop() {
        this.server?.closeAllConnections();
        this.server?.close();
    }
}
