package dev.inboxd.mcp;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mail.markdown.TokenEstimate;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What tools show of large mail, and that all of it is reached by what each result says. */
class ToolResultsHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static McpProbe client;

    @BeforeAll
    static void start() {
        world.dns().text("example.com", "v=spf1 ip4:127.0.0.1 -all");
        client = McpProbe.of(world.http());
    }

    private static void mail(String inbox, String header, String body) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\n" + header + "\n\n" + body + "\n"))
                .startsWith("250");
    }

    /** The result of a tool, which is within the bound. */
    private static JsonTree call(String tool, Map<String, Object> arguments) {
        Answer answer = client.call(tool, Json.text(arguments)).is(200);
        assertThat(answer.at("result.isError")).as(answer::text).isEqualTo(false);
        String text = answer.text("result.content.0.text");
        assertThat(TokenEstimate.of(text)).isLessThanOrEqualTo(25_000);
        return JsonTree.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> arguments(Object... pairs) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            arguments.put((String) pairs[i], pairs[i + 1]);
        }
        return arguments;
    }

    private static String unfenced(JsonTree result, JsonTree of) {
        String nonce = result.text("fence");
        String text = of.text("markdown");
        assertThat(text).startsWith("<mail " + nonce + ">\n").endsWith("\n</mail " + nonce + ">");
        int line = nonce.length() + 8;
        return text.substring(line, text.length() - line - 1);
    }

    /** The arguments of the first call that a sentence names, and null when it names none of this tool. */
    private static @Nullable Map<String, Object> next(JsonTree result, String tool, String having) {
        for (String call : result.has("rest") ? result.text("rest").split("; ", -1) : new String[0]) {
            if (call.startsWith(tool + " {") && call.contains(having + ": ")) {
                String quoted = call.substring(tool.length() + 1)
                        .replaceAll("([{ ])([a-zA-Z]+): ", "$1" + '"' + "$2" + '"' + ": ");
                Map<String, Object> arguments = new LinkedHashMap<>();
                JsonTree.of(quoted.getBytes(StandardCharsets.UTF_8))
                        .members()
                        .forEach((name, value) -> arguments.put(name, value.value()));
                return arguments;
            }
        }
        return null;
    }

    private static String whole(String inbox, String id, String quotes) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8)
                        + "?format=markdown&links=short&quotes=" + quotes)
                .is(200)
                .text("markdown");
    }

    private static String text(int words, String word) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(word).append(i).append(i % 12 == 11 ? "\n" : i % 100 == 99 ? "\n\n" : " ");
        }
        return text.toString();
    }

    @Test
    @Tag("long")
    @Proves("P23a")
    void aHugeMailIsReadToItsLastWordByWhatEachResultSays() {
        String inbox = world.inbox("huge");
        mail(inbox, "Subject: Huge\nMessage-ID: <huge@example.com>", text(40_000, "word"));
        for (long most : List.of(20_000L, 200_000L)) {
            Map<String, Object> asked =
                    arguments("inboxId", inbox, "messageId", "<huge@example.com>", "maxChars", most);
            StringBuilder read = new StringBuilder();
            int calls = 0;
            for (Map<String, Object> now = asked; now != null; ) {
                assertThat(++calls).isLessThan(100);
                JsonTree result = call("get_message", now);
                read.append(unfenced(result, result.get("message")));
                now = next(result, "get_message", "offset");
                assertThat(result.get("message").has("nextOffset")).isEqualTo(now != null);
            }
            assertThat(calls).isGreaterThan(2);
            assertThat(read.toString()).isEqualTo(whole(inbox, "<huge@example.com>", "fold"));
        }
    }

    @Test
    @Tag("long")
    @Proves("P23a")
    void aHugeThreadIsReadToItsLastWordByOffsetsAndPages() {
        String inbox = world.inbox("thread");
        for (int i = 0; i < 7; i++) {
            mail(
                    inbox,
                    "Subject: Re: T\nMessage-ID: <t" + i + "@example.com>\nReferences: <t0@example.com>",
                    text(i == 3 ? 20_000 : 900, "said" + i + "x"));
        }
        Object thread = call("list_threads", arguments("inboxId", inbox))
                .list("threads")
                .getFirst()
                .text("threadId");
        for (long most : List.of(20_000L, 1_000_000L)) {
            Map<String, StringBuilder> read = new LinkedHashMap<>();
            int calls = 0;
            Map<String, Object> now = arguments("inboxId", inbox, "threadId", thread, "maxChars", most, "limit", 5L);
            while (now != null) {
                assertThat(++calls).isLessThan(100);
                JsonTree result = call("get_thread", now);
                for (JsonTree entry : result.list("transcript")) {
                    read.computeIfAbsent(entry.text("messageId"), _ -> new StringBuilder())
                            .append(unfenced(result, entry));
                }
                now = next(result, "get_thread", "offset");
                now = now == null ? next(result, "get_thread", "pageToken") : now;
                assertThat(result.get("truncated").value()).isEqualTo(now != null);
            }
            assertThat(read).hasSize(7);
            read.forEach((id, text) -> assertThat(text.toString()).as(id).isEqualTo(whole(inbox, id, "none")));
        }
    }

    @Test
    @Proves("P23a")
    void aListOfLargeItemsIsReadToTheLastOne() {
        String inbox = world.inbox("list");
        for (int i = 0; i < 12; i++) {
            mail(inbox, "Subject: L" + i + "\nMessage-ID: <l" + i + "@example.com>", text(4_000, "w"));
        }
        List<String> read = new ArrayList<>();
        Map<String, Object> now = arguments("inboxId", inbox, "maxChars", 15_000L, "limit", 12L);
        while (now != null) {
            JsonTree result = call("list_messages", now);
            result.list("messages").forEach(item -> read.add(item.text("messageId")));
            now = next(result, "list_messages", "pageToken");
            assertThat(now == null).isEqualTo(!result.has("nextPageToken"));
            assertThat(read.size()).isLessThan(13);
        }
        assertThat(read).hasSize(12).doesNotHaveDuplicates();
        JsonTree usual = call("list_messages", arguments("inboxId", inbox));
        assertThat(usual.list("messages"))
                .hasSize(10)
                .allMatch(item -> unfenced(usual, item).length() <= 400);
    }

    @Test
    @Tag("long")
    @Proves("P23a")
    void manyRecipientsAndFilesAreReadToTheLastOne() {
        String inbox = world.inbox("many");
        List<String> to = IntStream.range(0, 900)
                .mapToObj(i -> "person-" + i + "@host-" + i + ".example")
                .toList();
        StringBuilder files = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            files.append("--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=f")
                    .append(i)
                    .append(".bin\n\nx\n");
        }
        mail(
                inbox,
                "Subject: Many\nMessage-ID: <many@example.com>\nCc: " + String.join(",\n ", to)
                        + "\nContent-Type: multipart/mixed; boundary=b",
                "--b\n\nThe text.\n" + files + "--b--");
        List<String> read = new ArrayList<>();
        List<String> names = new ArrayList<>();
        Map<String, Object> now = arguments("inboxId", inbox, "messageId", "<many@example.com>");
        while (now != null) {
            JsonTree result = call("get_message", now);
            JsonTree message = result.get("message");
            assertThat(message.text("fromAddress")).isEqualTo("jo@example.com");
            assertThat(now.containsKey("listsFrom") ? "The text." : unfenced(result, message))
                    .startsWith("The text.");
            read.addAll(message.texts("cc"));
            message.list("attachments").forEach(file -> names.add(file.text("filename")));
            now = next(result, "get_message", "listsFrom");
            assertThat(read.size()).isLessThan(901);
        }
        assertThat(read).isEqualTo(to);
        assertThat(names).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    @Tag("long")
    void aClientMayAskForLess() {
        String inbox = world.inbox("less");
        mail(inbox, "Subject: Less\nMessage-ID: <less@example.com>", text(40_000, "word"));
        Answer answer = McpProbe.of(world.http())
                .query("max_tokens=5000")
                .call("get_message", json("inboxId", inbox, "messageId", "<less@example.com>"));
        assertThat(TokenEstimate.of(answer.text("result.content.0.text"))).isBetween(3_000L, 5_000L);
        McpProbe.of(world.http()).query("max_tokens=10").call("auth_me", "{}").is(400);
    }

    @Test
    void aWaitAndADraftAreMarkdownToo() {
        String inbox = world.inbox("forms");
        mail(inbox, "Subject: F\nMessage-ID: <f@example.com>", "Hello *there*.");
        JsonTree waited = call("wait_for_message", arguments("inboxId", inbox, "since", "2000-01-01T00:00:00Z"));
        assertThat(unfenced(waited, waited.get("message"))).contains("Hello");
        JsonTree bare =
                call("get_message", arguments("inboxId", inbox, "messageId", "<f@example.com>", "fence", false));
        assertThat(bare.has("fence") || bare.has("note")).isFalse();
        assertThat(bare.get("message").text("markdown")).startsWith("Hello");
        Object draft = call("create_draft", arguments("inboxId", inbox, "text", "Mine"))
                .text("draftId");
        JsonTree opened = call("get_draft", arguments("inboxId", inbox, "draftId", draft));
        assertThat(unfenced(opened, opened.get("draft"))).startsWith("Mine");
        Answer wrong =
                client.call("get_message", json("inboxId", inbox, "messageId", "<f@example.com>", "quotes", "all"));
        assertThat(wrong.text("result.content.0.text")).contains("validation_error", "quotes");
        Answer plain = client.call(
                "get_message",
                json("inboxId", inbox, "messageId", "<f@example.com>", "format", "plain", "links", "full"));
        assertThat(plain.text("result.content.0.text")).contains("only taken with format markdown");
    }

    @Test
    @Tag("long")
    @Proves("P23a")
    void aFileAndTheLinksOfAMailAreReadToTheLastOne() {
        String inbox = world.inbox("files");
        StringBuilder body = new StringBuilder("--b\nContent-Type: text/html\n\n<p>Your code is 482913</p>\n");
        for (int i = 0; i < 150; i++) {
            body.append("<p><a href=\"https://www.example.com/")
                    .append(i)
                    .append("/")
                    .append("path/".repeat(150));
            body.append("\">Link ").append(i).append("</a></p>\n");
        }
        mail(
                inbox,
                "Subject: Files\nMessage-ID: <files@example.com>\nContent-Type: multipart/mixed; boundary=b",
                body + "--b\nContent-Type: text/plain; name=a.txt\n\n" + text(20_000, "file") + "--b--");
        Map<String, Object> now = arguments("inboxId", inbox, "messageId", "<files@example.com>", "extract", true);
        List<String> links = new ArrayList<>();
        String thread = "";
        String file = "";
        while (now != null) {
            JsonTree result = call("get_message", now);
            JsonTree message = result.get("message");
            message.list("links").forEach(link -> links.add(link.text("url")));
            if (!now.containsKey("listsFrom")) {
                assertThat(message.list("codes").getFirst().text("code")).isEqualTo("482913");
                thread = message.text("threadId");
                file = message.list("attachments").getFirst().text("attachmentId");
            }
            now = next(result, "get_message", "listsFrom");
            assertThat(links.size()).isLessThan(151);
        }
        assertThat(links).hasSize(150).doesNotHaveDuplicates().allMatch(link -> link.endsWith("path/"));
        Map<String, Object> asked = arguments("inboxId", inbox, "threadId", thread, "attachmentId", file);
        Eventually.await(() -> call("get_attachment", asked).has("markdown"));
        StringBuilder read = new StringBuilder();
        for (Map<String, Object> each = asked; each != null; ) {
            JsonTree result = call("get_attachment", each);
            read.append(unfenced(result, result));
            each = next(result, "get_attachment", "offset");
            assertThat(result.has("nextOffset")).isEqualTo(each != null);
        }
        assertThat(read.toString())
                .startsWith("```\nfile0 ")
                .contains("file19999")
                .endsWith("\n```");
    }
}
