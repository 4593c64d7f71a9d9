package dev.inboxd.app.oidc;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.inboxd.app.connect.KeyHolder;
import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Signs inboxes in at an app, step by step, as a browser, an app and the holder of a key do. */
public final class SignInFixture {
    static final String SECRET = "a secret of 32 characters or more, + / % : é";
    static final String REDIRECT = "https://app.example/cb";
    static final String VERIFIER = "v".repeat(43);

    private SignInFixture() {}

    /** An app with a secret; more members of its registration may follow. */
    static UUID app(World world, String more) {
        return AppFixture.register(world, """
                {"name":"App","redirect_uris":["%s"],"initiate_login_uri":"https://app.example/start",\
                "client_secret":"%s"%s}""".formatted(REDIRECT, SECRET, more));
    }

    /** A registered public key. */
    record Holder(KeyHolder pair, String id, String inbox) {
        static Holder register(HttpProbe http, String inbox) {
            KeyHolder pair = KeyHolder.make();
            Answer key = http.post("/v0/api-keys", json("public_key", rawJson(pair.jwk())))
                    .is(200);
            return new Holder(pair, key.text("api_key_id"), inbox);
        }

        Answer approve(World world, String jti) {
            return approve(world, pair.approval(id, jti, inbox), inbox);
        }

        static Answer approve(World world, String assertion, String inbox) {
            return world.anonymous().post("/v0/authorize/approve", json("assertion", assertion, "inbox_id", inbox));
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static String challenge() {
        return CodeChallenge.compute(CodeChallengeMethod.S256, new CodeVerifier(VERIFIER))
                .getValue();
    }

    /** The query of a plain request, without redirect_uri and client_id. */
    static String usual() {
        return "&response_type=code&scope=openid%20email%20profile%20owner_email&state=s1&nonce=n1"
                + "&code_challenge_method=S256&code_challenge=" + challenge();
    }

    static String authorizePath(UUID app, String redirectUri, String rest) {
        return "/v0/authorize?client_id=" + app + "&redirect_uri=" + encoded(redirectUri) + rest;
    }

    /** A browser at the sign-in page. */
    record Browser(World world, String jti, String cookie) {
        static Browser open(World world, UUID app, String rest) {
            Answer page = world.anonymous()
                    .with("Accept", "application/json")
                    .get(authorizePath(app, REDIRECT, rest))
                    .is(200);
            String cookie = String.valueOf(page.header("Set-Cookie")).split(";", -1)[0];
            return new Browser(world, page.text("auth_token"), cookie);
        }

        HttpProbe http() {
            return on(world);
        }

        HttpProbe on(World node) {
            return node.anonymous().with("Cookie", cookie).with("Accept", "application/json");
        }

        Answer proceed() {
            return http().get("/v0/authorize/continue?jti=" + jti);
        }

        String state() {
            return http().get("/v0/authorize/status?jti=" + jti).is(200).text("state");
        }

        /** Goes on to the app, and returns the code. */
        String code() {
            return parameter(String.valueOf(proceed().is(303).header("Location")), "code");
        }
    }

    /** A parameter of a URL; fails when it is not there. */
    static String parameter(String url, String name) {
        String value = parameterOrNull(url, name);
        assertThat(value).as(url).isNotNull();
        return String.valueOf(value);
    }

    static @Nullable String parameterOrNull(String url, String name) {
        for (String pair : URI.create(url).getRawQuery().split("&", -1)) {
            if (pair.startsWith(name + "=")) {
                return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    /** An app at the token endpoint that authenticates with basic. */
    static HttpProbe client(World world, UUID app) {
        String both = encoded(app.toString()) + ":" + encoded(SECRET);
        return world.anonymous()
                .with(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)))
                .with("Content-Type", "application/x-www-form-urlencoded");
    }

    static Answer redeem(World world, UUID app, String code) {
        return client(world, app)
                .post(
                        "/v0/token",
                        "grant_type=authorization_code&code=" + code + "&code_verifier=" + VERIFIER + "&redirect_uri="
                                + encoded(REDIRECT));
    }

    static Answer userinfo(World world, String accessToken) {
        return world.as(accessToken).get("/v0/userinfo");
    }

    /** Signs in and returns the answer of the token endpoint. */
    static Answer signIn(World world, UUID app, Holder holder) {
        Browser browser = Browser.open(world, app, usual());
        holder.approve(world, browser.jti()).is(204);
        return redeem(world, app, browser.code());
    }
}
