package dev.inboxd.console.session;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.console.PersonProbe;
import dev.inboxd.server.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A program of a person is let in by the console, and gets a key that can do what the person chose. */
class ConsentHttpTest {
    private static final String METADATA = "/.well-known/oauth-protected-resource/mcp";

    @RegisterExtension
    private static final World world =
            World.start(Map.of("INBOXD_CONSOLE", "sign-in", "INBOXD_PUBLIC_URL", ProgramProbe.OWN));

    static Answer mcp(HttpProbe http, String method, String params) {
        return http.post("/mcp", json("jsonrpc", "2.0", "id", 1, "method", method, "params", rawJson(params)));
    }

    private static Answer call(String key, String tool, String arguments) {
        return mcp(world.as(key), "tools/call", json("name", tool, "arguments", rawJson(arguments)));
    }

    private static String tools(String key) {
        return mcp(world.as(key), "tools/list", "{}").is(200).list("result.tools").stream()
                .map(tool -> String.valueOf(((Map<?, ?>) tool).get("name")))
                .collect(Collectors.joining(" ", " ", " "));
    }

    @Test
    void aProgramFindsItsWayFromTheRefusalOfTheTools() {
        Answer refused = mcp(world.anonymous(), "ping", "{}").is(401);
        assertThat(refused.header("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"inboxd\", resource_metadata=\"" + ProgramProbe.OWN + METADATA + "\"");
        assertThat(mcp(world.as("inb_wrong"), "ping", "{}").is(401).header("WWW-Authenticate"))
                .contains("resource_metadata");
        assertThat(world.anonymous().get("/v0/inboxes").is(401).header("WWW-Authenticate"))
                .isEqualTo("Bearer realm=\"inboxd\"");
        Answer resource = world.anonymous().get(METADATA).is(200);
        assertThat(resource.text("resource")).isEqualTo(ProgramProbe.OWN + "/mcp");
        assertThat(resource.at("authorization_servers")).isEqualTo(List.of(ProgramProbe.OWN + "/console"));
        Answer server = world.anonymous()
                .get("/.well-known/oauth-authorization-server/console")
                .is(200);
        assertThat(server.text("issuer")).isEqualTo(ProgramProbe.OWN + "/console");
        assertThat(server.at("code_challenge_methods_supported")).isEqualTo(List.of("S256"));
        assertThat(server.at("token_endpoint_auth_methods_supported")).isEqualTo(List.of("none"));
        assertThat(server.at("authorization_response_iss_parameter_supported")).isEqualTo(true);
        assertThat(server.at("client_id_metadata_document_supported")).isEqualTo(true);
        assertThat(world.anonymous()
                        .get("/.well-known/oauth-authorization-server")
                        .is(200)
                        .text("issuer"))
                .as("the OpenID provider is another issuer")
                .isEqualTo(ProgramProbe.OWN);
    }

    @Test
    void whoeverIsSignedOutSignsInAndComesBackToTheProgram() {
        ProgramProbe program = ProgramProbe.of(world, "Desk");
        String path = ProgramProbe.path(program.query());
        String enter = Objects.requireNonNull(
                program.with("").browser().get(path).is(303).header("Location"));
        assertThat(enter).startsWith("/console/enter?then=%2Fauthorize%3Fresponse_type%3Dcode%26");
        String human = "ada@people.test";
        world.database()
                .<Boolean>writeGlobal(
                        tx -> dev.inboxd.tenant.organization.OrganizationHumans.claim(tx, human, world.organization()));
        HttpProbe browser = program.with("").browser().with("Origin", ProgramProbe.OWN);
        String page = browser.get(enter).is(200).text();
        String then = "&then=" + ConsoleProbe.encoded(path.substring("/console".length()));
        assertThat(page).contains("name=\"then\" value=\"/authorize?response_type=code&amp;client_id=");
        String asked = browser.post("/console/enter", "token=" + ProgramProbe.token(page) + "&address=" + human + then)
                .is(200)
                .text();
        String code = world.lettersSince(human, 0)
                .getLast()
                .lines()
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
        String form = "token=" + ProgramProbe.token(asked) + "&address=" + human + then;
        assertThat(asked).contains("name=\"then\" value=\"/authorize?response_type=code&amp;");
        assertThat(browser.post("/console/enter/code", form + "&code=1").is(400).text())
                .contains("name=\"then\" value=\"/authorize?response_type=code&amp;");
        Answer entered =
                browser.post("/console/enter/code", form + "&code=" + code).is(303);
        assertThat(entered.header("Location")).isEqualTo(path);
        String cookie = Objects.requireNonNull(entered.header("Set-Cookie"));
        assertThat(browser.with("Cookie", cookie.substring(0, cookie.indexOf(';')))
                        .get(path)
                        .is(200)
                        .text())
                .contains("Allow access?", "Desk");
    }

    @Test
    void thePersonChoosesAndTheProgramGetsAKeyWithAnEnd() {
        String inbox = world.inbox("consent");
        ProgramProbe program = ProgramProbe.of(world, "Desk <b>assistant</b>");
        Answer page = program.browser()
                .with("Sec-Fetch-Site", "none")
                .get(ProgramProbe.path(program.query()))
                .is(200);
        assertThat(page.text())
                .contains("Desk &lt;b&gt;assistant&lt;/b&gt;", "a program on this computer", "only " + inbox)
                .doesNotContain("<b>assistant");
        assertThat(page.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(page.header("Content-Security-Policy"))
                .contains("frame-ancestors 'none'")
                .as("callbacks redirect on, and browsers hold each redirect of a form to the policy")
                .doesNotContain("form-action");
        Map<String, String> answer = ProgramProbe.parameters(program.consents("allow", "all", ""));
        assertThat(answer).containsEntry("state", "s t&ä").containsEntry("iss", ProgramProbe.OWN + "/console");
        Answer token = program.redeems(program.redemption(answer.getOrDefault("code", "")))
                .is(200);
        assertThat(token.header("Cache-Control")).isEqualTo("no-store");
        assertThat(token.at("expires_in")).isEqualTo(2_592_000L);
        assertThat(token.text("token_type")).isEqualTo("Bearer");
        assertThat(token.text("scope")).isEqualTo("all");
        assertThat(token.at("refresh_token")).isNull();
        String key = token.text("access_token");
        assertThat(key).startsWith("inb_");
        assertThat(tools(key))
                .contains(" send_message ", " list_organizations ", " select_organization ")
                .as("what is given by name alone is not given so")
                .doesNotContain(" approve_draft ", " connect_app ");
        world.as(key).post("/v0/api-keys", "{}").is(403); // it would outlive the key
        Map<?, ?> listed = world.http().get("/v0/api-keys").is(200).list("api_keys").stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> "Desk <b>assistant</b> (unverified)".equals(each.get("name")))
                .findFirst()
                .orElseThrow();
        assertThat(Instant.parse(String.valueOf(listed.get("expires_at"))))
                .isBetween(
                        world.clock().instant().plus(Duration.ofDays(29)),
                        world.clock().instant().plus(Duration.ofDays(31)));
        assertThat(program.browser().get("/console/activity").is(200).text())
                .as("the audit log says that a person made it")
                .containsPattern("<b>human-[^<]+@people[.]test</b>: API key created <a href=[^>]+>Desk &lt;b&gt;"
                        + "assistant&lt;/b&gt; [(]unverified[)]");
        world.http().delete("/v0/api-keys/" + listed.get("api_key_id")).is(200);
        mcp(world.as(key), "ping", "{}").is(401);
    }

    @Test
    void whateverAProgramAsksForNoMoreThanWritingWithApprovalIsChosenAlready() {
        ProgramProbe program = ProgramProbe.of(world, "Greedy");
        Map<String, String> query = program.query();
        for (String scope : List.of("read write all", "all", "write", "")) {
            query.put("scope", scope);
            assertThat(program.browser().get(ProgramProbe.path(query)).is(200).text())
                    .as(scope)
                    .doesNotContain("value=\"all\" checked")
                    .containsPattern("value=\"(read|write)\" checked");
        }
    }

    @Test
    void whatReadsOnlyReadsAndWhatWritesWaitsForApproval() {
        String inbox = world.inbox("choices");
        ProgramProbe program = ProgramProbe.of(world, "Reader");
        String reader = program.key("read", "");
        assertThat(tools(reader)).contains(" list_messages ").doesNotContain(" send_message ", " create_inbox ");
        world.as(reader)
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", List.of("jo@shop.test"), "text", "x"))
                .is(403);
        String writer = program.key("write", inbox);
        world.as(writer).get("/v0/inboxes").is(200);
        assertThat(world.as(writer).get("/v0/auth/me").is(200).text("scope_type"))
                .isEqualTo("inbox");
        Answer sent = call(writer, "send_message", json("inboxId", inbox, "to", List.of("jo@shop.test"), "text", "x"))
                .is(200);
        assertThat(sent.at("result.structuredContent.status")).isEqualTo("awaiting_approval");
        assertThat(tools(writer)).doesNotContain(" delete_inbox ", " approve_draft ");
    }

    @Test
    void aProgramSeesTheOrganizationThatLetItIn() {
        String key = ProgramProbe.of(world, "Chooser").key("read", "");
        Answer listed = call(key, "list_organizations", "{}").is(200);
        String id = world.organization().toString();
        assertThat(listed.at("result.structuredContent.organizations.0.id")).isEqualTo(id);
        assertThat(listed.at("result.structuredContent.organizations.0.selected"))
                .isEqualTo(true);
        assertThat(listed.list("result.structuredContent.organizations")).hasSize(1);
        Answer chosen =
                call(key, "select_organization", json("organization", id)).is(200);
        assertThat(chosen.at("result.structuredContent.organizationId")).isEqualTo(id);
        assertThat(call(key, "select_organization", json("organization", "other"))
                        .is(200)
                        .at("result.isError"))
                .isEqualTo(true);
        assertThat(tools(world.key())).doesNotContain("_organization");
        assertThat(call(world.key(), "list_organizations", "{}").is(200).text("error.message"))
                .startsWith("Unknown tool");
    }

    @Test
    void nobodyIsLetInByADenial() {
        ProgramProbe program = ProgramProbe.of(world, "Denied");
        assertThat(ProgramProbe.parameters(program.consents("deny", "all", "")))
                .containsEntry("error", "access_denied")
                .containsEntry("state", "s t&ä")
                .containsEntry("iss", ProgramProbe.OWN + "/console")
                .doesNotContainKey("code");
    }

    @Test
    void registeringStoresNothingAndRefusesWhatRunsCode() {
        for (String uri : List.of("javascript:/alert(1)", "data:/x", "http://app.example/cb", "https://a.example/#x")) {
            Answer refused = ProgramProbe.register(
                            world, JsonObject.of("redirect_uris", List.of("https://app.example/cb", uri)))
                    .is(400);
            assertThat(refused.text("error")).isEqualTo("invalid_redirect_uri");
        }
        ProgramProbe.register(world, JsonObject.of("client_name", "x")).is(400);
        JsonObject long_ = JsonObject.of("redirect_uris", List.of("https://app.example/" + "a".repeat(1_000)))
                .with("client_name", "ä".repeat(5_000));
        Answer cut = ProgramProbe.register(world, long_).is(201);
        assertThat(cut.text("client_name")).hasSize(80);
        assertThat(cut.text("client_id").length()).isLessThan(2_200);
        assertThat(ProgramProbe.register(
                                world,
                                JsonObject.of("redirect_uris", List.of("https://app.example/cb"))
                                        .with("client_name", "a\u202Eb\u0007\nc"))
                        .is(201)
                        .text("client_name"))
                .isEqualTo("a b  c");
        world.anonymous().post("/console/register", "[").is(400);
        world.anonymous().post("/console/register", "x".repeat(17_000)).is(413);
    }

    @Test
    void programsLoseTheirKeysAndCodesWithTheRoleOfWhoLetThemIn() {
        PersonProbe owner = PersonProbe.owner(world, "boss@people.test", world.organization());
        ProgramProbe program = ProgramProbe.of(world, "Lent");
        String human =
                world.as(program.session()).get("/console/session").is(200).text("human_email");
        String key = program.key("read", "");
        String code = program.code("read", "");
        mcp(world.as(key), "ping", "{}").is(200);
        assertThat(owner.page("/people")).contains("Programs that this person allowed lose their keys.");
        owner.sends("/people", "do", "read", "human", human).is(303);
        mcp(world.as(key), "ping", "{}").is(401);
        program.redeems(program.redemption(code)).is(400);
    }
}
