package dev.inboxd.cli.mcp;

import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.JsonTree;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code inboxd mcp}: what it makes of lines, of refused keys and of cancellations. */
class StdioBridgeHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private StdioBridge bridge(String key) {
        URI server = URI.create("http://127.0.0.1:" + world.httpPort() + "/mcp");
        return new StdioBridge(server, key, new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void bothKindsOfClientsAreAnsweredALineEach() {
        String input = """
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
                {"jsonrpc":"2.0","method":"notifications/initialized"}
                {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"auth_me"}}
                {"jsonrpc":"2.0","id":"3","method":"tools/call","params":{"name":"auth_me","_meta":\
                {"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
                "io.modelcontextprotocol/clientCapabilities":{}}}}
                not json
                """;
        bridge(world.key()).run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        assertThat(lines()).hasSize(4);
        assertThat(lines().getFirst()).contains(members("protocolVersion", "2025-06-18"));
        assertThat(lines())
                .filteredOn(line -> line.contains(members("scopeType", "organization")))
                .hasSize(2);
        assertThat(lines()).anyMatch(line -> line.contains(members("id", "3")) && line.contains("\"resultType\""));
        assertThat(lines()).anyMatch(line -> line.contains("-32700"));
    }

    @Test
    void aKeyThatIsRefusedIsAnErrorOfItsRequest() {
        String input = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\"}\n";
        bridge("nobody's").run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        assertThat(lines()).hasSize(1);
        assertThat(lines().getFirst()).contains(members("id", 5), "-32603", "key", members("retryable", false));
    }

    @Test
    void aCallThatIsRefusedForNowSaysWhenItMayBeRepeated() {
        try (World strict = World.start(Map.of("INBOXD_LIMITS", "sign_ups_per_address=1"))) {
            URI server = URI.create("http://127.0.0.1:" + strict.httpPort() + "/mcp");
            for (String name : List.of("first", "second")) {
                String input = """
                        {"jsonrpc":"2.0","id":1,"method":"tools/call",\
                        "params":{"name":"sign_up","arguments":{"username":"%s"}}}
                        """.formatted(name);
                new StdioBridge(server, null, new PrintStream(out, true, StandardCharsets.UTF_8))
                        .run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
            }
        }
        JsonTree error = tree(
                tree(lines().getLast()).get("result").list("content").getFirst().text("text"));
        assertThat(error.text("code")).isEqualTo("rate_limit_exceeded");
        assertThat(error.get("retryable").value()).isEqualTo(true);
        assertThat((Long) error.get("retryAfter").value()).isPositive();
    }

    private static JsonTree tree(String json) {
        return JsonTree.of(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aCancellationEndsTheWaitAtTheServer() throws IOException {
        String inbox = world.inbox("stdio");
        Thread ended;
        try (PipedOutputStream client = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(client)) {
            Thread running = Thread.ofVirtual().start(() -> bridge(world.key()).run(in));
            say(client, """
                    {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait_for_message",\
                    "arguments":{"inboxId":"%s","timeout":300}}}""".formatted(inbox));
            Eventually.await(() -> areWaiting(1));
            say(client, """
                    {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}""");
            Eventually.await(() -> areWaiting(0));
            ended = running;
        }
        Eventually.await(() -> !ended.isAlive());
        assertThat(lines()).isEmpty();
    }

    private static void say(PipedOutputStream client, String line) throws IOException {
        client.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        client.flush();
    }

    private static boolean areWaiting(int count) {
        return world.anonymous().get("/metrics").is(200).text().contains("\ninboxd_waits " + count + ".0\n");
    }

    @Test
    void theServerIsNamedByItsUrl() {
        assertThat(McpCommand.server("https://mail.example/")).isEqualTo(URI.create("https://mail.example/mcp"));
        assertThat(McpCommand.server("http://127.0.0.1:8080/mcp")).isEqualTo(URI.create("http://127.0.0.1:8080/mcp"));
        assertThat(McpCommand.server("https://mail.example/mcp?toolsets=mail"))
                .isEqualTo(URI.create("https://mail.example/mcp?toolsets=mail"));
        assertThat(McpCommand.server("https://mail.example?toolsets=mail"))
                .isEqualTo(URI.create("https://mail.example/mcp?toolsets=mail"));
        assertThat(McpCommand.server("mail.example")).isNull();
        assertThat(McpCommand.server("ftp://mail.example")).isNull();
        assertThat(McpCommand.server("https://mail example")).isNull();
    }
}
