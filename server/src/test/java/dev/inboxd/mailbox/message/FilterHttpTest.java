package dev.inboxd.mailbox.message;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the filters of lists find. */
class FilterHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        inbox = world.inbox("filters");
        received("<a@x.test>", "Jörg Äpfel <joerg@example.com>", inbox, "100% of_it [now]", "");
        received(
                "<b@x.test>",
                "Ann <ann@example.org>",
                inbox + ", Bob <bob@example.com>",
                "Invoice 7",
                "Cc: eve@x.test\n");
        received("<c@x.test>", "ann@example.org", inbox, "invoice 8", "");
    }

    private static void received(String name, String from, String to, String subject, String more) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: " + from + "\nTo: " + to + "\nSubject: " + subject + "\nMessage-ID: " + name + "\n"
                                + more + "MIME-Version: 1.0\nContent-Type: text/plain\n\nHi.\n"))
                .startsWith("250");
    }

    @Test
    void aTextIsFoundInAnyCaseAndEveryTextMustBeThere() {
        assertThat(messages("from=ANN")).containsExactly("<c@x.test>", "<b@x.test>");
        assertThat(messages("from=" + encoded("JÖRG äpfel"))).containsExactly("<a@x.test>");
        assertThat(messages("from=ann&from=org")).containsExactly("<c@x.test>", "<b@x.test>");
        assertThat(messages("from=ann&from=jo")).isEmpty();
        assertThat(messages("subject=invoice&from=" + encoded("<ann"))).containsExactly("<b@x.test>");
        assertThat(messages("to=" + encoded("Bob <bob"))).containsExactly("<b@x.test>");
        assertThat(messages("to=EVE%40x&to=bob")).containsExactly("<b@x.test>");
    }

    @Test
    void noCharacterOfATextMeansAnythingElse() {
        assertThat(messages("subject=" + encoded("100% of_"))).containsExactly("<a@x.test>");
        for (String literal : List.of("%", "o%t", "_", "of.it", ".*", "\\", "'", "invoice%", "[a-z]")) {
            assertThat(messages("subject=" + encoded(literal)))
                    .as(literal)
                    .isEqualTo(literal.equals("%") || literal.equals("_") ? List.of("<a@x.test>") : List.of());
        }
    }

    @Test
    void listsComeRepeatedAsOneArrayAsOneStringOrMixed() {
        assertThat(messages("from=" + encoded(json(List.of("ann", "org"))))).hasSize(2);
        assertThat(messages("from=" + encoded("\"ann\""))).hasSize(2);
        assertThat(messages("from=" + encoded(json(List.of("ann"))) + "&from=nobody"))
                .isEmpty();
        assertThat(messages("to=" + encoded("[]") + "&from=")).hasSize(3);
        assertThat(messages("labels=" + encoded(json(List.of("RECEIVED", "unread")))))
                .hasSize(3);
        assertThat(messages("labels=received&labels=sent")).isEmpty();
        for (String unstorable : List.of("[\"\\u0000\"]", "[\"\\ud800\"]")) {
            assertThat(messages("from=" + encoded(unstorable))).as(unstorable).isEmpty();
        }
    }

    @Test
    void threadsAreFilteredAlikeAtEveryLevel() {
        String pod = world.http().get("/v0/inboxes/" + inbox).is(200).text("pod_id");
        for (String level : List.of("", "/pods/" + pod, "/inboxes/" + inbox)) {
            String path = "/v0" + level + "/threads?include_unauthenticated=true&";
            assertThat(names(world.http().get(path + "senders=ann&subject=INVOICE"), "threads", "last_message_id"))
                    .containsExactly("<c@x.test>", "<b@x.test>");
            assertThat(names(world.http().get(path + "recipients=eve&recipients=bob"), "threads", "last_message_id"))
                    .containsExactly("<b@x.test>");
            assertThat(names(world.http().get(path + "ascending=true&labels=unread"), "threads", "last_message_id"))
                    .containsExactly("<a@x.test>", "<b@x.test>", "<c@x.test>");
        }
    }

    @Test
    void filteredPagesAreCutAtAHundredAndTheirTokensBelongToTheFilter() {
        assertThat(list("from=a&limit=500").is(200).at("limit")).isEqualTo(100L);
        assertThat(list("limit=501").is(200).at("limit")).isEqualTo(500L);
        HttpProbe.Answer first = list("subject=invoice&limit=1").is(200);
        assertThat(first.text("messages.0.message_id")).isEqualTo("<c@x.test>");
        String token = first.text("next_page_token");
        assertThat(messages("subject=invoice&limit=1&page_token=" + token)).containsExactly("<b@x.test>");
        list("subject=other&limit=1&page_token=" + token).is(400);
    }

    @Test
    void timesBoundAListHalfOpen() {
        HttpProbe.Answer all = list("ascending=true").is(200);
        String second = all.text("messages.1.timestamp");
        assertThat(messages("after=" + second)).containsExactly("<c@x.test>", "<b@x.test>");
        assertThat(messages("before=" + second)).containsExactly("<a@x.test>");
        assertThat(messages("after=" + second + "&before=" + second)).isEmpty();
        list("after=yesterday").is(400);
    }

    private static List<String> messages(String query) {
        return names(list(query), "messages", "message_id");
    }

    private static HttpProbe.Answer list(String query) {
        return world.http().get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&" + query);
    }

    private static List<String> names(HttpProbe.Answer answer, String list, String member) {
        return answer.is(200).list(list).stream()
                .map(item -> String.valueOf(((Map<?, ?>) item).get(member)))
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
