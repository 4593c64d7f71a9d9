package dev.inboxd.mcp;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protocol of /mcp: revisions, header fields, keys, and what is no message of it. */
class McpProtocolHttpTest {
    private static final String PING = json("jsonrpc", "2.0", "id", 1, "method", "ping");
    private static final String META = members(
            "_meta",
            object(
                    "io.modelcontextprotocol/protocolVersion",
                    "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities",
                    Map.of()));

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_CORS_ORIGINS", "https://app.example"));

    @Test
    void theNewestRevisionIsDiscoveredWithoutAHandshake() {
        Answer found = McpProbe.of(world.http())
                .request("server/discover", new JsonObject())
                .is(200);
        assertThat(found.list("result.supportedVersions").stream().map(Object::toString))
                .containsExactly("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26");
        assertThat(found.at("result.resultType")).isEqualTo("complete");
        assertThat(found.at("result.cacheScope")).isEqualTo("public");
        assertThat(found.at("result.ttlMs")).isEqualTo(3_600_000L);
        assertThat(found.at("result.capabilities.tools")).isEqualTo(Map.of());
        assertThat(found.text()).contains("\"io.modelcontextprotocol/serverInfo\":{\"name\":\"inboxd\"");
        McpProbe.of(world.http()).request("ping", new JsonObject()).is(404);
        McpProbe.of(world.http()).request("initialize", new JsonObject()).is(404);
    }

    @ParameterizedTest
    @CsvSource({
        "2025-03-26, 2025-03-26",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "2026-07-28, 2025-11-25",
        "2024-11-05, 2025-11-25"
    })
    void anOlderClientBeginsWithAHandshakeAndHasNoSession(String asked, String spoken) {
        Answer greeting = world.http().post("/mcp", """
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s","capabilities":{},
                "clientInfo":{"name":"t","version":"1"}}}""".formatted(asked)).is(200);
        assertThat(greeting.at("result.protocolVersion")).isEqualTo(spoken);
        assertThat(greeting.at("result.resultType")).isNull();
        assertThat(greeting.header("Mcp-Session-Id")).isNull();
        assertThat(world.http()
                        .with("MCP-Protocol-Version", spoken)
                        .post("/mcp", json("jsonrpc", "2.0", "method", "notifications/initialized"))
                        .is(202)
                        .body())
                .isEmpty();
        McpProbe client = new McpProbe(world.http(), spoken);
        assertThat(client.request("ping", new JsonObject()).is(200).at("result"))
                .isEqualTo(Map.of());
        assertThat(client.request("tools/list", new JsonObject()).is(200).list("result.tools"))
                .hasSizeGreaterThan(30);
        assertThat(client.request("server/discover", new JsonObject()).is(200).at("error.code"))
                .isEqualTo(-32_601L);
    }

    @Test
    void aClientThatNamesNoRevisionIsServed() {
        assertThat(world.http().post("/mcp", PING).is(200).at("result")).isEqualTo(Map.of());
    }

    @Test
    void anUnknownRevisionIsToldWhichThereAre() {
        Answer refused = world.http().with("MCP-Protocol-Version", "1900-01-01").post("/mcp", PING);
        assertThat(refused.is(400).at("error.code")).isEqualTo(-32_022L);
        assertThat(refused.at("error.data.requested")).isEqualTo("1900-01-01");
        assertThat(refused.at("error.data.supported.0")).isEqualTo("2026-07-28");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "2026-07-28, tools/call, auth_me, -",
                "2026-07-28, tools/call, =?base64?YXV0aF9tZQ==?=, -",
                "2026-07-28, tools/list, auth_me, Mcp-Method",
                "2026-07-28, TOOLS/CALL, auth_me, Mcp-Method",
                "2026-07-28, tools/call, list_inboxes, Mcp-Name",
                "2026-07-28, tools/call, =?base64?!!?=, Mcp-Name",
                "2026-07-28, tools/call, -, Mcp-Name",
                "2026-07-28, -, auth_me, Mcp-Method",
                "2025-11-25, tools/call, auth_me, MCP-Protocol-Version",
                "-, tools/call, auth_me, MCP-Protocol-Version",
            })
    void headerFieldsSayWhatTheBodySays(String version, String method, String name, String wrong) {
        HttpProbe probe = world.http();
        probe = version == null ? probe : probe.with("MCP-Protocol-Version", version);
        probe = method == null ? probe : probe.with("Mcp-Method", method);
        probe = name == null ? probe : probe.with("Mcp-Name", name);
        Answer answer = probe.post("/mcp", """
                {"jsonrpc":"2.0","id":7,"method":"tools/call",
                "params":{"name":"auth_me",%s}}""".formatted(META));
        if (wrong == null) {
            assertThat(answer.is(200).at("result.structuredContent.scopeType")).isEqualTo("organization");
        } else {
            assertThat(answer.is(400).at("error.code")).isEqualTo(-32_020L);
            assertThat(answer.text("error.message")).startsWith("Header mismatch: " + wrong);
            assertThat(answer.at("id")).isEqualTo(7L);
        }
    }

    @Test
    void theNewestRevisionNeedsItsMetadata() {
        HttpProbe newest =
                world.http().with("MCP-Protocol-Version", "2026-07-28").with("Mcp-Method", "tools/list");
        String request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{%s}}";
        assertThat(newest.post("/mcp", request.formatted("")).is(400).at("error.code"))
                .isEqualTo(-32_602L);
        String half = META.replace("," + members("io.modelcontextprotocol/clientCapabilities", Map.of()), "");
        assertThat(newest.post("/mcp", request.formatted(half)).is(400).at("error.code"))
                .isEqualTo(-32_602L);
        newest.post("/mcp", request.formatted(META)).is(200);
    }

    @Test
    void anUnknownMethodIs404FromTheNewestRevisionOn() {
        Answer refused = McpProbe.of(world.http())
                .request("resources/subscribe", new JsonObject())
                .is(404);
        assertThat(refused.at("error.code")).isEqualTo(-32_601L);
        Answer older = new McpProbe(world.http(), "2025-06-18").request("resources/subscribe", new JsonObject());
        assertThat(older.is(200).at("error.code")).isEqualTo(-32_601L);
    }

    @Test
    void aKeyComesInEitherHeaderFieldAndWithoutOneItIs401() {
        world.anonymous().with("X-Api-Key", world.key()).post("/mcp", PING).is(200);
        Answer none = world.anonymous().post("/mcp", PING).is(401);
        assertThat(none.header("WWW-Authenticate")).startsWith("Bearer");
        assertThat(none.text("code")).isEqualTo("missing_authorization");
        assertThat(world.anonymous()
                        .with("X-Api-Key", "nobody's")
                        .post("/mcp", PING)
                        .is(401)
                        .text("code"))
                .isEqualTo("unknown_api_key");
        assertThat(world.anonymous()
                        .with("X-Api-Key", world.session())
                        .post("/mcp", PING)
                        .is(401)
                        .text("code"))
                .isEqualTo("invalid_token_type");
        world.anonymous().with("X-Api-Key", world.key()).get("/v0/auth/me").is(401);
        world.anonymous().post("/mcp?api_key=" + world.key(), PING).is(401);
    }

    @Test
    void aPageOfAForeignOriginIsRefused() {
        world.http().with("Origin", "https://app.example").post("/mcp", PING).is(200);
        world.http().with("Origin", "https://evil.example").post("/mcp", PING).is(403);
        world.http().with("Origin", "null").post("/mcp", PING).is(403);
    }

    @Test
    void thereIsNothingToGetAndNoSessionToEnd() {
        assertThat(world.http().get("/mcp").is(405).header("Allow")).isEqualTo("POST");
        world.http().with("Mcp-Session-Id", "x").delete("/mcp").is(405);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {
                    nonsense
                    "text"
                    17
                    null
                    {}
                    {"jsonrpc":"1.0","id":1,"method":"ping"}
                    {"jsonrpc":"2.0","id":null,"method":"ping"}
                    {"jsonrpc":"2.0","id":1.5,"method":"ping"}
                    {"jsonrpc":"2.0","id":{},"method":"ping"}
                    {"jsonrpc":"2.0","id":1,"method":17}
                    {"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}
                    {"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}
                    {"jsonrpc":"2.0","id":1,"method":"ping"} {}
                    []
                    [17]
                    [[]]
                    {"jsonrpc":"2.0","id":1}""")
    void whatIsNoMessageIsRefused(String body) {
        Answer refused = world.http().post("/mcp", body);
        assertThat(refused.status()).as(refused.text()).isBetween(200, 400);
        String at = refused.at("") instanceof List ? "0.error.code" : "error.code";
        assertThat(refused.at(at)).isIn(-32_700L, -32_600L);
    }

    @Test
    @Tag("long")
    void whatIsTooDeepOrTooLargeIsRefusedCheaply() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        assertThat(world.http().post("/mcp", deep).is(400).at("error.code")).isEqualTo(-32_700L);
        String large = PING.replace("ping", "x".repeat(7 << 20));
        world.http().post("/mcp", large).is(413);
        String longId = PING.replace("1,", "\"" + "x".repeat(300) + "\",");
        assertThat(world.http().post("/mcp", longId).is(400).text()).doesNotContain("xxx");
        Answer method = world.http().post("/mcp", PING.replace("ping", "x".repeat(100_000)));
        assertThat(method.is(200).text()).hasSizeLessThan(300);
    }

    @Test
    void theRevisionWithBatchesHasThemAndNoOther() {
        String second = PING.replace("1,", "\"b\",");
        String batch = """
                [%s,{"jsonrpc":"2.0","method":"notifications/initialized"},%s]""".formatted(PING, second);
        Answer answers = world.http().post("/mcp", batch).is(200);
        assertThat(answers.list("")).hasSize(2);
        assertThat(answers.at("1.id")).isEqualTo("b");
        world.http()
                .with("MCP-Protocol-Version", "2025-06-18")
                .post("/mcp", batch)
                .is(400);
        String large = "[" + (PING + ",").repeat(20) + PING + "]";
        world.http().post("/mcp", large).is(400);
    }
}
