package dev.inboxd.cli.mcp;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static dev.inboxd.testing.JsonText.rawJson;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code inboxd mcp} without a key: an agent signs up, confirms, and goes on as its inbox. */
class StdioSignUpHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PipedOutputStream client = new PipedOutputStream();
    private Thread running;
    private int sent;

    @BeforeEach
    void start() throws IOException {
        PipedInputStream in = new PipedInputStream(client);
        URI server = URI.create("http://127.0.0.1:" + world.httpPort() + "/mcp");
        StdioBridge bridge = new StdioBridge(server, null, new PrintStream(out, true, StandardCharsets.UTF_8));
        running = Thread.ofVirtual().start(() -> bridge.run(in));
    }

    @AfterEach
    void end() throws IOException {
        client.close();
        Eventually.await(() -> !running.isAlive());
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** The answer to a request. */
    private JsonTree ask(String method, String params) throws IOException {
        int id = ++sent;
        client.write((json("jsonrpc", "2.0", "id", id, "method", method, "params", rawJson(params)) + "\n")
                .getBytes(StandardCharsets.UTF_8));
        client.flush();
        String mark = members("jsonrpc", "2.0", "id", id) + ",";
        Eventually.await(() -> lines().stream().anyMatch(line -> line.contains(mark)));
        return JsonTree.of(lines().stream()
                .filter(line -> line.contains(mark))
                .findFirst()
                .orElseThrow()
                .getBytes(StandardCharsets.UTF_8));
    }

    private JsonTree call(String tool, String arguments) throws IOException {
        return ask("tools/call", json("name", tool, "arguments", rawJson(arguments)))
                .get("result");
    }

    private List<String> tools() throws IOException {
        return ask("tools/list", "{}").get("result").list("tools").stream()
                .map(tool -> tool.text("name"))
                .toList();
    }

    private static String code(String human) {
        return world.letters(human).reversed().stream()
                .flatMap(String::lines)
                .map(String::strip)
                .filter(line -> line.matches("[0-9]{6}"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAgentWithoutAKeySignsUpConfirmsAndGoesOnAsItsInbox() throws IOException {
        JsonTree greeting =
                ask("initialize", json("protocolVersion", "2025-06-18")).get("result");
        assertThat(greeting.text("protocolVersion")).isEqualTo("2025-06-18");
        assertThat(greeting.text("instructions")).contains("sign_up");
        assertThat(tools()).containsExactly("sign_up", "verify");
        assertThat(ask("tools/call", json("name", "list_messages")).get("error").text("message"))
                .contains("sign_up");
        JsonTree early = call("verify", json("otpCode", "123456"));
        assertThat(early.get("isError").value()).isEqualTo(true);
        JsonTree taken = call("sign_up", json("username", "postmaster", "humanEmail", "ann@people.test"));
        assertThat(taken.list("content").getFirst().text("text"))
                .contains("resource_taken", members("retryable", false));
        JsonTree signed = call("sign_up", json("username", "walker", "humanEmail", "ann@people.test"));
        String inbox = signed.get("structuredContent").text("inboxId");
        assertThat(inbox).startsWith("walker@");
        assertThat(lines()).anyMatch(line -> line.contains("notifications/tools/list_changed"));
        assertThat(tools())
                .contains("verify", "get_inbox", "list_messages", "send_message")
                .doesNotContain("sign_up", "create_inbox");
        assertThat(call("get_inbox", "{}").get("structuredContent").text("inboxId"))
                .isEqualTo(inbox);
        String stranger = json("to", List.of("jo@example.com"), "text", "Hi");
        assertThat(call("send_message", stranger).get("isError").value()).isEqualTo(true);
        assertThat(call("verify", json("otpCode", code("ann@people.test")))
                        .get("structuredContent")
                        .get("verified")
                        .value())
                .isEqualTo(true);
        assertThat(tools()).contains("send_message").doesNotContain("verify", "sign_up");
        assertThat(call("send_message", stranger).get("structuredContent").text("messageId"))
                .startsWith("<");
        assertThat(call("sign_up", json("username", "second")).get("isError").value())
                .isEqualTo(true);
        String key = signed.get("structuredContent").text("apiKey");
        assertThat(world.as(key).get("/v0/inboxes/" + inbox).is(200).text("inbox_id"))
                .isEqualTo(inbox);
    }

    @Test
    void anArgumentThatAToolDoesNotHaveIsRefused() throws IOException {
        JsonTree refused = call("sign_up", json("username", "other", "human_email", "ann@people.test"));
        assertThat(refused.get("isError").value()).isEqualTo(true);
        assertThat(refused.list("content").getFirst().text("text"))
                .contains("human_email: There is no such argument", "username, humanEmail, signupToken")
                .contains(members("retryable", false));
        assertThat(call("verify", json("otpCode", "123456", "code", "123456"))
                        .get("isError")
                        .value())
                .isEqualTo(true);
        assertThat(tools()).containsExactly("sign_up", "verify");
    }

    @Test
    void theNewestRevisionNeedsNoHandshake() throws IOException {
        JsonObject meta = object(
                "io.modelcontextprotocol/protocolVersion",
                "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities",
                Map.of());
        String bare = json("_meta", meta);
        assertThat(ask("server/discover", bare).get("result").text("resultType"))
                .isEqualTo("complete");
        JsonTree list = ask("tools/list", bare).get("result");
        assertThat(list.get("ttlMs").value()).isEqualTo(0L);
        ask("tools/call", json("name", "sign_up", "arguments", object("username", "newest"), "_meta", meta));
        assertThat(ask("tools/list", bare).get("result").list("tools").stream().map(tool -> tool.text("name")))
                .contains("list_messages", "verify");
        assertThat(lines()).noneMatch(line -> line.contains("list_changed"));
    }

    @Test
    void withoutAKeyTheProtocolOfTheServerOffersNothing() {
        world.anonymous()
                .post("/mcp", json("jsonrpc", "2.0", "id", 1, "method", "tools/list"))
                .is(401);
    }
}
