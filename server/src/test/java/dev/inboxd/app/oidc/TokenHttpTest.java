package dev.inboxd.app.oidc;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.inboxd.app.oidc.SignInFixture.Browser;
import dev.inboxd.app.oidc.SignInFixture.Holder;
import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The token endpoint, userinfo and the keys of the provider (apps.md §6.1, §6.5 to §6.7). */
class TokenHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("LIMITS", "off"));

    private static UUID app;

    @BeforeAll
    static void start() {
        app = SignInFixture.app(world, "," + members("scopes", List.of("openid", "email", "profile", "owner_email")));
    }

    private static String code(Holder holder, UUID at) {
        Browser browser = Browser.open(world, at, SignInFixture.usual());
        holder.approve(world, browser.jti()).is(204);
        return browser.code();
    }

    private static Holder holder(String name) {
        return Holder.register(world.http(), world.inbox(name));
    }

    private static JWTClaimsSet claims(Answer tokens) throws ParseException {
        return SignedJWT.parse(tokens.text("id_token")).getJWTClaimsSet();
    }

    @Test
    void ofTwoInboxesThatRaceForTheLastPlaceOneSignsIn() throws Exception {
        UUID small = SignInFixture.app(world, "," + members("owner_signup_limit", 1));
        List<String> codes = List.of(code(holder("race1"), small), code(holder("race2"), small));
        try (World second = world.beside();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Callable<Answer>> calls = List.of(
                    () -> SignInFixture.redeem(world, small, codes.get(0)),
                    () -> SignInFixture.redeem(second, small, codes.get(1)));
            List<Integer> statuses = new ArrayList<>();
            for (Future<Answer> call : threads.invokeAll(calls)) {
                Answer answer = call.get();
                statuses.add(answer.status());
                if (answer.status() == 400) {
                    assertThat(answer.text("error")).isEqualTo("invalid_grant");
                }
            }
            assertThat(statuses).containsExactlyInAnyOrder(200, 400);
        }
        assertThat(world.http().get("/v0/apps/" + small + "/accounts").at("count"))
                .isEqualTo(1L);
    }

    @Test
    void aCodeGivesOneTokenAndRedeemedAgainEndsIt() throws Exception {
        Holder holder = holder("once");
        String code = code(holder, app);
        try (World second = world.beside();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                World node = i % 2 == 0 ? world : second;
                calls.add(() -> SignInFixture.redeem(node, app, code));
            }
            long given = 0;
            for (Future<Answer> call : threads.invokeAll(calls)) {
                given += call.get().status() == 200 ? 1 : 0;
            }
            assertThat(given).isEqualTo(1);
            String later = code(holder, app);
            String token = SignInFixture.redeem(world, app, later).is(200).text("access_token");
            SignInFixture.userinfo(second, token).is(200);
            SignInFixture.redeem(world, app, later).is(400);
            SignInFixture.userinfo(second, token).is(401);
            SignInFixture.userinfo(world, token).is(401);
        }
    }

    @Test
    void aCodeIsGoodForItsMinuteItsAppItsAddressAndItsVerifier() {
        Holder holder = holder("bound");
        UUID other = SignInFixture.app(world, "");
        String code = code(holder, app);
        assertThat(SignInFixture.redeem(world, other, code).is(400).text("error"))
                .isEqualTo("invalid_grant");
        HttpProbe client = SignInFixture.client(world, app);
        String form = "grant_type=authorization_code&code=" + code;
        String uri = "&redirect_uri=" + SignInFixture.encoded(SignInFixture.REDIRECT);
        String verifier = "&code_verifier=" + SignInFixture.VERIFIER;
        for (String wrong : List.of(
                form + verifier,
                form + uri,
                form + uri + "x" + verifier,
                form + uri + "&code_verifier=" + "w".repeat(43),
                form + uri + "&code_verifier=short")) {
            assertThat(client.post("/v0/token", wrong).is(400).text("error")).isEqualTo("invalid_grant");
        }
        assertThat(client.post("/v0/token", form + uri + verifier + "&code=x")
                        .is(400)
                        .text("error"))
                .isEqualTo("invalid_request");
        assertThat(client.post("/v0/token", "grant_type=password").is(400).text("error"))
                .isEqualTo("unsupported_grant_type");
        world.advance(Duration.ofSeconds(61));
        assertThat(SignInFixture.redeem(world, app, code).is(400).text("error")).isEqualTo("invalid_grant");
    }

    @Test
    void aClientAuthenticatesInItsRegisteredWayAlone() {
        String form = "grant_type=authorization_code&code=x";
        String post = form + "&client_id=" + app + "&client_secret=" + SignInFixture.encoded(SignInFixture.SECRET);
        HttpProbe plain = world.anonymous().with("Content-Type", "application/x-www-form-urlencoded");
        assertThat(SignInFixture.client(world, app)
                        .post("/v0/token", form)
                        .is(400)
                        .text("error"))
                .isEqualTo("invalid_grant");
        Answer wrongWay = plain.post("/v0/token", post).is(401);
        assertThat(wrongWay.text("error")).isEqualTo("invalid_client");
        assertThat(wrongWay.header("WWW-Authenticate")).isEqualTo("Basic realm=\"inboxd\"");
        assertThat(SignInFixture.client(world, app)
                        .post("/v0/token", post)
                        .is(400)
                        .text("error"))
                .isEqualTo("invalid_request");
        Answer unknown = SignInFixture.client(world, UUID.randomUUID())
                .post("/v0/token", form)
                .is(401);
        assertThat(unknown.text()).isEqualTo(wrongWay.text());
        String half = Base64.getEncoder().encodeToString((app + ":wrong").getBytes(StandardCharsets.UTF_8));
        plain.with("Authorization", "Basic " + half).post("/v0/token", form).is(401);
        plain.with("Authorization", "Basic !!").post("/v0/token", form).is(401);
        UUID posting = SignInFixture.app(world, "," + members("token_endpoint_auth_method", "client_secret_post"));
        assertThat(plain.post("/v0/token", post.replace(app.toString(), posting.toString()))
                        .is(400)
                        .text("error"))
                .isEqualTo("invalid_grant");
    }

    @Test
    void theSameSubjectEverywhereAndAnotherWhenTheAddressIsMadeAgain() throws Exception {
        Holder holder = holder("again");
        UUID second = SignInFixture.app(world, "," + members("id_token_signed_response_alg", "ES256"));
        String subject =
                claims(SignInFixture.signIn(world, app, holder).is(200)).getSubject();
        assertThat(claims(SignInFixture.signIn(world, second, holder).is(200)).getSubject())
                .isEqualTo(subject);
        assertThat(UUID.fromString(subject)).hasToString(subject);
        world.http().delete("/v0/inboxes/" + holder.inbox()).is(200);
        Holder next = Holder.register(world.http(), world.inbox("again"));
        assertThat(world.http().get("/v0/inboxes/" + next.inbox() + "/accounts").at("count"))
                .isEqualTo(0L);
        assertThat(claims(SignInFixture.signIn(world, app, next).is(200)).getSubject())
                .isNotEqualTo(subject);
    }

    @Test
    void whatEndsAKeyOrAnInboxEndsCodesAndTokensWithIt() {
        Holder deleted = holder("deleted");
        String token = SignInFixture.signIn(world, app, deleted).is(200).text("access_token");
        String open = code(deleted, app);
        SignInFixture.userinfo(world, token).is(200);
        world.http().delete("/v0/api-keys/" + deleted.id()).is(200);
        SignInFixture.userinfo(world, token).is(401);
        SignInFixture.redeem(world, app, open).is(400);

        Holder gone = holder("gone");
        String second = SignInFixture.signIn(world, app, gone).is(200).text("access_token");
        world.http().delete("/v0/inboxes/" + gone.inbox()).is(200);
        SignInFixture.userinfo(world, second).is(401);

        Holder paused = holder("resting");
        String third = code(paused, app);
        world.http()
                .patch("/v0/inboxes/" + paused.inbox(), json("status", "paused"))
                .is(200);
        assertThat(SignInFixture.redeem(world, app, third).is(400).text("error"))
                .isEqualTo("invalid_grant");
    }

    @Test
    void anAccessTokenIsNoApiKeyAndAnApiKeyNoAccessToken() {
        String token = SignInFixture.signIn(world, app, holder("kinds")).is(200).text("access_token");
        assertThat(world.as(token).get("/v0/inboxes").is(401).text("code")).isEqualTo("unknown_api_key");
        world.http().get("/v0/userinfo").is(401);
        world.anonymous().get("/v0/userinfo").is(401);
        world.anonymous()
                .with("Content-Type", "application/x-www-form-urlencoded")
                .post("/v0/userinfo", "access_token=" + token)
                .is(200);
    }

    @Test
    void whoIsBehindAnInboxIsToldByAKeyThatMay() {
        String inbox = world.inbox("owned");
        Answer narrow = world.http().post("/v0/api-keys", """
                {"permissions":{"inbox_read":true,"provider_connect":true,"api_key_create":true}}""").is(200);
        Holder quiet = Holder.register(world.as(narrow.text("api_key")), inbox);
        Answer tokens = SignInFixture.signIn(world, app, quiet).is(200);
        assertThat(tokens.text("scope")).isEqualTo("openid email profile");
        Holder sharing = Holder.register(world.http(), inbox);
        assertThat(SignInFixture.signIn(world, app, sharing).is(200).text("scope"))
                .isEqualTo("openid email profile owner_email");
        Answer told = SignInFixture.userinfo(world, tokens.text("access_token")).is(200);
        assertThat(told.at("owner_email")).isNull();
    }

    @Test
    void keysArePublishedADayBeforeTheySignAndADayAfter() throws Exception {
        Holder holder = holder("rotation");
        UUID ec = SignInFixture.app(world, "," + members("id_token_signed_response_alg", "ES256"));
        String first = kid(SignInFixture.signIn(world, ec, holder).is(200));
        Set<String> published = published();
        assertThat(published).hasSize(2).contains(first);
        try (World second = world.beside()) {
            assertThat(second.anonymous().get("/v0/jwks.json").text())
                    .isEqualTo(world.anonymous().get("/v0/jwks.json").text());
        }
        world.advance(Duration.ofDays(89).plusHours(1));
        rotate();
        assertThat(published()).hasSize(4).containsAll(published);
        assertThat(kid(SignInFixture.signIn(world, ec, holder).is(200))).isEqualTo(first);
        world.advance(Duration.ofDays(1));
        String next = kid(SignInFixture.signIn(world, ec, holder).is(200));
        assertThat(next).isNotEqualTo(first);
        assertThat(published()).hasSize(4).contains(first, next);
        world.advance(Duration.ofDays(2));
        rotate();
        assertThat(published()).hasSize(2).contains(next).doesNotContain(first);
        assertThat(world.anonymous().get("/v0/jwks.json").text())
                .doesNotContain("\"d\"")
                .doesNotContain("\"p\"");
    }

    private static void rotate() {
        new ProviderKeys(world.database(), world.vault(), world.clock()).rotate();
    }

    private static String kid(Answer tokens) throws ParseException {
        return SignedJWT.parse(tokens.text("id_token")).getHeader().getKeyID();
    }

    private static Set<String> published() throws ParseException {
        Set<String> kids = new HashSet<>();
        JWKSet.parse(world.anonymous().get("/v0/jwks.json").is(200).text())
                .getKeys()
                .forEach(key -> kids.add(key.getKeyID()));
        return kids;
    }

    @Test
    void noPrivateHalfIsReadableInARow() {
        SignInFixture.signIn(world, app, holder("sealed")).is(200);
        List<String> rows = world.database()
                .read(tx -> tx.sql("select encode(k.private_key, 'escape') as text from oidc_key k")
                        .list(row -> row.text("text")));
        assertThat(rows).isNotEmpty().allSatisfy(row -> assertThat(row).doesNotContain("\"kty\""));
    }

    @Test
    void everythingThatHoldsASecretIsNotToBeStored() {
        Holder holder = holder("store");
        Browser browser = Browser.open(world, app, SignInFixture.usual());
        holder.approve(world, browser.jti()).is(204);
        Answer back = browser.proceed().is(303);
        assertThat(back.header("Cache-Control")).isEqualTo("no-store");
        String code = SignInFixture.parameter(String.valueOf(back.header("Location")), "code");
        Answer tokens = SignInFixture.redeem(world, app, code).is(200);
        assertThat(tokens.header("Cache-Control")).isEqualTo("no-store");
        assertThat(tokens.header("Pragma")).isEqualTo("no-cache");
        assertThat(world.anonymous().get("/v0/jwks.json").header("Cache-Control"))
                .isEqualTo("max-age=300");
    }

    @Test
    void discoveryNamesTheIssuerAndOpensToPagesOfApps() {
        Answer metadata = world.anonymous()
                .with("Origin", "https://app.example")
                .get("/.well-known/oauth-authorization-server")
                .is(200);
        assertThat(metadata.text("approval_endpoint")).isEqualTo(metadata.text("issuer") + "/v0/authorize/approve");
        assertThat(metadata.header("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(world.anonymous()
                        .with("Origin", "https://app.example")
                        .with("Accept", "application/json")
                        .get(SignInFixture.authorizePath(app, SignInFixture.REDIRECT, SignInFixture.usual()))
                        .is(200)
                        .header("Access-Control-Allow-Origin"))
                .isNull();
        assertThat(AppFixture.find(world, app).isEnabled()).isTrue();
    }
}
