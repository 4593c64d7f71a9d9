package dev.inboxd.account.signup;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verification, case by case (identity.md §6.2). Each test has an agent of its own. */
class VerificationHttpTest {
    private static final AtomicInteger AGENTS = new AtomicInteger();

    @RegisterExtension
    private static final World world = World.start();

    private static HumanMail letters;
    private final String username = "agent-" + AGENTS.incrementAndGet();
    private final String human = username + "@people.test";
    private String key = "";

    @BeforeAll
    static void start() {
        letters = new HumanMail(world);
    }

    @BeforeEach
    void signUp() {
        key = renewed();
    }

    @Test
    void theRightCodeVerifiesOnceAndForAll() {
        Answer verified = verify(" " + letters.code(human) + " ").is(200);
        assertThat(verified.at("")).isEqualTo(Map.of("verified", true));
        Answer organization = world.as(key).get("/v0/organizations").is(200);
        assertThat(organization.text("type")).isEqualTo("agent_verified");
        assertThat(organization.at("inbox_limit")).isNull();
        Refusal.of(verify(letters.code(human)), ErrorCode.MISSING_PERMISSION, "agent_verify", "verified already");
    }

    @Test
    void anOrganizationThatWasNeverAnAgentsHasNothingToVerify() {
        Refusal.of(
                world.http().post("/v0/agent/verify", json("otp_code", "123456")),
                ErrorCode.MISSING_PERMISSION,
                "agent_verify",
                "verified already");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {}
                    {"otp_code":null}
                    {"otp_code":""}
                    {"otp_code":"  "}
                    {"otp_code":"12345"}
                    {"otp_code":"1234567"}
                    {"otp_code":"12345a"}
                    {"otp_code":"123 456"}
                    {"otp_code":"١٢٣٤٥٦"}
                    {"otp_code":123456}""")
    void whatIsNoCodeIsRefusedAndNotCounted(String body) {
        Refusal.ofMember(world.as(key).post("/v0/agent/verify", body), "otp_code");
        assertThat(attempts()).isZero();
    }

    @Test
    void aWrongCodeSaysHowManyAttemptsAreLeft() {
        for (int left = 9; left >= 0; left--) {
            assertThat(Refusal.ofMember(verifyWrongly(), "otp_code").text("message"))
                    .endsWith("attempts left: " + left);
        }
    }

    @Test
    @Proves("A30")
    void afterTenAttemptsEvenTheRightCodeIsRefused() {
        IntStream.range(0, 10).forEach(_ -> verifyWrongly().is(400));
        Refusal.of(verify(letters.code(human)), ErrorCode.LIMIT_EXCEEDED, "Wait until", "POST /v0/agent/sign-up");
        world.advance(Duration.ofHours(24));
        Refusal.of(verify(letters.code(human)), ErrorCode.LIMIT_EXCEEDED, "sign up again now");
        key = renewed();
        verify(letters.code(human)).is(200);
    }

    @Test
    void nineWrongAttemptsLeaveOneForTheRightCode() {
        IntStream.range(0, 9).forEach(_ -> verifyWrongly().is(400));
        verify(letters.code(human)).is(200);
    }

    @Test
    @Proves("P18")
    void aCodeLivesForADay() {
        world.advance(Duration.ofHours(24).minusMinutes(1));
        assertThat(verifyWrongly().is(400).text("message")).contains("wrong");
        world.advance(Duration.ofMinutes(1));
        assertThat(Refusal.ofMember(verify(letters.code(human)), "otp_code").text("message"))
                .contains("expired", "sign up again");
        assertThat(attempts()).isEqualTo(1);
    }

    @Test
    @Proves("A30")
    void fiftyWrongCodesAtOnceAreTenAttempts() throws Exception {
        List<Answer> answers = atOnce(50, this::verifyWrongly);
        assertThat(answers.stream().filter(answer -> answer.status() == 400)).hasSize(10);
        assertThat(answers.stream().filter(answer -> answer.status() == 403))
                .hasSize(40)
                .allSatisfy(answer -> Refusal.of(answer, ErrorCode.LIMIT_EXCEEDED, "Wait until"));
        assertThat(attempts()).isEqualTo(10);
    }

    @Test
    void theRightCodeSentManyTimesAtOnceVerifiesOnce() throws Exception {
        String code = letters.code(human);
        List<Answer> answers = atOnce(10, () -> verify(code));
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() != 200))
                .hasSize(9)
                .allSatisfy(answer -> Refusal.of(answer, ErrorCode.MISSING_PERMISSION, "agent_verify"));
    }

    @Test
    void aCodeOpensItsOwnOrganizationAlone() {
        String other = world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", "other@people.test", "username", "other"))
                .is(200)
                .text("api_key");
        String code = letters.code(human);
        if (!code.equals(letters.code("other@people.test"))) {
            Refusal.ofMember(world.as(other).post("/v0/agent/verify", json("otp_code", code)), "otp_code");
        }
    }

    @Test
    void onlyAKeyVerifies() {
        Refusal.of(world.as("aaaa.bbbb.cccc").post("/v0/agent/verify", "{}"), ErrorCode.INVALID_TOKEN_TYPE, "inb_");
        Refusal.of(
                world.anonymous().post("/v0/agent/verify", "{}"),
                ErrorCode.MISSING_AUTHORIZATION,
                "Authorization: Bearer");
    }

    private String renewed() {
        return world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", human, "username", username))
                .is(200)
                .text("api_key");
    }

    private Answer verify(String code) {
        return world.as(key).post("/v0/agent/verify", json("otp_code", code));
    }

    private Answer verifyWrongly() {
        return verify(letters.wrongCode(human));
    }

    private int attempts() {
        UUID organization = UUID.fromString(world.as(key).get("/v0/auth/me").text("organization_id"));
        return world.database()
                .read(tx -> tx.sql(View.of(organization), "select c.attempts from one_time_code c where {c}")
                        .single(row -> row.integer("attempts")));
    }

    private static List<Answer> atOnce(int times, Callable<Answer> call) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads
                    .invokeAll(IntStream.range(0, times).mapToObj(_ -> call).toList())
                    .stream()
                    .map(Future::resultNow)
                    .toList();
        }
    }
}
