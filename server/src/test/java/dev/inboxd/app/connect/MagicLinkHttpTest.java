package dev.inboxd.app.connect;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Links that sign an inbox in, and what happens behind them (apps.md §4 and §6.9). */
class MagicLinkHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("LIMITS", "off"));

    private static UUID app;

    @BeforeAll
    static void start() {
        app = register("App", "");
    }

    private static UUID register(String name, String more) {
        return AppFixture.register(world, """
                {"name":"%s","redirect_uris":["https://app.example/cb"],\
                "initiate_login_uri":"https://app.example/start?a=b"%s}""".formatted(name, more));
    }

    private static Answer connect(HttpProbe http, String inbox) {
        return http.post("/v0/apps/" + app + "/connect", json("inbox_id", inbox));
    }

    private static String token(Answer link) {
        String path = URI.create(link.text("magic_url")).getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static Answer begin(World node, String token) {
        return node.anonymous().post("/v0/sign-in/begin", json("token", token));
    }

    private static HttpProbe browser(Answer begun) {
        return world.anonymous()
                .with("Cookie", String.valueOf(begun.header("Set-Cookie")).split(";", -1)[0]);
    }

    private static String activation(Answer begun, KeyHolder pair) {
        String id = begun.text("api_key_id");
        return json(
                "api_key_id",
                id,
                "public_key",
                rawJson(pair.jwk()),
                "proof",
                pair.enrolment(begun.text("challenge"), id, begun.text("inbox_id")));
    }

    @Test
    void ofTenBrowsersOnTwoNodesOneRedeemsALink() throws Exception {
        String token = token(connect(world.http(), world.inbox("ten")).is(202));
        try (World second = world.beside();
                ExecutorService threads = Executors.newFixedThreadPool(10)) {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                World node = i % 2 == 0 ? world : second;
                calls.add(() -> begin(node, token).status());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> status : threads.invokeAll(calls)) {
                statuses.add(status.get());
            }
            assertThat(statuses)
                    .containsOnly(200, 404)
                    .filteredOn(status -> status == 200)
                    .hasSize(1);
        }
    }

    @Test
    void aLinkOfAPausedInboxOpensWhenItIsResumed() {
        String inbox = world.inbox("rests");
        String token = token(connect(world.http(), inbox).is(202));
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        world.anonymous().get("/connect/" + token).is(404);
        begin(world, token).is(404);
        world.http().patch("/v0/inboxes/" + inbox, json("status", "active")).is(200);
        begin(world, token).is(200);
    }

    @Test
    void whileNothingMayLeaveNobodySignsIn() {
        String inbox = world.inbox("halted");
        String token = token(connect(world.http(), inbox).is(202));
        world.http().post("/v0/organizations/stop", "{}").is(200);
        try {
            begin(world, token).is(404);
            assertThat(connect(world.http(), inbox).is(403).text("fix")).contains("/v0/organizations/resume");
        } finally {
            world.as(world.session()).post("/v0/organizations/resume", "{}").is(200);
        }
        begin(world, token).is(200);
    }

    @Test
    void theAuditLogHasTheLifeOfASignInKey() {
        HttpProbe human = world.as(world.session());
        Answer link = connect(world.http(), world.inbox("logged")).is(202);
        Answer begun = begin(world, token(link)).is(200);
        browser(begun)
                .post("/v0/sign-in/activate", activation(begun, KeyHolder.make()))
                .is(200);
        world.http().delete("/v0/api-keys/" + link.text("api_key_id")).is(200);
        Answer log = human.get("/v0/audit-log?limit=3").is(200);
        assertThat(log.text("entries.0.action")).isEqualTo("sign_in_key.deleted");
        assertThat(log.text("entries.1.action")).isEqualTo("sign_in_key.activated");
        assertThat(log.text("entries.1.actor.api_key_id")).isEqualTo(link.text("api_key_id"));
        assertThat(log.text("entries.2.action")).isEqualTo("sign_in_key.created");
        for (String entry : List.of("0", "1", "2")) {
            assertThat(log.text("entries." + entry + ".target")).isEqualTo(link.text("api_key_id"));
        }
        assertThat(log.text()).doesNotContain(token(link));
    }

    @Test
    void aLinkLeadsToAKeyThatSignsForThirtyDays() {
        String inbox = world.inbox("thirty");
        Answer link = connect(world.http(), inbox).is(202);
        assertThat(link.header("Cache-Control")).isEqualTo("no-store");
        String key = "/v0/api-keys/" + link.text("api_key_id");
        assertThat(world.http().get(key).is(200).text("status")).isEqualTo("pending");
        assertThat(world.http().get(key).at("permissions"))
                .isEqualTo(Map.of("provider_connect", true, "provider_share_owner", true));
        String path = "/connect/" + token(link);
        assertThat(world.anonymous()
                        .with("Accept", "text/html")
                        .get(path)
                        .is(200)
                        .text())
                .contains(inbox)
                .contains("App");
        world.anonymous().send("HEAD", path, null).is(200);
        Answer begun = begin(world, token(link)).is(200);
        KeyHolder pair = KeyHolder.make();
        Answer active = browser(begun)
                .post("/v0/sign-in/activate", activation(begun, pair))
                .is(200);
        assertThat(active.text("continue_url"))
                .startsWith("https://app.example/start?a=b&iss=http")
                .endsWith("&login_hint=" + inbox.replace("@", "%40"));
        Answer shown = world.http().get(key).is(200);
        assertThat(shown.text("status")).isEqualTo("active");
        assertThat(shown.text("public_key.fingerprint")).isEqualTo(pair.key().fingerprint());
        browser(begun).post("/v0/sign-in/activate", activation(begun, pair)).is(409);
        world.anonymous().get(path).is(404);
        world.advance(Duration.ofDays(31));
        world.http().get(key).is(404);
    }

    @Test
    void onlyTheBrowserThatBeganActivatesAndOnlyWithAProof() {
        Answer begun = begin(
                        world, token(connect(world.http(), world.inbox("proof")).is(202)))
                .is(200);
        KeyHolder pair = KeyHolder.make();
        String right = activation(begun, pair);
        world.anonymous().post("/v0/sign-in/activate", right).is(401);
        browser(begun)
                .with("Origin", "https://evil.example")
                .post("/v0/sign-in/activate", right)
                .is(403);
        String id = begun.text("api_key_id");
        String inbox = begun.text("inbox_id");
        List<String> proofs = List.of(
                KeyHolder.make().enrolment(begun.text("challenge"), id, inbox),
                pair.enrolment("other", id, inbox),
                pair.enrolment(begun.text("challenge"), UUID.randomUUID().toString(), inbox),
                pair.enrolment(begun.text("challenge"), id, "other@mail.localhost"),
                pair.approval(id, "x", inbox));
        for (String proof : proofs) {
            String body = json("api_key_id", id, "public_key", rawJson(pair.jwk()), "proof", proof);
            browser(begun).post("/v0/sign-in/activate", body).is(400);
        }
        browser(begun)
                .post("/v0/sign-in/activate", right.replace(members("kty", "EC"), members("kty", "EC", "d", "x")))
                .is(400);
        browser(begun).post("/v0/sign-in/activate", right).is(200);
    }

    @Test
    void aLinkEndsWithItsTimeItsKeyAndTheKeyThatAskedForIt() {
        String inbox = world.inbox("ends");
        String late = token(connect(world.http(), inbox).is(202));
        world.advance(Duration.ofMinutes(6));
        begin(world, late).is(404);
        Answer withdrawn = connect(world.http(), inbox).is(202);
        world.http().delete("/v0/api-keys/" + withdrawn.text("api_key_id")).is(200);
        begin(world, token(withdrawn)).is(404);
        Answer bearer = world.http()
                .post("/v0/api-keys", json("permissions", object("provider_connect", true, "inbox_read", true)))
                .is(200);
        String orphan = token(connect(world.as(bearer.text("api_key")), inbox).is(202));
        world.http().delete("/v0/api-keys/" + bearer.text("api_key_id")).is(200);
        begin(world, orphan).is(404);
    }

    @Test
    void aLinkThatWasOpenedFromAnotherSiteAsksFirst() {
        String path =
                "/connect/" + token(connect(world.http(), world.inbox("site")).is(202));
        HttpProbe json = world.anonymous().with("Accept", "application/json");
        assertThat(json.get(path).at("confirm")).isEqualTo(false);
        assertThat(json.with("Sec-Fetch-Site", "cross-site").get(path).at("confirm"))
                .isEqualTo(true);
        assertThat(json.with("Sec-Fetch-Site", "none").get(path).at("confirm")).isEqualTo(false);
    }

    @Test
    void theSameRequestGivesTheSameLinkWhileItLives() {
        HttpProbe http = world.http().with("Idempotency-Key", "once~1");
        String inbox = world.inbox("once");
        Answer first = connect(http, inbox).is(202);
        assertThat(connect(http, inbox).is(202).text()).isEqualTo(first.text());
        assertThat(connect(http, world.inbox("twice")).is(409).text("code")).isEqualTo("idempotency_conflict");
        begin(world, token(first)).is(200);
        assertThat(connect(http, inbox).is(202).text()).isNotEqualTo(first.text());
        connect(world.http().with("Idempotency-Key", "not valid"), inbox).is(400);
    }

    @Test
    void connectRefusesWhatCouldNotSignIn() {
        String inbox = world.inbox("refused");
        UUID silent =
                AppFixture.register(world, json("name", "Silent", "redirect_uris", List.of("https://app.example/cb")));
        String body = json("inbox_id", inbox);
        world.http().post("/v0/apps/" + silent + "/connect", body).is(404);
        world.http()
                .post("/v0/apps/" + app + "/connect", json("inbox_id", "nobody@mail.localhost"))
                .is(404);
        world.http().post("/v0/apps/" + app + "/connect", "{}").is(400);
        UUID full = register("Full", "," + members("owner_signup_limit", 0));
        Answer limit =
                world.http().post("/v0/providers/" + full + "/connect", body).is(403);
        assertThat(limit.text("name")).isEqualTo("AppSignupLimitError");
        UUID curious = register("Curious", "," + members("scopes", List.of("openid", "owner_email")));
        Answer narrow = world.http()
                .post("/v0/api-keys", json("permissions", object("provider_connect", true, "inbox_read", true)))
                .is(200);
        Answer missing = world.as(narrow.text("api_key"))
                .post("/v0/apps/" + curious + "/connect", json("inbox_id", inbox, "accept_disclosure", true))
                .is(403);
        assertThat(missing.text("code")).isEqualTo("missing_permission");
        world.as(world.session()).post("/v0/apps/" + app + "/connect", body).is(401);
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        assertThat(connect(world.http(), inbox).is(403).text("code")).isEqualTo("inbox_paused");
    }
}
