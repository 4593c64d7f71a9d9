package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The first page: numbers that lead to what they count, charts without a script, and what needs somebody. */
class ConsoleHomeHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;

    @BeforeAll
    static void start() {
        console = ConsoleProbe.of(world, "home");
    }

    @Test
    void aNumberLeadsToWhatItCounts() {
        console.received("counted", "Subject: Counted <b>\r\n\r\nHi\r\n");
        Eventually.await(() -> console.page("").contains("<b>1</b> today"));
        String home = console.page("");
        assertThat(home)
                .contains("role=\"img\" aria-label=\"The last 24 hours. ", ": 1 received, 0 sent", "The last 14 days")
                .doesNotContain("<script>", "style=");
        String filter = ConsoleProbe.between(home, "<a href=\"/console/mail?label=received", "\"")
                .replace("&amp;", "&");
        assertThat(console.page("/mail?label=received" + filter)).contains("Counted &lt;b&gt;", console.inbox());
        assertThat(console.page("/mail?label=bounced" + filter)).contains("No results");
        assertThat(console.page("/mail?after=yesterday")).contains("The filter after: needs a date");
    }

    @Test
    void whatNeedsSomebodyIsListed() {
        assertThat(console.page("")).doesNotContain("unread for more than a day");
        world.http()
                .post("/v0/domains", json("domain", "unverified.example.com"))
                .is(200);
        String webhook = world.http()
                .post(
                        "/v0/webhooks",
                        json("url", "http://127.0.0.1:9/fails", "event_types", List.of("message.received")))
                .is(200)
                .text("webhook_id");
        for (int i = 0; i < 10; i++) {
            console.received(
                    "machine" + i,
                    "Subject: Out of office\r\nAuto-Submitted: auto-replied\r\nReferences: <machine0@shop.test>\r\n\r\n"
                            + "Away " + i + "\r\n");
        }
        world.http()
                .post(
                        "/v0/inboxes/" + console.inbox() + "/messages/%3Cmachine9@shop.test%3E/reply",
                        json("text", "Thank you"))
                .is(200);
        Eventually.await(() -> console.page("").contains("Webhook failing ("));
        assertThat(console.page(""))
                .contains(
                        "Domain not verified: unverified.example.com",
                        "/console/webhooks/" + webhook,
                        "Possible mail loop: " + console.inbox() + " and an automatic sender, 11 messages");
        world.advance(Duration.ofHours(25));
        String later = console.page("");
        assertThat(later).contains("unread for more than a day").doesNotContain("Possible mail loop");
        String unread = ConsoleProbe.between(later, "<a href=\"/console/mail?label=unread", "\"");
        assertThat(console.page("/mail?label=unread" + unread.replace("&amp;", "&")))
                .contains("Out of office");
        world.http().patch("/v0/webhooks/" + webhook, json("enabled", false)).is(200);
        assertThat(console.page("")).contains("Webhook disabled: http://127.0.0.1:9/fails");
    }

    @Test
    @Tag("long")
    void whatWaitsIsCountedNoFurtherThanToAHundred() {
        ConsoleProbe many = ConsoleProbe.of(world, "many");
        many.sends("/inboxes/" + many.inbox(), "do", "approval-on").is(303);
        for (int i = 0; i < 101; i++) {
            world.http()
                    .post("/v0/inboxes/" + many.inbox() + "/messages/send", json("to", "jo@shop.test", "text", "Hi"))
                    .is(200);
        }
        assertThat(many.page("")).contains("100 or more drafts wait for your approval");
        assertThat(many.page("/inboxes/" + many.inbox() + "?tab=drafts"))
                .contains("/console/approvals/draft/" + many.inbox() + "/", ">Review</a>")
                .doesNotContain("value=\"send-draft\"");
    }
}
