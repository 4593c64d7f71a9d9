package dev.inboxd.mailbox.markdown;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages, lists, waits and drafts with their Markdown in place of their bodies. */
class MarkdownHttpTest {
    private static final List<String> BODIES = List.of("text", "html", "extracted_text", "extracted_html", "headers");
    private static final List<String> MARKDOWN =
            List.of("markdown", "tokens", "truncated", "next_offset", "total_chars", "total_tokens");
    private static final String ALL = "include_unauthenticated=true";

    @RegisterExtension
    private static final World world = World.start();

    private static void receive(String inbox, String id, String body) {
        assertThat(world.mail("jo@example.com", inbox, """
                        From: Jo <jo@example.com>
                        Message-ID: <%s@md.test>
                        Subject: %s
                        Content-Type: text/html; charset=utf-8
                        MIME-Version: 1.0

                        %s
                        """.formatted(id, id, body)))
                .startsWith("250");
    }

    private static String path(String inbox, String id) {
        return "/v0/inboxes/" + inbox + "/messages/" + id + "@md.test";
    }

    private static Map<String, Object> members(Object object) {
        Map<String, Object> members = new LinkedHashMap<>();
        ((Map<?, ?>) object).forEach((name, value) -> members.put(String.valueOf(name), value));
        return members;
    }

    private static Map<String, Object> message(Answer answer) {
        return members(Objects.requireNonNull(answer.at("")));
    }

    private static String paragraphs(int count) {
        StringBuilder html = new StringBuilder();
        for (int i = 0; i < count; i++) {
            html.append("<p>Paragraph ").append(i).append(" says a little.</p>\n");
        }
        return html.toString();
    }

    @Test
    void theMarkdownStandsInPlaceOfTheBodiesAndTheHeaderBehindAllOtherMembers() {
        String inbox = world.inbox("single");
        receive(inbox, "s1", "<p>Read the report by Friday.</p><div style=\"display:none\">Nobody sees it</div>");
        Map<String, Object> shipped =
                message(world.http().get(path(inbox, "s1")).is(200));
        assertThat(shipped).containsKeys("html", "extracted_text", "headers").doesNotContainKeys("markdown", "tokens");
        Map<String, Object> shown =
                message(world.http().get(path(inbox, "s1") + "?format=markdown").is(200));
        assertThat(shown).doesNotContainKeys(BODIES.toArray(String[]::new)).containsEntry("hidden_text", true);
        assertThat(shown).containsEntry("truncated", false).doesNotContainKey("next_offset");
        assertThat(String.valueOf(shown.get("markdown")).strip()).isEqualTo("Read the report by Friday.");
        shipped.keySet().removeAll(BODIES);
        assertThat(shown).containsAllEntriesOf(shipped);
        List<String> order = new ArrayList<>(shown.keySet());
        assertThat(order.subList(shipped.size(), order.size()))
                .containsExactly("markdown", "tokens", "truncated", "total_chars", "total_tokens");
    }

    @Test
    void aSentMessageHasItsDeliveriesBesideItsMarkdown() {
        String inbox = world.inbox("sent");
        String id = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "jo@elsewhere.test", "subject", "Offer", "text", "Here it is."))
                .is(200)
                .text("message_id");
        Answer sent = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + id.substring(1, id.length() - 1) + "?format=markdown")
                .is(200);
        assertThat(sent.text("markdown").strip()).isEqualTo("Here it is.");
        assertThat(sent.list("deliveries")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"1", "7", "64", "400", "100000"})
    void thePiecesOfAMessageInOrderAreItsWholeMarkdown(long most) {
        String inbox = world.inbox("pieces" + most);
        receive(inbox, "p1", paragraphs(most == 1 ? 2 : 30));
        String path = path(inbox, "p1") + "?format=markdown";
        Answer all = world.http().get(path).is(200);
        StringBuilder joined = new StringBuilder();
        Object offset = 0L;
        while (offset != null) {
            Answer piece = world.http()
                    .get(path + "&max_chars=" + most + "&offset=" + offset)
                    .is(200);
            assertThat(piece.text("markdown").codePoints().count()).isBetween(1L, most);
            assertThat(piece.at("total_chars")).isEqualTo(all.at("total_chars"));
            assertThat(piece.at("total_tokens")).isEqualTo(all.at("total_tokens"));
            Object next = piece.at("next_offset");
            assertThat(piece.at("truncated")).isEqualTo(next != null);
            joined.append(piece.text("markdown"));
            assertThat(next == null ? Long.MAX_VALUE : ((Number) next).longValue())
                    .isGreaterThan(((Number) offset).longValue());
            offset = next;
        }
        assertThat(joined).hasToString(all.text("markdown"));
    }

    @Test
    void noCharactersAreTheFiguresAloneAndBehindTheEndIsNothing() {
        String inbox = world.inbox("figures");
        receive(inbox, "f1", paragraphs(3));
        Answer all = world.http().get(path(inbox, "f1") + "?format=markdown").is(200);
        Answer figures = world.http()
                .get(path(inbox, "f1") + "?format=markdown&max_chars=0")
                .is(200);
        assertThat(figures.text("markdown")).isEmpty();
        assertThat(figures.at("tokens")).isEqualTo(0L);
        assertThat(figures.at("truncated")).isEqualTo(true);
        assertThat(figures.at("total_chars")).isEqualTo(all.at("total_chars"));
        for (Object offset : List.of(Objects.requireNonNull(all.at("total_chars")), 1_000_000_000_000L)) {
            Answer end = world.http()
                    .get(path(inbox, "f1") + "?format=markdown&offset=" + offset)
                    .is(200);
            assertThat(end.text("markdown")).isEmpty();
            assertThat(end.at("truncated")).isEqualTo(false);
            assertThat(end.at("next_offset")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "format=html,format",
        "format=,format",
        "format=MARKDOWN,format",
        "max_chars=5,max_chars",
        "offset=5,offset",
        "quotes=full,quotes",
        "links=short,links",
        "format=markdown&max_chars=-1,max_chars",
        "format=markdown&max_chars=1000001,max_chars",
        "format=markdown&max_chars=many,max_chars",
        "format=markdown&offset=-1,offset",
        "format=markdown&offset=1.5,offset",
        "format=markdown&quotes=some,quotes",
        "format=markdown&links=long,links",
        "format=markdown&format=markdown,format",
        "format=markdown&maxChars=5,maxChars",
    })
    void anotherValueIsRefusedWithTheNameOfItsParameter(String query, String name) {
        String inbox = world.inbox("refused" + Integer.toHexString(query.hashCode()));
        receive(inbox, "r1", "<p>Hello</p>");
        String thread = world.http().get(path(inbox, "r1")).is(200).text("thread_id");
        String draft = world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", json("to", "jo@elsewhere.test", "text", "Hello"))
                .is(200)
                .text("draft_id");
        for (String each : List.of(
                path(inbox, "r1") + "?",
                "/v0/inboxes/" + inbox + "/messages?",
                "/v0/inboxes/" + inbox + "/messages/search?q=hello&",
                "/v0/inboxes/" + inbox + "/messages/wait?timeout=0&",
                "/v0/inboxes/" + inbox + "/threads?",
                "/v0/threads?",
                "/v0/threads/search?q=hello&",
                "/v0/threads/" + thread + "?",
                "/v0/inboxes/" + inbox + "/threads/" + thread + "?",
                "/v0/inboxes/" + inbox + "/drafts/" + draft + "?")) {
            Answer refused = world.http().get(each + query).is(400);
            assertThat(refused.text("code")).isEqualTo("validation_error");
            assertThat(refused.at("errors.0.path")).as(each).isEqualTo(List.of(name));
        }
    }

    @Test
    void listsAndWaitsTakeNoOffset() {
        String inbox = world.inbox("none");
        for (String each : List.of(
                "/v0/inboxes/" + inbox + "/messages?",
                "/v0/inboxes/" + inbox + "/messages/search?q=hello&",
                "/v0/inboxes/" + inbox + "/messages/wait?timeout=0&",
                "/v0/inboxes/" + inbox + "/threads?",
                "/v0/threads/search?q=hello&")) {
            Answer refused = world.http().get(each + "format=markdown&offset=0").is(400);
            assertThat(refused.at("errors.0.path")).as(each).isEqualTo(List.of("offset"));
        }
    }

    @Test
    void anItemOfAListHasTheBeginningOfItsMarkdown() {
        String inbox = world.inbox("list");
        receive(inbox, "l1", "<p>Short.</p>");
        receive(inbox, "l2", paragraphs(60));
        String list = "/v0/inboxes/" + inbox + "/messages?" + ALL;
        Map<String, Object> shipped =
                members(world.http().get(list).is(200).list("messages").getFirst());
        Answer shown = world.http().get(list + "&format=markdown&limit=500").is(200);
        assertThat(shown.at("limit")).isEqualTo(50L);
        Map<String, Object> item = members(shown.list("messages").getFirst());
        shipped.remove("headers");
        assertThat(item).containsAllEntriesOf(shipped).doesNotContainKeys("headers", "next_offset");
        assertThat(item).containsEntry("truncated", true);
        assertThat(String.valueOf(item.get("markdown")))
                .startsWith("Paragraph 0 says")
                .hasSizeBetween(200, 400);
        assertThat(shown.text("messages.1.markdown").strip()).isEqualTo("Short.");
        assertThat(shown.at("messages.1.truncated")).isEqualTo(false);
        assertThat(world.http()
                        .get(list + "&format=markdown&max_chars=100000")
                        .is(200)
                        .text("messages.0.markdown"))
                .contains("Paragraph 59");
    }

    @Test
    void thePagesOfAListWithMarkdownHaveEachMessageOnce() {
        String inbox = world.inbox("pages");
        for (int i = 0; i < 7; i++) {
            receive(inbox, "g" + i, "<p>Number " + i + "</p>");
        }
        String list = "/v0/inboxes/" + inbox + "/messages?" + ALL + "&format=markdown&limit=3";
        List<String> walked = new ArrayList<>();
        String next = "";
        while (next != null) {
            Answer page = world.http()
                    .get(list + (next.isEmpty() ? "" : "&max_chars=" + (10 + walked.size()) + "&page_token=" + next))
                    .is(200);
            page.list("messages")
                    .forEach(item -> walked.add(
                            String.valueOf(members(item).get("markdown")).strip()));
            next = page.at("next_page_token") == null ? null : page.text("next_page_token");
        }
        assertThat(walked)
                .containsExactly("Number 6", "Number 5", "Number 4", "Number 3", "Number 2", "Number 1", "Number 0");
    }

    @Test
    void aThreadInAListHasTheMarkdownOfItsNewestMessageThatCounts() {
        String inbox = world.inbox("threads");
        receive(inbox, "t1", "<p>The first</p>");
        assertThat(world.mail("jo@example.com", inbox, """
                        From: Jo <jo@example.com>
                        Message-ID: <t2@md.test>
                        In-Reply-To: <t1@md.test>
                        Subject: t1

                        The second
                        """)).startsWith("250");
        String relabel = json("remove_labels", List.of("unauthenticated"));
        world.http().patch(path(inbox, "t1"), relabel).is(200);
        world.http().patch(path(inbox, "t2"), relabel).is(200);
        for (String level : List.of("/v0/inboxes/" + inbox + "/threads", "/v0/threads")) {
            Map<String, Object> item = members(world.http()
                    .get(level + "?format=markdown")
                    .is(200)
                    .list("threads")
                    .getFirst());
            assertThat(String.valueOf(item.get("markdown")).strip()).isEqualTo("The second");
            assertThat(item).containsKeys("tokens", "truncated").doesNotContainKey("next_offset");
        }
        world.http()
                .patch(path(inbox, "t2"), json("add_labels", List.of("trash")))
                .is(200);
        assertThat(world.http()
                        .get("/v0/threads?format=markdown")
                        .is(200)
                        .text("threads.0.markdown")
                        .strip())
                .isEqualTo("The first");
    }

    @Test
    void whatASearchFindsHasItsMarkdown() {
        String inbox = world.inbox("found");
        receive(inbox, "q1", "<p>Chairs in cobalt</p>");
        world.http()
                .patch(path(inbox, "q1"), json("remove_labels", List.of("unauthenticated")))
                .is(200);
        Eventually.await(world::isIndexed);
        Answer messages = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/search?q=cobalt&format=markdown")
                .is(200);
        assertThat(messages.text("messages.0.markdown").strip()).isEqualTo("Chairs in cobalt");
        assertThat(messages.at("messages.0.highlights.text")).isEqualTo(List.of("Chairs in **cobalt**"));
        assertThat(messages.at("messages.0.headers")).isNull();
        assertThat(world.http()
                        .get("/v0/threads/search?q=cobalt&format=markdown")
                        .is(200)
                        .text("threads.0.markdown")
                        .strip())
                .isEqualTo("Chairs in cobalt");
    }

    @Test
    void aMessageThatWasWaitedForHasItsMarkdownBesideItsCode() {
        String inbox = world.inbox("wait");
        receive(inbox, "w1", "<p>Your code is 482913</p>");
        Answer waited = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/wait?timeout=0&since=2000-01-01&extract=code&" + ALL
                        + "&format=markdown&max_chars=9")
                .is(200);
        assertThat(waited.text("message.markdown").strip()).isEqualTo("Your code");
        assertThat(waited.at("message.truncated")).isEqualTo(true);
        assertThat(waited.at("message.next_offset")).isNotNull();
        assertThat(waited.text("message.extracted.code")).isEqualTo("482913");
        assertThat(members(Objects.requireNonNull(waited.at("message"))))
                .doesNotContainKeys(BODIES.toArray(String[]::new));
    }

    @Test
    void aDraftHasTheMarkdownOfItsOwnBodies() {
        String inbox = world.inbox("draft");
        String id = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json("to", "jo@elsewhere.test", "html", "<p>Dear Jo</p><p>It is here.</p>"))
                .is(200)
                .text("draft_id");
        for (String level : List.of("/v0/drafts/", "/v0/inboxes/" + inbox + "/drafts/")) {
            Map<String, Object> draft =
                    message(world.http().get(level + id + "?format=markdown").is(200));
            assertThat(draft)
                    .doesNotContainKeys(BODIES.toArray(String[]::new))
                    .containsKeys("tokens", "truncated", "total_chars", "total_tokens", "created_at");
            assertThat(String.valueOf(draft.get("markdown")))
                    .contains("Dear Jo")
                    .contains("It is here.");
        }
        assertThat(MARKDOWN)
                .noneMatch(message(world.http().get("/v0/drafts/" + id).is(200))::containsKey);
    }

    @Test
    void anUnknownMessageIsReportedBeforeAWrongParameter() {
        String inbox = world.inbox("unknown");
        world.http().get(path(inbox, "no") + "?format=html").is(404);
    }
}
