package dev.inboxd.mailbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where what the sender wrote anew is shown (mail.md §13). */
class ReplyExtractionHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aReplyIsShownWithoutItsQuoteInMessagesAndThreadsAndNeverInLists() {
        String inbox = world.inbox("replies");
        world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Message-ID: <e1@x.test>
                MIME-Version: 1.0
                Content-Type: multipart/alternative; boundary=b

                --b
                Content-Type: text/plain

                Thursday at 2pm works.
                Sent from my iPhone
                On Tue, Sep 22, 2026 at 9:14 AM Priya Shah <priya@example.org> wrote:
                > Can we move the demo?
                --b
                Content-Type: text/html

                <div>Thursday at 2pm works.</div><blockquote type="cite">Can we move the demo?</blockquote>
                --b--
                """);
        HttpProbe.Answer message = message(inbox, "<e1@x.test>");
        assertThat(message.text("extracted_text")).isEqualTo("Thursday at 2pm works.");
        assertThat(message.text("extracted_html")).isEqualTo("<div>Thursday at 2pm works.</div>");
        assertThat(message.text("text")).contains("> Can we move the demo?");
        HttpProbe.Answer thread =
                world.http().get("/v0/threads/" + message.text("thread_id")).is(200);
        assertThat(thread.text("messages.0.extracted_text")).isEqualTo("Thursday at 2pm works.");
        assertThat(thread.text("messages.0.extracted_html")).isEqualTo("<div>Thursday at 2pm works.</div>");
        HttpProbe.Answer list = world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true")
                .is(200);
        assertThat(list.text("messages.0.preview")).isEqualTo("Thursday at 2pm works.");
        assertThat(list.at("messages.0.extracted_text")).isNull();
        assertThat(list.at("messages.0.extracted_html")).isNull();
    }

    @Test
    void htmlAsTextHasTheLinesOfPreformattedTextAndTheWordsOfPictures() {
        String inbox = world.inbox("pictures");
        world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Message-ID: <e5@x.test>
                MIME-Version: 1.0
                Content-Type: text/html; charset=utf-8

                <p>Run this <img alt="✅" src="cid:e"></p><pre>one
                  two</pre><a href="https://x.test/go"><img src="https://x.test/b.png" alt="Confirm booking 3391"></a>
                """);
        HttpProbe.Answer message = message(inbox, "<e5@x.test>");
        assertThat(message.text("extracted_text")).isEqualTo("Run this [✅]\n\none\n  two\n\nConfirm booking 3391");
        assertThat(message.text("preview")).isEqualTo("Run this [✅] one two Confirm booking 3391");
        String wait = "/messages/wait?timeout=0&since=2000-01-01T00:00:00Z&extract=code";
        world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Message-ID: <e7@x.test>
                MIME-Version: 1.0
                Content-Type: text/html; charset=utf-8

                <p>Your code:</p><p><img src="https://x.test/b.png" alt="483920"></p>
                """);
        assertThat(message(inbox, "<e7@x.test>").text("extracted_text")).isEqualTo("Your code:\n\n[483920]");
        assertThat(world.http().get("/v0/inboxes/" + inbox + wait).is(200).at("message"))
                .isNull();
    }

    @Test
    void aBlockquoteOfTheAuthorsOwnStays() {
        String inbox = world.inbox("blockquotes");
        world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Message-ID: <e6@x.test>
                MIME-Version: 1.0
                Content-Type: text/html; charset=utf-8

                <p>Is this still valid?</p><blockquote>Payment is due.</blockquote><p>--<br>Jo</p>
                """);
        HttpProbe.Answer message = message(inbox, "<e6@x.test>");
        assertThat(message.text("extracted_text")).isEqualTo("Is this still valid?\n\nPayment is due.\n\n--\nJo");
        assertThat(message.text("extracted_html")).contains("Payment is due.");
        assertThat(message.text("preview")).isEqualTo("Is this still valid? Payment is due. -- Jo");
    }

    @Test
    void aBounceIsShownWhole() {
        String inbox = world.inbox("bounces");
        world.mail(
                "",
                inbox,
                "From: Mail System <postmaster@example.com>\nMessage-ID: <e2@x.test>\n\nNot delivered.\n\n"
                        + "-----Original Message-----\nHello\n");
        HttpProbe.Answer message = message(inbox, "<e2@x.test>");
        assertThat(message.text("extracted_text"))
                .isEqualTo(message.text("text"))
                .contains("Hello");
    }

    @Test
    void whatHasNothingNewHasNoField() {
        String inbox = world.inbox("nothing");
        world.mail(
                "jo@example.com",
                inbox,
                "From: jo@example.com\nMessage-ID: <e3@x.test>\n\nOn Mon, 5 May 2025, Ann wrote:\n> Tuesday?\n");
        HttpProbe.Answer message = message(inbox, "<e3@x.test>");
        assertThat(message.at("extracted_text")).isNull();
        assertThat(message.at("extracted_html")).isNull();
        assertThat(message.text("preview")).startsWith("On Mon");
    }

    @Test
    void sentMailIsExtractedToo() {
        String inbox = world.inbox("sender");
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"jo@example.com","subject":"s",
                "text":"Fine.\\n\\n> Tuesday?","html":"<p>Fine.</p>"}""")
                .is(200);
        HttpProbe.Answer message = message(inbox, sent.text("message_id"));
        assertThat(message.text("extracted_text")).isEqualTo("Fine.");
        assertThat(message.text("extracted_html")).isEqualTo("<p>Fine.</p>");
        assertThat(message.text("preview")).isEqualTo("Fine.");
    }

    private static HttpProbe.Answer message(String inbox, String id) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                .is(200);
    }
}
