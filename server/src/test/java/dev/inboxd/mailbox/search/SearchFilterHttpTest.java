package dev.inboxd.mailbox.search;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Words and filters are asked for at once, and one message has all of them. */
class SearchFilterHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String inbox = "";
    private static String other = "";

    @BeforeAll
    static void start() {
        inbox = world.inbox("filtered");
        other = world.inbox("beside");
        sent(inbox, "maria@example.test", "Chairs", "the plan of the office", "");
        sent(inbox, "maria@example.test", "Chairs with a file", "the plan of the office", """
                ,"attachments":[{"filename":"plan.txt","content":"cGxhbg=="}]""");
        sent(inbox, "jo@example.test", "Tables", "the plan of the garden", "");
        sent(other, "maria@example.test", "Lamps", "the plan of the house", "");
        world.http()
                .patch("/v0/inboxes/" + inbox + "/threads/" + thread("Tables"), json("add_labels", List.of("urgent")))
                .is(200);
        Eventually.await(() -> threads("/v0/threads", "q=plan").size() == 4);
    }

    private static void sent(String from, String to, String subject, String text, String more) {
        String body = json("to", to, "subject", subject, "text", text).replaceAll("}$", more) + "}";
        world.http().post("/v0/inboxes/" + from + "/messages/send", body).is(200);
    }

    private static String thread(String subject) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/threads?subject=" + subject)
                .is(200)
                .text("threads.0.thread_id");
    }

    private static List<Object> threads(String path, String query) {
        return subjects(world.http().get(path + "/search?" + query).is(200), "threads");
    }

    private static List<Object> messages(String query) {
        return subjects(
                world.http()
                        .get("/v0/inboxes/" + inbox + "/messages/search?" + query)
                        .is(200),
                "messages");
    }

    private static List<Object> subjects(Answer answer, String name) {
        return answer.list(name).stream()
                .<Object>map(each -> ((Map<?, ?>) each).get("subject"))
                .toList();
    }

    @Test
    void wordsAndFiltersGoTogetherInEveryScope() {
        assertThat(threads("/v0/threads", "q=plan&recipients=MARIA"))
                .containsExactly("Lamps", "Chairs with a file", "Chairs");
        assertThat(threads("/v0/inboxes/" + inbox + "/threads", "q=plan&recipients=maria"))
                .containsExactly("Chairs with a file", "Chairs");
        assertThat(threads("/v0/threads", "q=plan&senders=beside")).containsExactly("Lamps");
        assertThat(threads("/v0/threads", "q=plan&labels=urgent,sent")).containsExactly("Tables");
        assertThat(threads("/v0/threads", "q=office&labels=urgent")).isEmpty();
        assertThat(threads("/v0/threads", "q=plan&subject=chair&has_attachments=false"))
                .containsExactly("Chairs");
        assertThat(threads(
                        "/v0/threads",
                        "q=office%20plan&has_attachments=true&recipients=maria&after=2020-01-01T00:00:00Z"))
                .containsExactly("Chairs with a file");
        assertThat(threads("/v0/threads", "q=plan&recipients=maria&before=2020-01-01T00:00:00Z"))
                .isEmpty();
        assertThat(messages("q=plan&to=maria&from=filtered&has_attachments=true"))
                .containsExactly("Chairs with a file");
        assertThat(messages("q=plan&to=maria&to=jo")).isEmpty();
        world.http().get("/v0/threads/search?q=plan&has_attachments=perhaps").is(400);
    }

    @Test
    void aWalkThroughPagesKeepsItsFilter() {
        Answer first = world.http()
                .get("/v0/threads/search?q=plan&recipients=maria&limit=2")
                .is(200);
        assertThat(subjects(first, "threads")).containsExactly("Lamps", "Chairs with a file");
        String token = "&page_token=" + first.text("next_page_token");
        assertThat(threads("/v0/threads", "q=plan&recipients=maria&limit=2" + token))
                .containsExactly("Chairs");
    }

    @Test
    void listsKnowAttachmentsToo() {
        Answer threads = world.http()
                .get("/v0/inboxes/" + inbox + "/threads?has_attachments=true")
                .is(200);
        assertThat(subjects(threads, "threads")).containsExactly("Chairs with a file");
        Answer messages = world.http()
                .get("/v0/inboxes/" + inbox + "/messages?has_attachments=false")
                .is(200);
        assertThat(subjects(messages, "messages")).containsExactly("Tables", "Chairs");
    }

    /** As every flag (mail.md §1.3). */
    @Test
    void aFlagIsTrueInEverySpelling() {
        for (String yes : List.of("true", "True", "1")) {
            assertThat(threads("/v0/threads", "q=plan&has_attachments=" + yes)).containsExactly("Chairs with a file");
        }
        assertThat(threads("/v0/threads", "q=plan&recipients=maria&has_attachments=0"))
                .containsExactly("Lamps", "Chairs");
        world.http().get("/v0/threads?waiting=them&claimed=False").is(200);
        world.http().get("/v0/threads?waiting=them&claimed=maybe").is(400);
    }

    @Test
    @Proves("P10")
    void aFilterShowsNobodyMoreThanItsKeySees() {
        String foreign = world.otherOrganization();
        assertThat(subjects(
                        world.as(foreign)
                                .get("/v0/threads/search?q=plan&recipients=maria")
                                .is(200),
                        "threads"))
                .isEmpty();
        assertThat(subjects(
                        world.as(world.inboxKey(other))
                                .get("/v0/threads/search?q=plan&recipients=maria")
                                .is(200),
                        "threads"))
                .containsExactly("Lamps");
    }
}
