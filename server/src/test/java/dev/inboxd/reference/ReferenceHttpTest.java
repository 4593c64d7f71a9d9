package dev.inboxd.reference;

import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.server.World;
import dev.inboxd.testing.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The description as a server gives it, and the check of answers by it. */
class ReferenceHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static JsonTree json(String path) {
        HttpProbe.Answer answer = world.anonymous().get(path).is(200);
        assertThat(answer.header("Content-Type")).startsWith("application/json");
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo("*");
        return JsonTree.of(answer.body());
    }

    @Test
    void theDescriptionIsForThisServer() {
        JsonTree api = json("/openapi.json");
        assertThat(api.text("openapi")).startsWith("3.1.");
        assertThat(api.list("servers").getFirst().text("url")).startsWith("http://");
        assertThat(api.get("info").text("version")).isEqualTo("dev");
        assertThat(api.get("paths").members()).containsKey("/v0/inboxes/{inbox_id}/messages/send");
        assertThat(api.get("webhooks").members()).containsKey("message.received");
    }

    @Test
    void theDescriptionOfTheSocketRefersToObjectsThatAreThere() {
        JsonTree socket = json("/asyncapi.json");
        assertThat(socket.text("asyncapi")).startsWith("3.");
        assertThat(socket.get("servers").get("this").text("protocol")).isEqualTo("ws");
        Map<String, JsonTree> schemas =
                json("/openapi.json").get("components").get("schemas").members();
        String text = world.anonymous().get("/asyncapi.json").text();
        Matcher matcher =
                Pattern.compile("\"openapi.json#/components/schemas/(\\w+)\"").matcher(text);
        int found = 0;
        while (matcher.find()) {
            assertThat(schemas).containsKey(matcher.group(1));
            found++;
        }
        assertThat(found).isPositive();
        Matcher own = Pattern.compile("\"#(/[\\w/]+)\"").matcher(text);
        while (own.find()) {
            JsonTree target = socket;
            for (String step : own.group(1).substring(1).split("/", -1)) {
                target = target.get(step);
            }
            assertThat(target.isEmpty()).as(own.group()).isFalse();
        }
    }

    @Test
    void thePageShowsEveryCallAndEveryObject() {
        String page = world.anonymous().get("/docs").is(200).text();
        JsonTree api = json("/openapi.json");
        api.get("paths")
                .members()
                .values()
                .forEach(item -> item.members().forEach((method, operation) -> {
                    if (operation.has("operationId")) {
                        assertThat(page).contains("id=\"" + operation.text("operationId") + "\"");
                    }
                }));
        api.get("components")
                .get("schemas")
                .members()
                .keySet()
                .forEach(name -> assertThat(page).contains("id=\"object-" + name + "\""));
    }

    /** Each link within it leads somewhere, so does each to an error, and nothing comes from elsewhere. */
    @Test
    void thePageLoadsNothingFromElsewhereAndItsLinksHold() {
        HttpProbe.Answer answer = world.anonymous().get("/docs").is(200);
        assertThat(answer.header("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
                .contains("form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'")
                .doesNotContain("unsafe");
        String page = answer.text();
        assertThat(page).doesNotContain("src=\"http", "href=\"http", "style=\"", "onclick", "<script>");
        String errors = world.anonymous().get("/docs/errors").is(200).text();
        Matcher link = Pattern.compile("href=\"([^\"#]*)#([^\"]*)\"").matcher(page);
        while (link.find()) {
            String where = link.group(1).equals("/docs/errors") ? errors : page;
            assertThat(where).as(link.group()).contains("id=\"" + link.group(2) + "\"");
        }
    }

    /** Whoever copies it sends one mail that somebody can read. */
    @Test
    void theSampleOfSendAMessageSendsOneSensibleMail() {
        String inbox = world.inbox("sample");
        String page = world.anonymous().get("/docs").is(200).text();
        int call = page.indexOf("id=\"sendMessage\"");
        Matcher sample = Pattern.compile("curl -X POST[^<]*messages/send[^<]* -d '([^<]*)'</pre>")
                .matcher(page.substring(call, page.indexOf("</article>", call)));
        assertThat(sample.find()).isTrue();
        HttpProbe.Answer sent = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        sample.group(1).replace("&#34;", "\"").replace("&quot;", "\""))
                .is(200);
        HttpProbe.Answer read = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + sent.text("message_id").replace("<", "%3C").replace(">", "%3E"))
                .is(200);
        assertThat(read.list("to")).hasSize(1);
        assertThat(read.text("subject")).isNotBlank();
        assertThat(read.text("text")).isNotBlank();
        assertThat(read.at("cc")).isNull();
    }

    /** A list of labels is no list of addresses: each sample of a list has what the list is of. */
    @Test
    void theSamplesOfListsAreOfTheirKind() {
        String page = world.anonymous()
                .get("/docs")
                .is(200)
                .text()
                .replace("&#34;", "\"")
                .replace("&quot;", "\"");
        Matcher sample = Pattern.compile(" -d '([^<]*)'</pre>").matcher(page);
        int samples = 0;
        while (sample.find()) {
            samples++;
            assertThat(sample.group(1))
                    .doesNotContainPattern("\"(\\w*labels|event_types|remove_headers|scopes)\":\\[\"[^\"]*@");
        }
        assertThat(samples).isGreaterThan(30);
    }

    @Test
    void thePageSaysWhatTheVariablesOfItsSamplesAre() {
        assertThat(world.anonymous().get("/docs").is(200).text())
                .contains("<code>INBOXD_URL</code> is", "<code>INBOXD_KEY</code> is", "inboxd org create");
        for (Guide guide : Guide.all()) {
            if (guide.text().contains("INBOXD_")) {
                assertThat(guide.text())
                        .as(guide.name())
                        .contains("`INBOXD_URL` is the address", "`INBOXD_KEY` is an API key", "inboxd org create");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/docs/guides/get-a-code", "/docs/guides/mcp", "/docs/guides/verify-a-signature"})
    void aGuideIsAPageForABrowserAndTextForAProgram(String path) {
        HttpProbe.Answer page =
                world.anonymous().with("Accept", "text/html").get(path).is(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.text()).contains("<h1>", "<pre").doesNotContain("```");
        HttpProbe.Answer text = world.anonymous().get(path).is(200);
        assertThat(text.header("Content-Type")).startsWith("text/plain");
        assertThat(text.text()).startsWith("# ").contains("```");
    }

    @Test
    void modelsReadAListAndAllOfIt() {
        String index = world.anonymous().get("/llms.txt").is(200).text();
        Matcher link = Pattern.compile("\\]\\((http://[^/]+)(/[^)]*)\\)").matcher(index);
        int links = 0;
        while (link.find()) {
            world.anonymous().get(link.group(2)).is(200);
            links++;
        }
        assertThat(links).isGreaterThan(10);
        assertThat(world.anonymous().get("/llms-full.txt").is(200).text())
                .contains("# Wait for a reply", "## POST /v0/inboxes/{inbox_id}/messages/send", "## Message");
    }

    private static String fault(String request, int status, String json) {
        return ResponseContract.fault(new ResponseContract.Answer(
                request, status, "application/json", json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatIsNotDescribedIsAFault() {
        String identity = "{" + members("scope_type", "inbox", "scope_id", "a@b.example", "organization_id", "o");
        assertThat(fault("GET /v0/auth/me", 200, identity + "}")).isEmpty();
        assertThat(fault("GET /v0/auth/me", 200, identity + "," + members("age", 3) + "}"))
                .contains("age");
        assertThat(fault("GET /v0/auth/me", 200, JsonText.json("scope_type", "inbox")))
                .contains("scope_id");
        assertThat(fault("GET /v0/auth/me", 201, identity + "}")).contains("201");
        assertThat(fault("POST /v0/auth/me", 200, identity + "}")).contains("not described");
        assertThat(ResponseContract.fault(
                        new ResponseContract.Answer("GET /v0/auth/me", 200, "text/plain", new byte[] {'a'})))
                .contains("text/plain");
    }

    /** What several parts make is closed as a whole, also within lists and where one of several forms is meant. */
    @Test
    void whatIsNotDescribedIsAFaultWhereverItStands() {
        String feed = """
                {"count":1,"limit":50,"next_cursor":"c","events":[{"type":"event","event_type":"message.opened",
                "event_id":"e","open":{"inbox_id":"i","thread_id":"t","message_id":"m",
                "timestamp":"2026-03-02T09:15:00.000Z","organization_id":"o","pod_id":"p"%s}}]}""";
        assertThat(fault("GET /v0/events?limit=50", 200, feed.formatted(""))).isEmpty();
        assertThat(fault("GET /v0/events", 200, feed.formatted("," + members("by", "me"))))
                .isNotEmpty();
    }

    @Test
    void anErrorHasACodeThatIsDescribedForTheCall() {
        String rest = "," + members("name", "N", "message", "m", "docs", "d", "request_id", "r") + "}";
        assertThat(fault("GET /v0/inboxes/a@b.example", 404, "{" + members("code", "not_found") + rest))
                .isEmpty();
        assertThat(fault("GET /v0/inboxes/a@b.example", 409, "{" + members("code", "conflict") + rest))
                .contains("conflict");
        assertThat(fault("GET /v0/inboxes/a@b.example", 404, "{" + members("code", "nothing") + rest))
                .isNotEmpty();
        assertThat(fault("GET /v0/nothing", 404, "{" + members("code", "not_found") + rest))
                .isEmpty();
    }

    @Test
    void mapsThatCallersChooseAreOpen() {
        String inbox = """
                {"pod_id":"p","inbox_id":"i","email":"i","status":"active","sending":"active","updated_at":"t",
                "created_at":"t","metadata":%s}""";
        assertThat(fault("GET /v0/inboxes/a@b.example", 200, inbox.formatted(JsonText.json("any", 1))))
                .isEmpty();
        assertThat(fault("GET /v0/inboxes/a@b.example", 200, inbox.formatted(JsonText.json("any", Map.of()))))
                .isNotEmpty();
    }

    @Test
    void theCommandsOfThePageAreThoseOfTheDescription() {
        JsonTree outline = new ApiOutline(ApiDescription.openApi()).tree();
        List<JsonTree> calls = outline.list("topics").stream()
                .flatMap(topic -> topic.list("calls").stream())
                .toList();
        assertThat(calls)
                .allSatisfy(call ->
                        assertThat(call.text("curl")).startsWith("curl ").doesNotContain("{inbox_id}", "null"));
        assertThat(calls.stream()
                        .filter(call -> call.text("id").equals("createWebhook"))
                        .findFirst()
                        .orElseThrow()
                        .text("curl"))
                .contains("\"$INBOXD_URL/v0/webhooks\"", "-H \"Authorization: Bearer $INBOXD_KEY\"", "\"url\":");
    }
}
