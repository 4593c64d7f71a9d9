package dev.inboxd.mailbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The codes and links of a message over HTTP (markdown.md §9). */
class ExtractedHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aMessageHasItsCodesAndLinksAndAWaitAnswersTheFirst() {
        String inbox = world.inbox("codes");
        world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Message-ID: <c1@x.test>
                Subject: Confirm your address
                List-Unsubscribe: <mailto:out@s.test>, <https://s.test/u/9>
                MIME-Version: 1.0
                Content-Type: text/html; charset=utf-8

                <div style="display:none">Your code is 999999 <a href="https://h.test/verify">Verify</a></div>
                <p><a href="https://s.test/"><img src="https://s.test/l.png" alt="S"></a></p><p>Your code is 482 913</p>
                <p><a href="https://id.s.test/v?t=8a">Confirm my address</a></p>
                <p><a href="https://evil.test/x">https://bank.test/verify</a></p>
                """);
        HttpProbe.Answer found = extracted(inbox, "<c1@x.test>").is(200);
        assertThat(found.text("inbox_id")).isEqualTo(inbox);
        assertThat(found.text("message_id")).isEqualTo("<c1@x.test>");
        assertThat(found.text("thread_id")).isNotEmpty();
        assertThat(found.text("codes.0.code")).isEqualTo("482913");
        assertThat(found.text("codes.0.kind")).isEqualTo("one_time");
        assertThat(found.at("codes.0.confidence")).hasToString("0.97");
        assertThat(found.text("codes.0.found_in")).isEqualTo("html");
        assertThat(found.text("codes.0.text")).isEqualTo("Your code is 482 913");
        assertThat(found.at("links.0.n")).hasToString("2");
        assertThat(found.text("links.0.url")).isEqualTo("https://id.s.test/v?t=8a");
        assertThat(found.text("links.0.host")).isEqualTo("id.s.test");
        assertThat(found.text("links.0.text")).isEqualTo("Confirm my address");
        assertThat(found.text("links.0.kind")).isEqualTo("verify");
        assertThat(found.at("links.0.mismatch")).isNull();
        assertThat(found.text("links.1.found_in")).isEqualTo("header");
        assertThat(found.at("links.1.n")).hasToString("4");
        assertThat(found.text("links.1.kind")).isEqualTo("unsubscribe");
        assertThat(found.at("links.2.mismatch")).hasToString("true");
        assertThat(found.at("count.codes")).hasToString("1");
        assertThat(found.at("count.links")).hasToString("4");
        HttpProbe.Answer waited = world.http()
                .get("/v0/inboxes/" + inbox
                        + "/messages/wait?timeout=0&since=2000-01-01T00:00:00Z&extract=code&extract=link"
                        + "&include_unauthenticated=true")
                .is(200);
        assertThat(waited.text("message.extracted.code")).isEqualTo("482913");
        assertThat(waited.text("message.extracted.link")).isEqualTo("https://id.s.test/v?t=8a");
    }

    @Test
    void whatIsQuotedIsNoCodeAndALinkThatIsNotFollowed() {
        String inbox = world.inbox("quotes");
        world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Message-ID: <c2@x.test>
                Subject: Re: Your code

                Thanks, that worked!

                On Tue, Sep 22, 2026 at 9:14 AM Support <help@example.org> wrote:
                > Your code is 482913, or verify at https://s.test/verify/1
                """);
        HttpProbe.Answer found = extracted(inbox, "<c2@x.test>").is(200);
        assertThat(found.at("count.codes")).hasToString("0");
        assertThat(found.text("links.0.kind")).isEqualTo("verify");
        assertThat(found.at("links.0.confidence")).hasToString("0.3");
    }

    @Test
    void sentMailHasThemTooAndWhatIsNotThereIsNotFound() {
        String inbox = world.inbox("sent");
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"jo@example.com","subject":"Hello","text":"Use 771204 to verify your account."}""")
                .is(200);
        assertThat(extracted(inbox, sent.text("message_id")).is(200).text("codes.0.code"))
                .isEqualTo("771204");
        extracted(inbox, "<nobody@x.test>").is(404);
    }

    private static HttpProbe.Answer extracted(String inbox, String message) {
        String id = URLEncoder.encode(message, StandardCharsets.UTF_8);
        return world.http().get("/v0/inboxes/" + inbox + "/messages/" + id + "/extracted");
    }
}
