package dev.inboxd.mailbox.markdown;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads as transcripts. */
class TranscriptHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    /** Receives a mail of a thread; returns the id of the thread. */
    private static String receive(String inbox, int number, String text) {
        assertThat(world.mail("jo@example.com", inbox, """
                        From: Jo <jo@example.com>
                        Message-ID: <%d.%s>
                        References: <0.%s>
                        Subject: Chair

                        %s
                        """.formatted(number, inbox, inbox, text)))
                .startsWith("250");
        String path = "/v0/inboxes/" + inbox + "/messages/" + number + "." + inbox;
        world.http()
                .patch(path, json("remove_labels", List.of("unauthenticated")))
                .is(200);
        return world.http().get(path).is(200).text("thread_id");
    }

    private static List<JsonTree> entries(Answer page) {
        return JsonTree.of(page.body()).list("transcript");
    }

    @Test
    void whoWroteWhenAndWhatIsNewTheOldestFirst() {
        String inbox = world.inbox("order");
        receive(inbox, 0, "Could you ship it?");
        String thread = receive(inbox, 1, "On Monday, Support wrote:\n> Quoted words.\n\nAnd tell me when?");
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/1." + inbox + "/reply", json("text", "On Friday."))
                .is(200);
        for (String level : List.of("/v0/threads/", "/v0/inboxes/" + inbox + "/threads/")) {
            Answer read = world.http().get(level + thread + "?format=markdown").is(200);
            List<JsonTree> entries = entries(read);
            assertThat(entries)
                    .extracting(entry -> entry.text("direction"))
                    .containsExactly("received", "received", "sent");
            assertThat(entries)
                    .extracting(entry -> entry.text("from"))
                    .containsExactly("Jo <jo@example.com>", "Jo <jo@example.com>", inbox);
            assertThat(entries.getFirst().text("markdown").strip()).isEqualTo("Could you ship it?");
            assertThat(entries.getLast().text("markdown")).startsWith("On Friday.");
            assertThat(entries).noneMatch(entry -> entry.has("truncated"));
            assertThat(read.at("messages")).isNull();
            assertThat(read.at("truncated")).isEqualTo(false);
            assertThat(read.at("count")).isEqualTo(3L);
            long tokens = entries.stream()
                    .mapToLong(entry -> Long.parseLong(entry.text("tokens")))
                    .sum();
            assertThat(read.at("tokens")).isEqualTo(tokens);
        }
    }

    @Test
    void messagesInTheTrashAreLeftOutAsWhereTheThreadIsRead() {
        String inbox = world.inbox("trash");
        receive(inbox, 0, "Stays");
        String thread = receive(inbox, 1, "Goes");
        world.http()
                .patch("/v0/inboxes/" + inbox + "/messages/1." + inbox, json("add_labels", List.of("trash")))
                .is(200);
        assertThat(entries(world.http()
                        .get("/v0/threads/" + thread + "?format=markdown")
                        .is(200)))
                .extracting(entry -> entry.text("markdown").strip())
                .containsExactly("Stays");
    }

    @Test
    void theNewestMessageAloneIsCutWhenItIsLonger() {
        String inbox = world.inbox("cut");
        receive(inbox, 0, "Old words");
        String thread = receive(inbox, 1, "one two three four five six seven eight nine ten");
        Answer cut = world.http()
                .get("/v0/threads/" + thread + "?format=markdown&max_chars=20")
                .is(200);
        assertThat(entries(cut)).hasSize(1);
        assertThat(cut.at("truncated")).isEqualTo(true);
        assertThat(cut.at("transcript.0.truncated")).isEqualTo(true);
        assertThat(cut.at("next_offset")).isNotNull().isEqualTo(cut.at("transcript.0.next_offset"));
        assertThat(cut.at("next_page_token")).isNull();
        assertThat(world.http()
                        .get("/v0/threads/" + thread + "?format=markdown&max_chars=0")
                        .is(200)
                        .text("transcript.0.markdown"))
                .isEmpty();
    }

    @Test
    void withoutWordsEachMessageIsShownAndTheWalkEnds() {
        String inbox = world.inbox("sizes");
        String thread = "";
        for (int i = 0; i < 5; i++) {
            thread = receive(inbox, i, "Words of " + i);
        }
        String path = "/v0/threads/" + thread + "?format=markdown&max_chars=0&limit=2";
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            assertThat(seen.size()).isLessThan(5);
            Answer page = world.http()
                    .get(path + (token.isEmpty() ? "" : "&page_token=" + token))
                    .is(200);
            assertThat(page.at("next_offset")).isNull();
            assertThat(page.at("truncated")).isEqualTo(true);
            assertThat(entries(page)).allMatch(each -> each.is("truncated") && !each.has("next_offset"));
            entries(page).reversed().forEach(each -> seen.add(each.text("message_id")));
            token = JsonTree.of(page.body()).text("next_page_token");
        } while (!token.isEmpty());
        assertThat(seen).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void anEntrySaysThatItHidesWords() {
        String inbox = world.inbox("hidden");
        receive(inbox, 0, "Open");
        assertThat(world.mail("jo@example.com", inbox, """
                        From: Jo <jo@example.com>
                        Message-ID: <1.%s>
                        References: <0.%s>
                        Subject: Chair
                        Content-Type: text/html

                        <p>Seen</p><p style="display:none">Unseen</p>
                        """.formatted(inbox, inbox)))
                .startsWith("250");
        world.http()
                .patch(
                        "/v0/inboxes/" + inbox + "/messages/1." + inbox,
                        json("remove_labels", List.of("unauthenticated")))
                .is(200);
        String thread = receive(inbox, 2, "Again");
        assertThat(entries(world.http()
                        .get("/v0/threads/" + thread + "?format=markdown")
                        .is(200)))
                .extracting(each -> each.is("hidden_text"))
                .containsExactly(false, true, false);
    }

    /** In the short form the one with the fewest messages. */
    static List<Long> seeds() {
        return TestSize.isWhole() ? List.of(1L, 2L, 3L) : List.of(1L);
    }

    /** Whatever the sizes of its messages, the bound and the pages: nothing is missing, and nothing stands twice. */
    @ParameterizedTest
    @Tag("long")
    @MethodSource("seeds")
    @Proves("P23")
    void aThreadIsReadToItsLastWord(long seed) {
        Random random = new Random(seed);
        String inbox = world.inbox("walk" + seed);
        String thread = "";
        int count = 5 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder("Mail " + i + ".");
            int words = random.nextInt(3) == 0 ? random.nextInt(120) : random.nextInt(8);
            for (int word = 0; word < words; word++) {
                text.append(word % 9 == 8 ? "\n\n" : " ").append("w").append(random.nextInt(1_000));
            }
            thread = receive(inbox, i, text.toString());
        }
        String path = "/v0/threads/" + thread + "?format=markdown";
        Map<String, String> whole = new LinkedHashMap<>();
        entries(world.http().get(path).is(200))
                .forEach(entry -> whole.put(entry.text("message_id"), entry.text("markdown")));
        assertThat(whole).hasSize(count);
        for (int most : List.of(1 + random.nextInt(9), 10 + random.nextInt(90), 100 + random.nextInt(900), 100_000)) {
            int limit = 1 + random.nextInt(10);
            assertThat(walked(path + "&max_chars=" + most + "&limit=" + limit, most, limit))
                    .as(most + " " + limit)
                    .isEqualTo(whole);
        }
    }

    private static Map<String, String> walked(String path, int most, int limit) {
        List<JsonTree> backwards = new ArrayList<>();
        Map<String, String> found = new LinkedHashMap<>();
        String token = "";
        String offset = "";
        do {
            Answer page = world.http()
                    .get(path
                            + (token.isEmpty() ? "" : "&page_token=" + token)
                            + (offset.isEmpty() ? "" : "&offset=" + offset))
                    .is(200);
            JsonTree read = JsonTree.of(page.body());
            List<JsonTree> entries = read.list("transcript");
            assertThat(entries).hasSizeBetween(1, limit);
            assertThat(entries.stream()
                            .mapToLong(
                                    entry -> entry.text("markdown").codePoints().count())
                            .sum())
                    .isLessThanOrEqualTo(most);
            backwards.addAll(entries.reversed());
            offset = read.text("next_offset");
            token = offset.isEmpty() ? read.text("next_page_token") : token;
            assertThat(page.at("truncated")).isEqualTo(read.has("next_offset") || read.has("next_page_token"));
        } while (!offset.isEmpty() || !token.isEmpty());
        for (JsonTree entry : backwards) {
            found.merge(entry.text("message_id"), entry.text("markdown"), String::concat);
        }
        Map<String, String> ordered = new LinkedHashMap<>();
        new ArrayList<>(found.keySet()).reversed().forEach(id -> ordered.put(id, found.getOrDefault(id, "")));
        return ordered;
    }
}
