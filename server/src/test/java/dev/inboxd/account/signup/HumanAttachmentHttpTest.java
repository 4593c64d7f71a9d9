package dev.inboxd.account.signup;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attaching a human to an agent's organization (identity.md §6.3). Each test has an agent of its own. */
class HumanAttachmentHttpTest {
    private static final AtomicInteger AGENTS = new AtomicInteger();

    @RegisterExtension
    private static final World world = World.start();

    private static HumanMail letters;
    private final String username = "attaching-" + AGENTS.incrementAndGet();
    private final String human = username + "@people.test";

    @BeforeAll
    static void start() {
        letters = new HumanMail(world);
    }

    @Test
    void anAgentWithoutAHumanGetsOneAndIsVerifiedByHisCode() {
        String key = signUp(null);
        Refusal.ofMember(world.as(key).post("/v0/agent/verify", json("otp_code", "123456")), "otp_code");
        Answer attached = attach(key, " " + human.toUpperCase(Locale.ROOT)).is(200);
        assertThat(attached.at("human_email")).isEqualTo(human);
        assertThat(attached.text("instructions")).contains(human, "POST /v0/agent/verify");
        assertThat(attached.at(""))
                .isEqualTo(Map.of("human_email", human, "instructions", attached.text("instructions")));
        assertThat(letters.of(human)).singleElement().asString().contains(username + "@");
        world.as(key)
                .post("/v0/agent/verify", json("otp_code", letters.code(human)))
                .is(200);
        Refusal.of(attach(key, human), ErrorCode.MISSING_PERMISSION, "agent_verify", "verified already");
    }

    @Test
    void theSameHumanAgainKeepsTheLiveCodeAndItsAttempts() {
        String key = signUp(human);
        world.as(key)
                .post("/v0/agent/verify", json("otp_code", letters.wrongCode(human)))
                .is(400);
        attach(key, human).is(200);
        assertThat(letters.of(human)).hasSize(1);
        assertThat(attempts(key)).isEqualTo(1);
        world.advance(Duration.ofHours(25));
        attach(key, human).is(200);
        assertThat(letters.of(human)).hasSize(2);
        assertThat(attempts(key)).isZero();
        world.as(key)
                .post("/v0/agent/verify", json("otp_code", letters.code(human)))
                .is(200);
    }

    @Test
    void aLetterThatCameBackIsSentAgain() {
        String key = signUp(human);
        world.database()
                .write(
                        organization(key),
                        tx -> tx.sql(
                                        View.of(organization(key)),
                                        "update submission_recipient r"
                                                + " set state = 'bounced', due_at = null, settled_at = {now} where {r}")
                                .run());
        attach(key, human).is(200);
        assertThat(letters.of(human)).hasSize(2);
    }

    @Test
    void anotherHumanTakesThePlaceTwice() {
        String key = signUp(human);
        String code = letters.code(human);
        attach(key, "second-" + human).is(200);
        if (!code.equals(letters.code("second-" + human))) {
            Refusal.ofMember(world.as(key).post("/v0/agent/verify", json("otp_code", code)), "otp_code");
        }
        attach(key, human).is(200);
        Refusal.of(attach(key, "third-" + human), ErrorCode.LIMIT_EXCEEDED, human);
        assertThat(letters.of("third-" + human)).isEmpty();
        world.as(key)
                .post("/v0/agent/verify", json("otp_code", letters.code(human)))
                .is(200);
    }

    /** Three calls that need no code of the human: sign up in his name, name oneself, verify. */
    @Test
    @Proves("A31")
    void whoGotTheKeyBySigningUpAgainPutsNobodyElseInTheHumansPlace() {
        signUp(human);
        assertThat(world.mail(
                        "jo@example.com",
                        username + "@mail.localhost",
                        "From: jo@example.com\nTo: agent\nSubject: private\nMessage-ID: <private-" + username
                                + "@x.test>\n\nHello.\n"))
                .startsWith("250");
        String key = signUp(human);
        Answer refused = Refusal.of(attach(key, "thief-" + human), ErrorCode.LIMIT_EXCEEDED, human, "sign up");
        assertThat(refused.text("message")).contains("given out again");
        assertThat(letters.of("thief-" + human)).isEmpty();
        attach(key, human).is(200);
        String list = "/v0/inboxes/" + username + "@mail.localhost/messages?include_unauthenticated=true";
        assertThat(world.as(key).get(list).is(200).list("messages")).isEmpty();
        world.as(key)
                .post("/v0/agent/verify", json("otp_code", letters.code(human)))
                .is(200);
        assertThat(world.as(key).get(list).is(200).list("messages")).hasSize(1);
    }

    @Test
    void whoIsReplacedIsTold() {
        String key = signUp(human);
        attach(key, "new-" + human).is(200);
        assertThat(letters.of(human)).hasSize(2);
        assertThat(letters.of(human).getLast())
                .contains("Subject: Your agent has named another human", username + "@mail.localhost")
                .doesNotContain("new-" + human);
        assertThat(letters.of("new-" + human)).hasSize(1);
    }

    @Test
    void whoIsLetGoIsFreeAndHisAgentIsOutOfHisReach() {
        String key = signUp(human);
        attach(key, "new-" + human).is(200);
        Answer own = world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", human, "username", "again-" + username))
                .is(200);
        assertThat(own.text("organization_id")).isNotEqualTo(organization(key).toString());
        world.as(key).get("/v0/auth/me").is(200);
    }

    @Test
    void aHumanStandsBehindOneOrganization() {
        String key = signUp(human);
        Answer other = world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", "other-" + human, "username", "other-" + username))
                .is(200);
        Refusal.ofMember(attach(other.text("api_key"), human), "human_email");
        world.as(key)
                .post("/v0/agent/verify", json("otp_code", letters.code(human)))
                .is(200);
        Refusal.ofMember(attach(other.text("api_key"), human), "human_email");
        assertThat(letters.of(human)).hasSize(1);
    }

    @Test
    void onlyTheHumanAttachedLastIsWrittenTo() {
        String key = signUp(human);
        attach(key, "new-" + human).is(200);
        String send = "/v0/inboxes/" + username + "@mail.localhost/messages/send";
        Refusal.of(world.as(key).post(send, json("to", human, "text", "Hi")), ErrorCode.MESSAGE_REJECTED);
        world.as(key).post(send, json("to", "new-" + human, "text", "Hi")).is(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}
                    {"human_email":null}
                    {"human_email":""}
                    {"human_email":"nobody"}
                    {"human_email":7}
                    {"human_email":"a@b.test\\r\\nBcc: c@d.test"}""")
    void whatIsNoHumanIsRefused(String body) {
        Refusal.ofMember(world.as(signUp(human)).post("/v0/agent/human", body), "human_email");
    }

    @Test
    void onlyAKeyOfAnUnverifiedOrganizationAttaches() {
        Refusal.of(attach(world.key(), human), ErrorCode.MISSING_PERMISSION, "agent_verify");
        Refusal.of(attach("aaaa.bbbb.cccc", human), ErrorCode.INVALID_TOKEN_TYPE, "inb_");
    }

    private String signUp(@Nullable String humanEmail) {
        return world.anonymous()
                .post(
                        "/v0/agent/sign-up",
                        "{" + members("username", username)
                                + (humanEmail == null ? "" : "," + members("human_email", humanEmail)) + "}")
                .is(200)
                .text("api_key");
    }

    private static Answer attach(String key, String humanEmail) {
        return world.as(key).post("/v0/agent/human", json("human_email", humanEmail));
    }

    private static UUID organization(String key) {
        return UUID.fromString(world.as(key).get("/v0/auth/me").text("organization_id"));
    }

    private static int attempts(String key) {
        return world.database()
                .read(tx -> tx.sql(View.of(organization(key)), "select c.attempts from one_time_code c where {c}")
                        .single(row -> row.integer("attempts")));
    }
}
