import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Auth, setEnvDefaults } from "@auth/core";
import * as oauth from "oauth4webapi";
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from "oidc-client-ts";
import * as v6 from "openid-client";
import { generators, Issuer } from "openid-client5";

const scope = "openid email profile";

/** openid-client 6: discovery, PKCE, nonce, iss, ID token, userinfo. */
export async function openidClient6(app, agent) {
    const auth = { client_secret_basic: v6.ClientSecretBasic, client_secret_post: v6.ClientSecretPost, none: v6.None };
    const config = await v6.discovery(new URL(agent.server.url), app.app_id,
        { id_token_signed_response_alg: app.id_token_signed_response_alg },
        auth[app.token_endpoint_auth_method](app.client_secret), { execute: [v6.allowInsecureRequests] });
    const pkceCodeVerifier = v6.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [v6.randomState(), v6.randomNonce()];
    const url = v6.buildAuthorizationUrl(config, {
        redirect_uri: app.redirect_uris[0], scope, state: expectedState, nonce: expectedNonce,
        code_challenge: await v6.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: "S256",
    });
    const back = new URL(await agent.signIn(url));
    const tokens = await v6.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState, expectedNonce });
    assert.equal(tokens.claims().email, agent.inbox);
    const told = await v6.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
    assert.equal(told.email, agent.inbox);
    await assert.rejects(v6.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState, expectedNonce }));
    await assert.rejects(v6.fetchUserInfo(config, tokens.access_token, tokens.claims().sub));
}

/** openid-client 5.7: the version that most servers in Node still run. */
export async function openidClient5(app, agent) {
    const issuer = await Issuer.discover(agent.server.url);
    const client = new issuer.Client({
        client_id: app.app_id, client_secret: app.client_secret, redirect_uris: app.redirect_uris,
        response_types: ["code"], token_endpoint_auth_method: app.token_endpoint_auth_method,
        id_token_signed_response_alg: app.id_token_signed_response_alg,
    });
    const code_verifier = generators.codeVerifier();
    const [state, nonce] = [generators.state(), generators.nonce()];
    const url = client.authorizationUrl({ redirect_uri: app.redirect_uris[0], scope, state, nonce, code_challenge_method: "S256",
        code_challenge: generators.codeChallenge(code_verifier) });
    const params = client.callbackParams(await agent.signIn(url));
    const tokens = await client.callback(app.redirect_uris[0], params, { code_verifier, state, nonce });
    assert.equal(tokens.claims().email, agent.inbox);
    assert.equal((await client.userinfo(tokens.access_token)).sub, tokens.claims().sub);
}

/** oauth4webapi: every check that the standards ask of a client, one by one. */
export async function oauth4webapi(app, agent) {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(agent.server.url);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const client = { client_id: app.app_id, id_token_signed_response_alg: app.id_token_signed_response_alg };
    const auth = { client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost, none: oauth.None };
    const clientAuth = auth[app.token_endpoint_auth_method](app.client_secret);
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const url = new URL(as.authorization_endpoint);
    const query = { client_id: app.app_id, redirect_uri: app.redirect_uris[0], response_type: "code", scope, state, nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" };
    Object.entries(query).forEach(([name, value]) => url.searchParams.set(name, value));
    const params = oauth.validateAuthResponse(as, client, new URL(await agent.signIn(url)), state);
    const answer = await oauth.authorizationCodeGrantRequest(
        as, client, clientAuth, params, app.redirect_uris[0], verifier, insecure);
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, { expectedNonce: nonce, requireIdToken: true });
    await oauth.validateApplicationLevelSignature(as, answer, insecure);
    const { sub, email } = oauth.getValidatedIdTokenClaims(tokens);
    assert.equal(email, agent.inbox);
    const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
    assert.equal((await oauth.processUserInfoResponse(as, client, sub, info)).email, agent.inbox);
}

/** oidc-client-ts: apps that live in a page. */
export async function oidcClientTs(app, agent) {
    const store = () => new WebStorageStateStore({ store: new InMemoryWebStorage() });
    const client = new OidcClient({
        authority: agent.server.url, client_id: app.app_id, client_secret: app.client_secret,
        client_authentication: app.token_endpoint_auth_method === "client_secret_basic" ? "client_secret_basic" : "client_secret_post",
        redirect_uri: app.redirect_uris[0], scope, loadUserInfo: true, stateStore: store(),
    });
    const { url } = await client.createSigninRequest({});
    const answer = await client.processSigninResponse(await agent.signIn(url));
    assert.equal(answer.profile.email, agent.inbox);
}

/** Auth.js: its whole dance, with its cookies and its callback. */
export async function authJs(app, agent) {
    const origin = new URL(app.redirect_uris[1]).origin;
    const config = {
        trustHost: true, basePath: "/auth", secret: "a secret of this test alone, of thirty-two characters",
        providers: [{ id: "inboxd", name: "inboxd", type: "oidc", issuer: agent.server.url, clientId: app.app_id,
            clientSecret: app.client_secret, client: { token_endpoint_auth_method: app.token_endpoint_auth_method,
                id_token_signed_response_alg: app.id_token_signed_response_alg },
            checks: ["pkce", "state", "nonce"] }],
    };
    setEnvDefaults({}, config);
    const jar = new Map();
    const ask = async (path, init = {}) => {
        const headers = { ...init.headers, Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") };
        const answer = await Auth(new Request(origin + path, { ...init, headers }), config);
        for (const cookie of answer.headers.getSetCookie()) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
            jar.set(name, value);
        }
        return answer;
    };
    const { csrfToken } = await (await ask("/auth/csrf")).json();
    const begun = await ask("/auth/signin/inboxd", { method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: new URLSearchParams({ csrfToken }) });
    const back = new URL(await agent.signIn(begun.headers.get("location")));
    await ask(back.pathname + back.search);
    const session = await (await ask("/auth/session")).json();
    assert.equal(session?.user?.email, agent.inbox);
}

/** Authlib of Debian, in Python. */
export async function authlib(app, agent) {
    const script = fileURLToPath(new URL("authlib_client.py", import.meta.url));
    const run = promisify(execFile);
    const ask = async (...given) => JSON.parse((await run("/usr/bin/python3", [script, JSON.stringify(app), agent.server.url, ...given])).stdout);
    const begun = await ask("begin");
    const told = await ask("end", JSON.stringify(begun), await agent.signIn(begun.url));
    assert.equal(told.claims.email, agent.inbox);
    assert.equal(told.userinfo.sub, told.claims.sub);
}
