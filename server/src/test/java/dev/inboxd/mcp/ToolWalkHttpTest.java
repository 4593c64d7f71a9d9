package dev.inboxd.mcp;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mail.markdown.TokenEstimate;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestSize;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a result leaves out is read by the calls alone that it names, within each bound of a client. */
class ToolWalkHttpTest {
    private static final String FAMILY = "👨‍👩‍👧‍👦";
    private static final String ID = "<" + "\"\\".repeat(480) + "@example.com>";

    @RegisterExtension
    private static final World world = World.start();

    private static McpProbe client;

    @BeforeAll
    static void start() {
        world.dns().text("example.com", "v=spf1 ip4:127.0.0.1 -all");
        client = McpProbe.of(world.http());
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** Receives a mail, and returns the id by which it is read. */
    private static String mail(String inbox, String header, String body) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nMIME-Version: 1.0\n" + header + "\n\n" + body
                                + "\n"))
                .startsWith("250");
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages?limit=1&include_unauthenticated=true")
                .is(200)
                .text("messages.0.message_id");
    }

    private static String whole(String inbox, String id, String query) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8)
                        + "?format=markdown&links=short" + query)
                .is(200)
                .text("markdown");
    }

    /** The bound of a call that names none, and in the long form a small one, which takes most of the calls. */
    static List<Integer> bounds() {
        return TestSize.isWhole() ? List.of(25_000, 5_000) : List.of(25_000);
    }

    private static String words(int count, String word) {
        return IntStream.range(0, count)
                .mapToObj(i -> word + i + (i % 12 == 11 ? "\n" : i % 100 == 99 ? "\n\n" : " "))
                .collect(Collectors.joining());
    }

    private static String lines(String text, int count) {
        return (text + "\n").repeat(count);
    }

    private static String utf8(String subject) {
        return "Subject: " + subject + "\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit";
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("bounds")
    void aMailIsReadToItsLastWordWhateverItIsMadeOf(int bound) {
        String inbox = world.inbox("made" + bound);
        List<String> bodies = List.of(
                words(25_000, "word"),
                lines(FAMILY.repeat(80), 90),
                lines("*#[a](b)".repeat(100), 60),
                lines("漢字".repeat(200), 60),
                lines("https://www.example.com/some/where?and=what 1 ".repeat(15), 40));
        for (String body : bodies) {
            String id = mail(inbox, utf8("Made"), body);
            String whole = whole(inbox, id, "");
            List<Long> each = TestSize.isWhole() ? List.of(0L, 3_000L, 20_000L, 1_000_000L) : List.of(0L, 20_000L);
            for (long most : each) {
                ToolWalk walk = new ToolWalk(client, bound)
                        .from("get_message", map("inboxId", inbox, "messageId", id, "maxChars", most));
                assertThat(walk.text(id, "markdown")).isEqualTo(whole);
                for (String piece : walk.pieces(id)) {
                    assertThat(piece).doesNotStartWith("\u200d").doesNotEndWith("\u200d");
                    assertThat(piece.length() - piece.replaceFirst("\\\\+$", "").length())
                            .isEven();
                }
            }
        }
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("bounds")
    void aThreadIsReadToItsLastWordWhereBothItsRouteAndTheBoundCut(int bound) {
        String inbox = world.inbox("both" + bound);
        Map<String, String> whole = new LinkedHashMap<>();
        for (int i = 0; i < 9; i++) {
            String id = mail(
                    inbox,
                    utf8("Re: T") + "\nReferences: <t@example.com>",
                    i == 3 ? lines("漢字".repeat(200), 80) : words(i == 7 ? 30_000 : 40 * i, "said" + i + "x"));
            whole.put(id, whole(inbox, id, "&quotes=none"));
        }
        String thread =
                world.http().get("/v0/inboxes/" + inbox + "/threads").is(200).text("threads.0.thread_id");
        List<Map<String, Object>> forms = List.of(
                map(),
                map("maxChars", 0L),
                map("maxChars", 0L, "limit", 2L),
                map("maxChars", 100_000L),
                map("limit", 3L),
                map("fence", false));
        for (Map<String, Object> form : forms) {
            Map<String, Object> arguments = map("inboxId", inbox, "threadId", thread);
            arguments.putAll(form);
            ToolWalk walk = new ToolWalk(client, bound).from("get_thread", arguments);
            whole.forEach((id, text) ->
                    assertThat(walk.text(id, "markdown")).as(form + id).isEqualTo(text));
        }
        ToolWalk plain = new ToolWalk(client, bound)
                .from("get_thread", map("inboxId", inbox, "threadId", thread, "format", "plain"));
        whole.keySet()
                .forEach(id -> assertThat(plain.text(id, "text"))
                        .as(id)
                        .isEqualTo(world.http()
                                .get("/v0/inboxes/" + inbox + "/messages/"
                                        + URLEncoder.encode(id, StandardCharsets.UTF_8))
                                .is(200)
                                .text("text")));
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(ints = {25_000, 5_000})
    void anItemOfAListThatIsCutIsReadOnInTheSameWords(int bound) {
        String inbox = world.inbox("item" + bound);
        String said = words(12_000, "variant");
        String id = mail(
                inbox,
                utf8("Re: Listed") + "\nReferences: <x@example.com>",
                said + "\nOn Monday, Kim wrote:\n" + lines("> quoted words that are old", 300) + "\n"
                        + words(40, "end"));
        String whole = whole(inbox, id, "&quotes=none");
        assertThat(whole).contains("end39").doesNotContain("quoted");
        Eventually.await(world::isIndexed);
        List<ToolWalk> walks = List.of(
                new ToolWalk(client, bound).from("list_messages", map("inboxId", inbox, "maxChars", 1_000_000L)),
                new ToolWalk(client, bound).from("list_threads", map("inboxId", inbox, "maxChars", 1_000_000L)),
                new ToolWalk(client, bound)
                        .from("search_messages", map("inboxId", inbox, "q", "variant1", "maxChars", 1_000_000L)),
                new ToolWalk(client, bound)
                        .from("search_threads", map("inboxId", inbox, "q", "variant1", "maxChars", 1_000_000L)));
        walks.forEach(walk -> assertThat(walk.text(id, "markdown")).isEqualTo(whole));
        ToolWalk waited = new ToolWalk(client, bound)
                .from("wait_for_message", map("inboxId", inbox, "since", "2000-01-01T00:00:00Z", "maxChars", 90_000L));
        assertThat(waited.text(id, "markdown")).isEqualTo(whole(inbox, id, ""));
    }

    @Test
    @Tag("long")
    void aDraftIsReadOnInTheWordsInWhichItBegan() {
        String inbox = world.inbox("draft");
        String text = words(15_000, "draft");
        Map<String, Object> made = map("inboxId", inbox, "text", text);
        ToolWalk plain = new ToolWalk(client, 25_000).from("create_draft", made);
        String draft =
                world.http().get("/v0/inboxes/" + inbox + "/drafts").is(200).text("drafts.0.draft_id");
        assertThat(plain.text(draft, "text").strip()).isEqualTo(text.strip());
        ToolWalk read = new ToolWalk(client, 5_000).from("get_draft", map("inboxId", inbox, "draftId", draft));
        assertThat(read.text(draft, "markdown"))
                .isEqualTo(world.http()
                        .get("/v0/inboxes/" + inbox + "/drafts/" + draft + "?format=markdown&links=short")
                        .is(200)
                        .text("markdown"));
    }

    @ParameterizedTest
    @Tag("long")
    @ValueSource(ints = {25_000, 5_000})
    void whatAStrangerNamesAsLongAsCanBeIsReadToItsEnd(int bound) {
        String inbox = world.inbox("stranger" + bound);
        List<String> cc = IntStream.range(0, 300)
                .mapToObj(i -> "person-" + i + "-" + "x9".repeat(25) + "@host-" + i + ".example")
                .toList();
        StringBuilder files = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            files.append("--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"")
                    .append("\\\"".repeat(80))
                    .append(i)
                    .append("\"\nContent-ID: <")
                    .append("\"".repeat(300))
                    .append("@x>\n\nx\n");
        }
        String id = mail(
                inbox,
                "Message-ID: " + ID + "\nIn-Reply-To: " + ID + "\nReferences: " + ID + "\n " + ID + "\nSubject: "
                        + "\"\\".repeat(450) + "\nCc: " + String.join(",\n ", cc)
                        + "\nContent-Type: multipart/mixed; boundary=b",
                "--b\n\n" + words(9_000, "text") + "\n" + files + "--b--");
        assertThat(id).isEqualTo(ID);
        JsonTree shown = JsonTree.of(world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                .is(200)
                .body());
        List<String> ids = shown.list("attachments").stream()
                .map(each -> each.text("attachment_id"))
                .toList();
        assertThat(ids).hasSize(60);
        String thread = shown.text("thread_id");
        Map<String, Map<String, Object>> reads = new LinkedHashMap<>();
        reads.put("get_message", map("inboxId", inbox, "messageId", id));
        reads.put("list_messages", map("inboxId", inbox, "maxChars", 1_000_000L));
        reads.put("wait_for_message", map("inboxId", inbox, "since", "2000-01-01T00:00:00Z"));
        reads.put("get_thread", map("inboxId", inbox, "threadId", thread));
        for (Map.Entry<String, Map<String, Object>> each : reads.entrySet()) {
            ToolWalk walk = new ToolWalk(client, bound).from(each.getKey(), each.getValue());
            String of = each.getKey();
            assertThat(walk.text(id, "markdown")).as(of).contains("text8999");
            assertThat(walk.entries(id, "attachments")).as(of).containsAll(ids);
            if (!of.equals("get_thread")) {
                assertThat(walk.entries(id, "cc")).as(of).containsAll(cc);
            }
        }
        ToolWalk listed = new ToolWalk(client, bound).from("list_threads", map("inboxId", inbox));
        assertThat(listed.entries(id, "attachments")).containsAll(ids);
    }

    @ParameterizedTest
    @ValueSource(ints = {25_000, 5_000})
    void whatAUserKeepsIsReadToItsEnd(int bound) {
        Map<String, Object> kept = new LinkedHashMap<>();
        IntStream.range(0, 100).forEach(i -> kept.put("n" + i + "\"".repeat(200), "\\".repeat(250)));
        String inbox = JsonTree.of(world.http()
                        .post("/v0/inboxes", json("metadata", kept))
                        .is(200)
                        .body())
                .text("inbox_id");
        for (Map.Entry<String, Map<String, Object>> each : Map.of(
                        "get_inbox", map("inboxId", inbox), "update_inbox", map("inboxId", inbox, "displayName", "A"))
                .entrySet()) {
            ToolWalk walk = new ToolWalk(client, bound).from(each.getKey(), each.getValue());
            kept.forEach((name, value) ->
                    assertThat(walk.entries("", name)).as(each.getKey() + name).contains((String) value));
        }
        List<Object> numbers = new ArrayList<>(IntStream.range(0, 900).boxed().toList());
        Map<String, Object> event = map(
                "inboxId",
                inbox,
                "title",
                "T",
                "start",
                "2099-10-15T10:00:00",
                "end",
                "2099-10-15T11:00:00",
                "description",
                words(3_000, "event"),
                "metadata",
                map("outer", map("inner", numbers, "more", List.of("last"))));
        ToolWalk walk = new ToolWalk(client, bound).from("create_event", event);
        String id = world.http()
                .get("/v0/inboxes/" + inbox + "/calendar/events")
                .is(200)
                .text("events.0.event_id");
        assertThat(walk.text(id, "description")).contains("event2999");
        assertThat(walk.entries(id, "inner")).hasSize(900);
        assertThat(walk.entries(id, "more")).containsExactly("last");
    }

    @ParameterizedTest
    @ValueSource(ints = {25_000, 5_000})
    void anErrorIsWithinTheBoundToo(int bound) {
        Map<String, Object> nested = new LinkedHashMap<>();
        IntStream.range(0, 40).forEach(i -> nested.put(i + "x9".repeat(450), Map.of("y8".repeat(450), 1L)));
        String odd = "\"".repeat(5_000);
        for (Map.Entry<String, Map<String, Object>> each : Map.of(
                        "create_inbox", map("metadata", nested),
                        "get_message", map("inboxId", odd, "messageId", odd, odd, odd),
                        "send_message",
                                map(
                                        "inboxId",
                                        world.inbox("odd" + bound),
                                        "to",
                                        List.of(odd, odd, odd),
                                        "subject",
                                        odd))
                .entrySet()) {
            Answer answer = client.query("max_tokens=" + bound).call(each.getKey(), Json.text(each.getValue()));
            String text = Objects.requireNonNull(answer.is(200).text("result.content.0.text"));
            assertThat(answer.at("result.isError")).isEqualTo(true);
            assertThat(TokenEstimate.of(text)).isLessThanOrEqualTo(bound);
            assertThat(JsonTree.of(text.getBytes(StandardCharsets.UTF_8)).text("code"))
                    .isNotEmpty();
        }
    }

    @Test
    void eachToolThatReadsMailTakesAnOffsetAndNamesItsArgumentsInErrors() {
        String inbox = world.inbox("offset");
        String id = mail(inbox, utf8("Offset variant"), "0123456789 variant");
        Eventually.await(world::isIndexed);
        Map<String, Map<String, Object>> reads = Map.of(
                "list_messages", map(),
                "list_threads", map(),
                "search_messages", map("q", "variant"),
                "search_threads", map("q", "variant"),
                "wait_for_message", map("since", "2000-01-01T00:00:00Z"),
                "get_message", map("messageId", id));
        reads.forEach((tool, more) -> {
            Map<String, Object> arguments = map("inboxId", inbox, "offset", 4L, "fence", false);
            arguments.putAll(more);
            String text = client.call(tool, Json.text(arguments)).is(200).text("result.content.0.text");
            assertThat(text).as(tool).contains("""
                    "markdown":"456789 variant",""");
            arguments.put("maxChars", 1_000_001L);
            assertThat(client.call(tool, Json.text(arguments)).is(200).text("result.content.0.text"))
                    .as(tool)
                    .contains("maxChars", "validation_error")
                    .doesNotContain("max_chars");
        });
    }
}
