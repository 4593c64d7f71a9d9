package dev.inboxd.account.signup;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sign-up, state by state (identity.md §6.1). */
class SignUpHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static HumanMail letters;

    @BeforeAll
    static void start() {
        letters = new HumanMail(world);
    }

    @Test
    void anAgentGetsAnOrganizationAnInboxAndAKeyThatWorks() {
        Answer welcome = signUp("ann@human.test", "ann-agent").is(200);
        assertThat(welcome.at("") instanceof Map<?, ?> members ? members.keySet() : Set.of())
                .isEqualTo(Set.of("organization_id", "inbox_id", "api_key"));
        assertThat(welcome.text("inbox_id")).isEqualTo("ann-agent@mail.localhost");
        String key = welcome.text("api_key");
        assertThat(world.as(key).get("/v0/auth/me").is(200).text("scope_id"))
                .isEqualTo(welcome.text("organization_id"));
        world.as(key).get("/v0/inboxes/ann-agent@mail.localhost").is(200);
        assertThat(world.as(key).get("/v0/api-keys").text("api_keys.0.name")).isEqualTo("Sign-up key");
        Answer organization = world.as(key).get("/v0/organizations").is(200);
        assertThat(organization.text("type")).isEqualTo("agent_unverified");
        assertThat(organization.text("authentication_type")).isEqualTo("agent_unverified");
        assertThat(organization.at("inbox_count")).isEqualTo(1L);
        assertThat(organization.at("inbox_limit")).isEqualTo(1L);
        assertThat(organization.at("domain_count")).isEqualTo(0L);
    }

    @Test
    void theHumanGetsTheCodeByMail() {
        signUp("Bo@Human.test", "bo-agent").is(200);
        List<String> sent = letters.of("bo@human.test");
        assertThat(sent).hasSize(1);
        assertThat(sent.getFirst())
                .startsWith("DKIM-Signature:")
                .contains("To: bo@human.test", "bo-agent@mail.localhost", "Auto-Submitted: auto-generated");
        assertThat(letters.code("bo@human.test")).hasSize(6);
    }

    @Test
    void theAuthorizationHeaderIsIgnored() {
        world.as("inb_nonsense")
                .post("/v0/agent/sign-up", body("ivy@human.test", "ivy-agent"))
                .is(200);
    }

    @Test
    void whileTheCodeIsValidASecondSignUpReplacesTheKeyAndNothingElse() {
        Answer first = signUp("cat@human.test", "cat-agent").is(200);
        String code = letters.code("cat@human.test");
        verify(first.text("api_key"), letters.wrongCode("cat@human.test"));
        Answer second = signUp("CAT@human.test", "another-name").is(200);
        assertThat(second.text("organization_id")).isEqualTo(first.text("organization_id"));
        assertThat(second.text("inbox_id")).isEqualTo("cat-agent@mail.localhost");
        Refusal.of(
                world.as(first.text("api_key")).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY, "Authorization: Bearer");
        assertThat(world.as(second.text("api_key")).get("/v0/api-keys").list("api_keys"))
                .hasSize(1);
        assertThat(letters.code("cat@human.test")).isEqualTo(code);
        assertThat(letters.of("cat@human.test")).hasSize(2);
        assertThat(letters.of("cat@human.test").getLast()).contains("Subject: Your agent's key was replaced");
        assertThat(verify(second.text("api_key"), letters.wrongCode("cat@human.test"))
                        .text("message"))
                .endsWith("attempts left: 8");
        verify(second.text("api_key"), code).is(200);
    }

    @Test
    void afterTheCodeExpiredASecondSignUpSendsAnotherWithAllItsAttempts() {
        try (World own = World.start()) {
            HumanMail box = new HumanMail(own);
            String body = body("dan@human.test", "dan-agent");
            Answer first = own.anonymous().post("/v0/agent/sign-up", body).is(200);
            String old = box.code("dan@human.test");
            IntStream.range(0, 10).forEach(_ -> verify(own, first.text("api_key"), box.wrongCode("dan@human.test")));
            own.advance(Duration.ofHours(24));
            Answer second = own.anonymous().post("/v0/agent/sign-up", body).is(200);
            assertThat(box.of("dan@human.test")).hasSize(2);
            String key = second.text("api_key");
            Refusal.of(own.as(first.text("api_key")).get("/v0/auth/me"), ErrorCode.UNKNOWN_API_KEY);
            if (!old.equals(box.code("dan@human.test"))) {
                assertThat(verify(own, key, old).is(400).text("message")).endsWith("attempts left: 9");
            }
            verify(own, key, box.code("dan@human.test")).is(200);
        }
    }

    @Test
    @Proves("A31")
    void aVerifiedHumansAddressIsRefusedAndTheKeyLivesOn() {
        Answer first = signUp("eve@human.test", "eve-agent").is(200);
        verify(first.text("api_key"), letters.code("eve@human.test")).is(200);
        Answer second = Refusal.ofMember(signUp("eve@human.test", "eve-two"), "human_email");
        assertThat(second.text("message")).contains("already has an account; use its API key");
        world.as(first.text("api_key")).get("/v0/auth/me").is(200);
        assertThat(letters.of("eve@human.test")).hasSize(1);
    }

    @Test
    void aUsernameBelongsToOneAloneAndSomeToNobody() {
        signUp("fay@human.test", "fay-agent").is(200);
        Refusal.of(signUp("flo@human.test", "Fay-Agent"), ErrorCode.RESOURCE_TAKEN, "another username");
        Refusal.of(signUp("flo@human.test", "postmaster"), ErrorCode.RESOURCE_TAKEN, "another username");
        signUp("flo@human.test", "flo-agent").is(200);
    }

    @Test
    void withoutAHumanEachSignUpIsAnOrganizationOfItsOwn() {
        String body = json("username", "loner-%d");
        Answer first =
                world.anonymous().post("/v0/agent/sign-up", body.formatted(1)).is(200);
        Answer second =
                world.anonymous().post("/v0/agent/sign-up", body.formatted(2)).is(200);
        assertThat(first.text("organization_id")).isNotEqualTo(second.text("organization_id"));
        Answer refused = Refusal.ofMember(verify(first.text("api_key"), "123456"), "otp_code");
        assertThat(refused.text("fix")).contains("POST /v0/agent/human");
    }

    @Test
    void aDeletedInboxIsOpenedAgainByTheNextSignUp() {
        Answer first = signUp("gus@human.test", "gus-agent").is(200);
        world.as(first.text("api_key"))
                .delete("/v0/inboxes/gus-agent@mail.localhost")
                .is(200);
        Answer second = signUp("gus@human.test", "gus-agent").is(200);
        assertThat(second.text("organization_id")).isEqualTo(first.text("organization_id"));
        world.as(second.text("api_key"))
                .get("/v0/inboxes/gus-agent@mail.localhost")
                .is(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {} | username
                    {"username":null} | username
                    {"username":""} | username
                    {"username":7} | username
                    {"username":"a b"} | username
                    {"username":"a..b"} | username
                    {"username":"-a"} | username
                    {"username":"ünder"} | username
                    {"username":"ok1","human_email":"nobody"} | human_email
                    {"username":"ok1","human_email":""} | human_email
                    {"username":"ok1","human_email":"a@b, c@d"} | human_email
                    {"username":"ok1","human_email":"a@b.test\\r\\nBcc: x@y.test"} | human_email
                    {"username":"ok1","human_email":7} | human_email
                    {"username":"ok1","source":7} | source
                    {"username":"ok1","referrer":[]} | referrer""")
    void whatIsWrongWithASignUpIsNamed(String body, String member) {
        Refusal.ofMember(world.anonymous().post("/v0/agent/sign-up", body), member);
    }

    @Test
    void anOperatorCanCloseSignUp() {
        try (World own = World.start(Map.of("INBOXD_SIGNUP", "closed"))) {
            Refusal.of(
                    own.anonymous().post("/v0/agent/sign-up", body("h@human.test", "closed")),
                    ErrorCode.LIMIT_EXCEEDED,
                    "operator");
        }
    }

    @Test
    void anOperatorCanAskForAToken() {
        String token = "a-token-for-tests-alone";
        try (World own = World.start(Map.of("INBOXD_SIGNUP", "token", "INBOXD_SIGNUP_TOKEN", token))) {
            String body = body("h@human.test", "token");
            Refusal.of(own.anonymous().post("/v0/agent/sign-up", body), ErrorCode.LIMIT_EXCEEDED, "X-Signup-Token");
            Refusal.of(
                    own.anonymous().with("X-Signup-Token", token + "x").post("/v0/agent/sign-up", body),
                    ErrorCode.LIMIT_EXCEEDED,
                    "X-Signup-Token");
            own.anonymous()
                    .with("X-Signup-Token", token)
                    .post("/v0/agent/sign-up", body)
                    .is(200);
        }
    }

    @Test
    void signUpsOfOneHumanAtOnceMakeOneOrganizationAndLeaveOneKey() throws Exception {
        List<Answer> answers = atOnce(IntStream.range(0, 8)
                .<Callable<Answer>>mapToObj(i -> () -> signUp("hal@human.test", "hal-agent-" + i))
                .toList());
        assertThat(answers).allSatisfy(answer -> answer.is(200));
        assertThat(answers)
                .extracting(answer -> answer.text("organization_id"))
                .containsOnly(answers.getFirst().text("organization_id"));
        assertThat(answers)
                .extracting(answer -> answer.text("inbox_id"))
                .containsOnly(answers.getFirst().text("inbox_id"));
        assertThat(answers.stream()
                        .filter(answer -> world.as(answer.text("api_key"))
                                        .get("/v0/auth/me")
                                        .status()
                                == 200))
                .hasSize(1);
    }

    @Test
    void signUpsForOneUsernameAtOnceGiveItToOne() throws Exception {
        List<Answer> answers = atOnce(IntStream.range(0, 8)
                .<Callable<Answer>>mapToObj(i -> () -> signUp("jo" + i + "@human.test", "wanted"))
                .toList());
        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() != 200))
                .hasSize(7)
                .allSatisfy(answer -> Refusal.of(answer, ErrorCode.RESOURCE_TAKEN, "another username"));
    }

    @Test
    @Proves("A31")
    void aReplacedKeySeesOnlyLaterMailUntilTheHumanConfirms() {
        signUp("kim@human.test", "kim-agent").is(200);
        mail("<one@x.test>", "");
        Answer second = signUp("kim@human.test", "kim-agent").is(200);
        String key = second.text("api_key");
        assertThat(subjects(key)).isEmpty();
        mail("<two@x.test>", "In-Reply-To: <one@x.test>\n");
        assertThat(subjects(key)).containsExactly("<two@x.test>");
        verify(key, letters.code("kim@human.test")).is(200);
        assertThat(subjects(key)).containsExactly("<two@x.test>", "<one@x.test>");
    }

    @Test
    void untilAHumanConfirmsKeysMakeNoKeysAndNoSecondInbox() {
        String key = signUp("lea@human.test", "lea-agent").is(200).text("api_key");
        Refusal.of(
                world.as(key).post("/v0/api-keys", "{}"),
                ErrorCode.MISSING_PERMISSION,
                "api_key_create",
                "POST /v0/agent/verify");
        Refusal.of(world.as(key).post("/v0/inboxes", "{}"), ErrorCode.LIMIT_EXCEEDED, "POST /v0/agent/verify");
        verify(key, letters.code("lea@human.test")).is(200);
        world.as(key)
                .post("/v0/api-keys", json("permissions", object("provider_connect", true)))
                .is(200);
        world.as(key).post("/v0/inboxes", "{}").is(200);
    }

    private static void mail(String id, String more) {
        assertThat(world.mail(
                        "jo@example.com",
                        "kim-agent@mail.localhost",
                        "From: jo@example.com\nTo: kim\nSubject: " + id + "\nMessage-ID: " + id + "\n" + more
                                + "\nHello.\n"))
                .startsWith("250");
    }

    private static List<String> subjects(String key) {
        Answer list = world.as(key)
                .get("/v0/inboxes/kim-agent@mail.localhost/messages?include_unauthenticated=true")
                .is(200);
        return IntStream.range(0, list.list("messages").size())
                .mapToObj(i -> list.text("messages." + i + ".subject"))
                .toList();
    }

    private static List<Answer> atOnce(List<Callable<Answer>> calls) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers = threads.invokeAll(calls);
            return answers.stream().map(Future::resultNow).toList();
        }
    }

    private static Answer signUp(String human, String username) {
        return world.anonymous().post("/v0/agent/sign-up", body(human, username));
    }

    private static Answer verify(String key, String code) {
        return verify(world, key, code);
    }

    private static Answer verify(World at, String key, String code) {
        return at.as(key).post("/v0/agent/verify", json("otp_code", code));
    }

    private static String body(String human, String username) {
        return json("human_email", human, "username", username, "source", "inboxd-tests");
    }
}
