package dev.inboxd.app.oidc;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.app.connect.KeyHolder;
import dev.inboxd.app.oidc.SignInFixture.Browser;
import dev.inboxd.app.oidc.SignInFixture.Holder;
import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The authorization endpoint and the browser that waits there (apps.md §6.2 and §6.4). */
class AuthorizeHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("LIMITS", "off"));

    private static UUID app;

    @BeforeAll
    static void start() {
        app = SignInFixture.app(world, "");
    }

    private static Answer authorize(String redirectUri, String rest) {
        return world.anonymous()
                .with("Accept", "application/json")
                .get(SignInFixture.authorizePath(app, redirectUri, rest));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://app.example/cb/",
                "https://app.example/CB",
                "https://APP.example/cb",
                "https://app.example/cb?x=1",
                "https://app.example:443/cb",
                "https://user@app.example/cb",
                "https://app.example/%63b",
                "https://app.example/cb#x",
                "http://app.example/cb",
                "https://evil.example/cb"
            })
    void aRedirectUriThatIsNotRegisteredByteForByteIsNeverFollowed(String redirectUri) {
        Answer refused = authorize(redirectUri, SignInFixture.usual()).is(400);
        assertThat(refused.header("Location")).isNull();
    }

    @Test
    void aRedirectUriOrClientIdThatStandsTwiceIsNeverFollowed() {
        for (String second : new String[] {"&redirect_uri=https%3A%2F%2Fevil.example", "&client_id=" + app}) {
            Answer refused = authorize(SignInFixture.REDIRECT, SignInFixture.usual() + second)
                    .is(400);
            assertThat(refused.header("Location")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "response_type=token&scope=openid, unsupported_response_type",
        "response_type=code&scope=email, invalid_scope",
        "response_type=code&scope=openid, invalid_request",
        "response_type=code&scope=openid&code_challenge=short&code_challenge_method=S256, invalid_request",
        "response_type=code&scope=openid&request=x, request_not_supported",
        "response_type=code&scope=openid&request_uri=x, request_uri_not_supported",
        "response_type=code&scope=openid&registration=x, registration_not_supported",
        "response_type=code&scope=openid&scope=openid, invalid_request",
        "response_type=code&scope=openid&response_mode=fragment, invalid_request",
        "response_type=code&scope=openid&response_mode=jwt, invalid_request",
        "response_type=code&scope=openid&response_mode=query.jwt, invalid_request",
        "response_type=code&scope=openid&response_mode=web_message, invalid_request"
    })
    void everyOtherFaultIsToldToTheApp(String rest, String error) {
        Answer back = authorize(SignInFixture.REDIRECT, "&state=abc&" + rest).is(303);
        String location = String.valueOf(back.header("Location"));
        assertThat(location).startsWith(SignInFixture.REDIRECT + "?");
        assertThat(SignInFixture.parameter(location, "error")).isEqualTo(error);
        assertThat(SignInFixture.parameter(location, "state")).isEqualTo("abc");
        assertThat(SignInFixture.parameter(location, "iss")).isEqualTo(issuer());
    }

    /** RFC 6749 §3.1, and what nobody here reads (ruling 152). */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "&response_mode=&prompt=&nonce=&login_hint=&state=",
                "&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example",
                "&response_mode=query",
                "&response_mode=form_post"
            })
    void whatIsEmptyOrPassedOverStopsNoSignIn(String more) {
        authorize(SignInFixture.REDIRECT, SignInFixture.usual() + more).is(200);
    }

    @Test
    void mediaTypesHaveNoCase() {
        Answer answer = world.anonymous()
                .with("Accept", "APPLICATION/JSON")
                .get(SignInFixture.authorizePath(app, SignInFixture.REDIRECT, SignInFixture.usual()))
                .is(200);
        assertThat(answer.header("Content-Type")).contains("json");
    }

    @Test
    void aLookByHeadBeginsNothing() {
        Answer answer = world.anonymous()
                .send("HEAD", SignInFixture.authorizePath(app, SignInFixture.REDIRECT, SignInFixture.usual()), null)
                .is(200);
        assertThat(answer.header("Set-Cookie")).isNull();
        world.anonymous()
                .send("HEAD", "/.well-known/openid-configuration", null)
                .is(200);
        world.anonymous().send("HEAD", "/v0/jwks.json", null).is(200);
    }

    @Test
    void aSilentSignInIsNeverOne() {
        Answer back = authorize(SignInFixture.REDIRECT, SignInFixture.usual() + "&prompt=none")
                .is(303);
        assertThat(SignInFixture.parameter(String.valueOf(back.header("Location")), "error"))
                .isEqualTo("login_required");
    }

    private static String issuer() {
        return world.anonymous().get("/.well-known/openid-configuration").text("issuer");
    }

    @Test
    void aPublicClientMayTakeAnyPortOfItsOwnMachine() {
        UUID own = AppFixture.register(world, """
                {"name":"Native","redirect_uris":["http://127.0.0.1/cb"],\
                "token_endpoint_auth_method":"none"}""");
        String rest = SignInFixture.usual();
        world.anonymous()
                .with("Accept", "application/json")
                .get(SignInFixture.authorizePath(own, "http://127.0.0.1:51234/cb", rest))
                .is(200);
        for (String other : new String[] {
            "http://127.0.0.1:99999/cb",
            "http://127.0.0.1:65536/cb",
            "http://127.0.0.1:0/cb",
            "http://127.0.0.1:/cb",
            "http://127.0.0.1:51234/other",
            "http://127.0.0.1.evil.example/cb",
            "http://127.0.0.1:80@evil.example/cb"
        }) {
            world.anonymous()
                    .with("Accept", "application/json")
                    .get(SignInFixture.authorizePath(own, other, rest))
                    .is(400);
        }
    }

    @Test
    void aStateComesBackAsItWasAndBreaksNothing() {
        String state = ("\"'</script><b>\n&%+ é\u2028" + "x".repeat(1_024)).substring(0, 1_024);
        String rest = SignInFixture.usual().replace("state=s1", "state=" + SignInFixture.encoded(state));
        Holder holder = Holder.register(world.http(), world.inbox("state"));
        Answer page = world.anonymous()
                .with("Accept", "text/html")
                .get(SignInFixture.authorizePath(app, SignInFixture.REDIRECT, rest))
                .is(200);
        assertThat(page.text()).doesNotContain("<b>\n").contains("id=\"sign-in-action\"");
        assertThat(String.valueOf(page.header("Content-Security-Policy"))).contains("script-src 'self'");
        Browser browser = Browser.open(world, app, rest);
        holder.approve(world, browser.jti()).is(204);
        String location = String.valueOf(browser.proceed().is(303).header("Location"));
        assertThat(SignInFixture.parameter(location, "state")).isEqualTo(state);
    }

    @Test
    void aNameOfAnAppCannotEndItsPage() {
        UUID hostile = AppFixture.register(world, """
                {"name":"</script><script>x()</script>","redirect_uris":["%s"],\
                "client_secret":"%s"}""".formatted(SignInFixture.REDIRECT, SignInFixture.SECRET));
        Answer page = world.anonymous()
                .with("Accept", "text/html")
                .get(SignInFixture.authorizePath(hostile, SignInFixture.REDIRECT, SignInFixture.usual()))
                .is(200);
        assertThat(page.text()).doesNotContain("<script>x()").contains("\\u003c/script\\u003e");
    }

    @Test
    void noOtherBrowserGoesOn() {
        Browser mine = Browser.open(world, app, SignInFixture.usual());
        Browser other = Browser.open(world, app, SignInFixture.usual());
        String[] paths = {"/v0/authorize/continue?jti=", "/v0/authorize/status?jti="};
        for (String path : paths) {
            world.anonymous()
                    .with("Accept", "application/json")
                    .get(path + mine.jti())
                    .is(401);
            other.http().get(path + mine.jti()).is(401);
            world.anonymous()
                    .with("Accept", "application/json")
                    .with("Cookie", "txn_" + mine.jti() + "=" + other.cookie().split("=", -1)[1])
                    .get(path + mine.jti())
                    .is(401);
        }
        String consent = json("jti", mine.jti(), "consent_token", "x", "decision", "accept");
        world.anonymous().post("/v0/authorize/consent", consent).is(401);
        mine.http()
                .with("Origin", "https://evil.example")
                .post("/v0/authorize/consent", consent)
                .is(403);
        mine.http().post("/v0/authorize/consent", consent).is(409);
    }

    @Test
    void aSignInThatIsOverIsNotFoundAndOneThatIsNotApprovedIsAConflict() {
        Browser browser = Browser.open(world, app, SignInFixture.usual());
        browser.proceed().is(409);
        world.advance(Duration.ofMinutes(11));
        browser.proceed().is(404);
        browser.http().get("/v0/authorize/status?jti=" + browser.jti()).is(404);
    }

    @Test
    void anApprovedSignInGoesOnAfterARestartAndOnAnotherNode() {
        Holder holder = Holder.register(world.http(), world.inbox("restart"));
        Browser browser = Browser.open(world, app, SignInFixture.usual());
        holder.approve(world, browser.jti()).is(204);
        try (World second = world.beside()) {
            String location = String.valueOf(browser.on(second)
                    .get("/v0/authorize/continue?jti=" + browser.jti())
                    .is(303)
                    .header("Location"));
            world.restart();
            SignInFixture.redeem(world, app, SignInFixture.parameter(location, "code"))
                    .is(200);
        }
        browser.proceed().is(409);
    }

    @Test
    void aBrowserThatWaitsHearsOfAnAgentAndEnrols() throws Exception {
        String inbox = world.inbox("agent");
        Browser browser = Browser.open(world, app, SignInFixture.usual());
        String authorize = "/v0/inboxes/" + inbox + "/authorize";
        String body = json("auth_token", browser.jti());
        try (World second = world.beside();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Answer> waiting =
                    threads.submit(() -> browser.on(second).get("/v0/authorize/status?wait=1&jti=" + browser.jti()));
            Answer bound = world.http().post(authorize, body).is(200);
            assertThat(bound.text("instructions")).isEqualTo("Authorization complete. Return to browser.");
            Answer told = waiting.get(20, TimeUnit.SECONDS).is(200);
            assertThat(told.text("state")).isEqualTo("enroll");
            assertThat(world.http().post(authorize, body).is(200).text("api_key_id"))
                    .isEqualTo(bound.text("api_key_id"));
            world.http()
                    .post("/v0/inboxes/" + world.inbox("other") + "/authorize", body)
                    .is(409);
            KeyHolder pair = KeyHolder.make();
            String key = told.text("enroll.api_key_id");
            String activation = json(
                    "api_key_id",
                    key,
                    "public_key",
                    rawJson(pair.jwk()),
                    "proof",
                    pair.enrolment(told.text("enroll.challenge"), key, inbox));
            world.anonymous().post("/v0/authorize/activate", activation).is(401);
            browser.http().post("/v0/authorize/activate", activation).is(200);
            assertThat(browser.state()).isEqualTo("enroll");
            Holder.approve(world, pair.approval(key, browser.jti(), inbox), inbox)
                    .is(204);
        }
        Answer page = browser.proceed().is(200);
        assertThat(page.text("type")).isEqualTo("disclosure_required");
        String accept = json(
                "jti", browser.jti(), "consent_token", page.text("accept_body.consent_token"), "decision", "accept");
        browser.http().post("/v0/authorize/consent", accept).is(204);
        browser.http().post("/v0/authorize/consent", accept).is(409);
        SignInFixture.redeem(world, app, browser.code()).is(200);
    }

    @Test
    void whoDoesNotShareIsSentBackWithoutACode() {
        String inbox = world.inbox("shy");
        Browser browser = Browser.open(world, app, SignInFixture.usual() + "&prompt=consent");
        Holder.register(world.http(), inbox).approve(world, browser.jti()).is(204);
        Answer page = browser.proceed().is(200);
        String deny =
                json("jti", browser.jti(), "consent_token", page.text("accept_body.consent_token"), "decision", "deny");
        browser.http().post("/v0/authorize/consent", deny).is(204);
        assertThat(SignInFixture.parameter(
                        String.valueOf(browser.proceed().is(303).header("Location")), "error"))
                .isEqualTo("access_denied");
    }
}
