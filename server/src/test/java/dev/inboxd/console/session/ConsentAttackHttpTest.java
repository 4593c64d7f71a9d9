package dev.inboxd.console.session;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is not let in by the consent of a person: whoever guesses, replays, steers a browser or claims to be another. */
class ConsentAttackHttpTest {
    private static final String MCP_PING = json("jsonrpc", "2.0", "id", 1, "method", "ping");

    @RegisterExtension
    private static final World world =
            World.start(Map.of("INBOXD_CONSOLE", "sign-in", "INBOXD_PUBLIC_URL", ProgramProbe.OWN));

    private static ProgramProbe program;

    @BeforeAll
    static void start() {
        program = ProgramProbe.of(world, "Desk");
    }

    private static Answer asks(String name, String value) {
        Map<String, String> query = program.query();
        query.put(name, value);
        return program.browser().get(ProgramProbe.path(query));
    }

    private static void isRefused(Answer token) {
        assertThat(token.is(400).text("error")).isEqualTo("invalid_grant");
    }

    @ParameterizedTest
    @CsvSource({
        "redirect_uri, https://evil.test/callback",
        "redirect_uri, http://127.0.0.1:49152/callback/../other",
        "redirect_uri, http://127.0.0.1:49152/callback?x=1",
        "redirect_uri, http://localhost:49152/callback",
        "redirect_uri, //evil.test",
        "redirect_uri, javascript:alert(1)",
        "client_id, client_AAAA",
        "client_id, nobody",
        "client_id, https://127.0.0.1/client.json",
        "client_id, http://evil.test/client.json"
    })
    void nobodyIsSentToAnAddressThatIsNotTheProgramsOwn(String name, String value) {
        Answer refused = asks(name, value).is(400);
        assertThat(refused.header("Location")).isNull();
        assertThat(refused.text()).doesNotContain(">Allow<");
    }

    @ParameterizedTest
    @CsvSource({
        "code_challenge, '', invalid_request",
        "code_challenge, short, invalid_request",
        "code_challenge_method, plain, invalid_request",
        "code_challenge_method, '', invalid_request",
        "response_type, token, unsupported_response_type",
        "response_mode, fragment, invalid_request",
        "resource, https://other.test/mcp, invalid_target"
    })
    void aWeakRequestIsShownAndThenToldToTheProgramWithTheIssuer(String name, String value, String error) {
        Answer page = asks(name, value).is(200);
        assertThat(page.header("Location")).as("nobody is led away unseen").isNull();
        assertThat(page.text()).contains("127.0.0.1:49152").doesNotContain(">Allow<");
        Map<String, String> query = program.query();
        query.put(name, value);
        assertThat(ProgramProbe.parameters(program.browser()
                        .with("Origin", ProgramProbe.OWN)
                        .post(ProgramProbe.path(query), "do=deny&token=" + ProgramProbe.token(page.text()))))
                .containsEntry("error", error)
                .containsEntry("state", "s t&ä")
                .containsEntry("iss", ProgramProbe.OWN + "/console")
                .doesNotContainKey("code");
    }

    @Test
    void aParameterThatStandsTwiceIsRefused() {
        program.browser()
                .get(ProgramProbe.path(program.query()) + "&redirect_uri=https%3A%2F%2Fevil.test")
                .is(400);
    }

    @ParameterizedTest
    @CsvSource({
        "client_id, client_AAAA",
        "redirect_uri, http://127.0.0.1:1/callback",
        "code_verifier, another-verifier-of-more-than-forty-three-characters",
        "code_verifier, short",
        "code, 00000000000000000000000000000000x",
        "code, x"
    })
    void aCodeIsForTheProgramThatAskedForIt(String name, String value) {
        String code = program.code("read", "");
        Map<String, String> form = program.redemption(code);
        form.put(name, value);
        isRefused(program.redeems(form));
        program.redeems(program.redemption(code)).is(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"code", "client_id", "redirect_uri", "code_verifier", "grant_type"})
    void whatIsMissingIsNotAssumed(String name) {
        Map<String, String> form = program.redemption(program.code("read", ""));
        form.remove(name);
        assertThat(program.redeems(form).is(400).text("error")).isEqualTo("invalid_request");
    }

    @Test
    void aTokenIsForTheResourceThatItWasAskedFor() {
        Map<String, String> form = program.redemption(program.code("read", ""));
        form.put("resource", "https://other.test/mcp");
        assertThat(program.redeems(form).is(400).text("error")).isEqualTo("invalid_target");
        form.put("grant_type", "refresh_token");
        assertThat(program.redeems(form).is(400).text("error")).isEqualTo("unsupported_grant_type");
    }

    @Test
    void aCodeThatComesAgainEndsTheKeyThatItGave() {
        String code = program.code("read", "");
        String key = program.redeems(program.redemption(code)).is(200).text("access_token");
        world.as(key).post("/mcp", MCP_PING).is(200);
        isRefused(program.redeems(program.redemption(code)));
        world.as(key).post("/mcp", MCP_PING).is(401);
    }

    @Test
    void aCodeThatIsRedeemedSeveralTimesAtOnceLeavesNoKey() throws Exception {
        String code = program.code("read", "");
        Callable<Answer> redeeming = () -> program.redeems(program.redemption(code));
        List<Answer> answers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Answer> answer : threads.invokeAll(Collections.nCopies(6, redeeming))) {
                answers.add(answer.get());
            }
        }
        List<String> keys = answers.stream()
                .filter(answer -> answer.status() == 200)
                .map(answer -> answer.text("access_token"))
                .toList();
        assertThat(keys).hasSizeLessThan(2);
        keys.forEach(key -> world.as(key).post("/mcp", MCP_PING).is(401));
    }

    @Test
    void aCodeIsGoodForAMinute() {
        String code = program.code("read", "");
        world.advance(Duration.ofSeconds(61));
        isRefused(program.redeems(program.redemption(code)));
    }

    @Test
    void aFormThatIsNotOfThisPageAndPersonLetsNobodyIn() {
        Map<String, String> allow = Map.of("do", "allow", "access", "all", "inbox", "");
        String path = ProgramProbe.path(program.query());
        String token = ProgramProbe.token(program.browser().get(path).is(200).text());
        program.sends("", allow).is(403);
        program.sends("x".repeat(43), allow).is(403);
        program.browser()
                .with("Origin", "https://evil.test")
                .post(path, "token=" + token + "&" + ProgramProbe.form(allow))
                .is(403);
        ProgramProbe other = program.with(world.session());
        other.sends(token, allow).is(403);
        program.sends(token, Map.of("do", "allow", "access", "root", "inbox", ""))
                .is(400);
        program.sends(token, Map.of("do", "allow", "access", "all", "inbox", "foreign@else.test"))
                .is(404);
        assertThat(ProgramProbe.parameters(program.sends(token, allow))).containsKey("code");
    }

    @Test
    void aSessionThatEndsMeanwhileLetsNobodyIn() {
        ProgramProbe leaving = program.with(world.session());
        Map<String, String> allow = Map.of("do", "allow", "access", "all", "inbox", "");
        String token = ProgramProbe.token(leaving.browser()
                .get(ProgramProbe.path(leaving.query()))
                .is(200)
                .text());
        String code = leaving.code("read", "");
        world.as(leaving.session()).delete("/console/session").is(200);
        Answer led = leaving.sends(token, allow).is(303);
        assertThat(led.header("Location")).startsWith("/console/enter?then=%2Fauthorize");
        isRefused(leaving.redeems(leaving.redemption(code)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.test",
                "https://evil.test/",
                "/\\evil.test",
                "x\r\nSet-Cookie: a=b",
                "a b",
                "javascript:alert(1)"
            })
    void theSignInLeadsToPagesOfOursAlone(String then) {
        ProgramProbe nobody = program.with("");
        String page = nobody.browser()
                .get("/console/enter?then=" + ConsoleProbe.encoded(then))
                .is(200)
                .text();
        String value = ConsoleProbe.between(page, "name=\"then\" value=\"", "\"");
        assertThat(value.isEmpty() || value.equals(then)).isTrue();
        String human = "then-" + Integer.toHexString(then.hashCode()) + "@people.test";
        world.database()
                .<Boolean>writeGlobal(
                        tx -> dev.inboxd.tenant.organization.OrganizationHumans.claim(tx, human, world.organization()));
        HttpProbe browser = nobody.browser().with("Origin", ProgramProbe.OWN);
        String form = "token=" + ProgramProbe.token(page) + "&address=" + human + "&then=" + ConsoleProbe.encoded(then);
        browser.post("/console/enter", form).is(200);
        String code = world.lettersSince(human, 0)
                .getLast()
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
        String location = Objects.requireNonNull(browser.post("/console/enter/code", form + "&code=" + code)
                .is(303)
                .header("Location"));
        assertThat(location).isEqualTo("/console");
    }

    @Test
    void aForeignPageThatLeadsHereGetsNoFurtherWithoutTheSessionsCookie() {
        Answer onward = program.with("")
                .browser()
                .with("Sec-Fetch-Site", "cross-site")
                .get(ProgramProbe.path(program.query()))
                .is(200);
        assertThat(onward.text())
                .contains("href=\"/console/authorize?response_type=code&amp;")
                .doesNotContain(">Allow<");
    }

    @Test
    void theNameOfAProgramIsTextAndNothingElse() {
        String name = "</title><script>alert(1)</script>\u202Egpj.exe\"'><img src=x onerror=alert(1)>";
        Answer registered = ProgramProbe.register(
                        world,
                        JsonObject.of("client_name", name).with("redirect_uris", List.of("http://127.0.0.1/callback")))
                .is(201);
        ProgramProbe hostile = new ProgramProbe(world, registered.text("client_id"), program.session());
        assertThat(hostile.browser()
                        .get(ProgramProbe.path(hostile.query()))
                        .is(200)
                        .text())
                .doesNotContain("<script>alert", "<img src=x", "\u202E")
                .contains("The program chose this name itself");
        String key = hostile.key("read", "");
        world.as(key).post("/mcp", MCP_PING).is(200);
        assertThat(hostile.browser().get("/console/keys").is(200).text()).doesNotContain("<script>alert");
    }

    @Test
    void theClientIdOfAnotherServerIsWorthNothing() {
        try (World other = World.start(Map.of("INBOXD_CONSOLE", "sign-in", "INBOXD_PUBLIC_URL", ProgramProbe.OWN))) {
            String foreign = ProgramProbe.register(
                            other, JsonObject.of("redirect_uris", List.of("http://127.0.0.1/callback")))
                    .is(201)
                    .text("client_id");
            asks("client_id", foreign).is(400);
        }
    }
}
