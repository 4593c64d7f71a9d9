package dev.inboxd.base.http;

import static dev.inboxd.base.access.Gate.AGENT_VERIFY;
import static dev.inboxd.base.access.Gate.ANY_KEY;
import static dev.inboxd.base.access.Gate.ORGANIZATION_READ;
import static dev.inboxd.base.access.Gate.PUBLIC;
import static dev.inboxd.base.access.Permission.INBOX_READ;
import static dev.inboxd.base.access.Permission.MESSAGE_REPLY;
import static dev.inboxd.base.access.Permission.MESSAGE_SEND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Who gets through to which handler, and how everyone else is told. */
class RequestGuardsHttpTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(table -> {
            Routes organization = table.at(Level.ORGANIZATION);
            organization.get(PUBLIC, "/open", request -> Response.ok(Map.of("open", true)));
            organization.get(
                    PUBLIC,
                    "/thread",
                    request ->
                            Response.ok(Map.of("virtual", Thread.currentThread().isVirtual())));
            organization.get(
                    ANY_KEY,
                    "/me",
                    request -> Response.ok(JsonObject.of("key", request.caller().apiKeyId())));
            organization.get(ORGANIZATION_READ, "/organizations", request -> Response.ok());
            organization.post(AGENT_VERIFY, "/agent/verify", request -> Response.ok());
            organization.get(INBOX_READ, "/inboxes/{inbox_id}", RequestGuardsHttpTest::view);
            organization.get(INBOX_READ, "/problems/{code}", request -> {
                throw Problem.of(ErrorCode.valueOf(request.path("code")), "As asked")
                        .with("current_revision", 7)
                        .retryAfter(Duration.ofSeconds(9));
            });
            organization.get(INBOX_READ, "/fault", request -> {
                throw new IllegalStateException("a secret");
            });
            table.at(Level.POD).get(INBOX_READ, "/threads", RequestGuardsHttpTest::view);
            Routes inbox = table.at(Level.INBOX);
            inbox.get(INBOX_READ, "/threads", RequestGuardsHttpTest::view);
            inbox.post(new Access.Either(MESSAGE_SEND, MESSAGE_REPLY), "/reply", request -> Response.ok());
        });
    }

    private static Response view(Request request) {
        return Response.ok(JsonObject.of("pod", request.view().pod())
                .with("inbox", request.view().inbox()));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyAnswerCarriesAFreshRequestIdAndTheSecurityHeaders() {
        var probe = server.as("organization").with("X-Request-Id", "req_mine");
        var answer = probe.get("/v0/me").is(200);
        assertThat(answer.header("X-Request-Id"))
                .matches("req_[0-9A-HJKMNP-TV-Z]{26}")
                .isNotEqualTo(probe.get("/v0/me").header("X-Request-Id"));
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("Content-Type")).isEqualTo("application/json; charset=utf-8");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("Content-Security-Policy")).isEqualTo("default-src 'none'; frame-ancestors 'none'");
        assertThat(answer.header("Strict-Transport-Security")).isNull();
        assertThat(answer.header("Server")).isNull();
    }

    @ParameterizedTest
    @Proves("A29")
    @CsvSource({
        "bearer x,scheme",
        "Basic x,scheme",
        "Bearer,no key",
        "'Bearer ',no key",
        "Bearer a b,whitespace",
        "Bearer  a,whitespace",
        "'',scheme"
    })
    void aCredentialThatIsNotPresentedRightIsToldWhy(String header, String why) {
        var answer = server.as(null).with("Authorization", header).get("/v0/me").is(401);
        assertThat(answer.at("code")).isEqualTo("missing_authorization");
        assertThat(answer.text("message")).contains(why);
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"inboxd\"");
    }

    @Test
    void noCredentialIsToldSo() {
        assertThat(server.as(null).get("/v0/me").is(401).text("message")).contains("missing");
    }

    @Test
    void anUnknownKeyIsRefusedWithTheChallenge() {
        var answer = server.as("stranger").get("/v0/me").is(401);
        assertThat(answer.at("code")).isEqualTo("unknown_api_key");
        assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"inboxd\"");
    }

    @Test
    void aPublicRouteDoesNotEvenReadTheHeader() {
        assertThat(server.as("stranger").get("/v0/open").is(200).at("open")).isEqualTo(true);
    }

    @Test
    void aHandlerRunsOnAVirtualThreadAndMayBlock() {
        assertThat(server.as(null).get("/v0/thread").is(200).at("virtual")).isEqualTo(true);
    }

    @Test
    void aMissingFlagIsNamedWithItsRemedy() {
        var answer = server.as("bare").get("/v0/inboxes/a@b.c/threads").is(403);
        assertThat(answer.at("code")).isEqualTo("missing_permission");
        assertThat(answer.at("message")).isEqualTo("Forbidden");
        assertThat(answer.text("fix")).contains("inbox_read");
        server.as("bare").get("/v0/me").is(200);
    }

    @Test
    void whatTheCallerCannotSeeIsNotFoundBeforeItsFlagsAreAsked() {
        assertThat(server.as("bare").get("/v0/inboxes/x@y.z/threads").is(404).at("message"))
                .isEqualTo("Inbox not found");
    }

    @Test
    void anInboxKeyIsClosedOutFromPodRoutes() {
        assertThat(server.as("inbox")
                        .get("/v0/pods/" + TestServer.POD + "/threads")
                        .is(403)
                        .at("code"))
                .isEqualTo("forbidden");
    }

    @Test
    void theLevelNarrowsTheView() {
        assertThat(server.as("organization")
                        .get("/v0/pods/" + TestServer.POD + "/threads")
                        .is(200)
                        .at("pod"))
                .isEqualTo(TestServer.POD.toString());
        assertThat(server.as("organization")
                        .get("/v0/inboxes/a%40b.c/threads")
                        .is(200)
                        .at("inbox"))
                .isEqualTo(TestServer.INBOX.toString());
        assertThat(server.as("organization").get("/v0/inboxes/a@b.c").is(200).at("inbox"))
                .isNull();
    }

    @Test
    void theDerivedFlagsFollowFromTheCredential() {
        server.as("organization").get("/v0/organizations").is(200);
        assertThat(server.as("inbox").get("/v0/organizations").is(403).text("fix"))
                .contains("organization_read");
        server.as("agent").post("/v0/agent/verify", "").is(200);
        assertThat(server.as("organization")
                        .post("/v0/agent/verify", "")
                        .is(403)
                        .text("fix"))
                .contains("agent_verify", "verified already");
    }

    @Test
    void eitherOfTwoFlagsIsNamedByTheUsualOne() {
        server.as("organization").post("/v0/inboxes/a@b.c/reply", "").is(200);
        assertThat(server.as("bare").post("/v0/inboxes/a@b.c/reply", "").is(403).text("fix"))
                .contains("message_send");
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeIsRenderedInTheOneForm(ErrorCode code) {
        var answer = server.as("organization").get("/v0/problems/" + code).is(code.status());
        assertThat(answer.at("code")).isEqualTo(code.wireName());
        assertThat(answer.at("name")).isEqualTo(code.legacyName());
        assertThat(answer.at("message")).isEqualTo("As asked");
        assertThat(answer.at("fix")).isEqualTo(code.fix());
        assertThat(answer.at("docs")).isEqualTo("http://docs.test/errors#" + code.wireName());
        assertThat(answer.at("request_id")).isEqualTo(answer.header("X-Request-Id"));
        assertThat(answer.at("current_revision")).isEqualTo(7L);
        assertThat(answer.header("Retry-After")).isEqualTo("9");
        assertThat(answer.at("Retry-After")).isNull();
        assertThat(answer.at("errors") != null).isEqualTo(code.status() == 400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json; charset=utf-8");
    }

    @Test
    @Proves("P22")
    void aFaultOfOursTellsNothing() {
        var answer = server.as("organization").get("/v0/fault").is(500);
        assertThat(answer.at("code")).isEqualTo("internal_error");
        assertThat(answer.text()).doesNotContain("secret").doesNotContain("Exception");
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/v0/nowhere",
        "POST,/v0/me",
        "PUT,/v0/me",
        "OPTIONS,/v0/me",
        "GET,/",
        "GET,/v0",
        "GET,/v0/me/",
        "GET,//v0/me",
        "GET,/v0//me",
        "GET,/v0/inboxes//threads"
    })
    void anUnknownRouteOrMethodIsNotFoundWithoutAKey(String method, String path) {
        var answer = server.as(null).send(method, path, null).is(404);
        if (!method.equals("HEAD")) {
            assertThat(answer.at("code")).isEqualTo("not_found");
        }
    }
}
