package dev.inboxd.notify.stream;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From when on a wait for a message counts what arrives (mail.md §6.14). */
class MessageWaitHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        threads = Executors.newVirtualThreadPerTaskExecutor();
    }

    @AfterAll
    static void stop() {
        threads.close();
    }

    @Test
    void withoutAnythingOnlyWhatArrivesAfterTheCallCounts() {
        String inbox = world.inbox("call");
        mail(inbox, "Old", "");
        assertThat(wait(inbox, "timeout=0").at("message")).isNull();
        assertThat(wait(inbox, "timeout=0&cursor=&in_reply_to=").at("message")).isNull();
        // A filter of lists that waiting does not have changes nothing.
        world.http()
                .raw()
                .get("/v0/inboxes/" + inbox + "/messages/wait?timeout=0&has_attachments=true")
                .is(200);
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> wait(inbox, "timeout=25"), threads);
        Eventually.await(() -> world.anonymous().get("/metrics").is(200).text().contains("\ninboxd_waits 1.0\n"));
        mail(inbox, "New", "");
        assertThat(waiting.join().text("message.subject")).isEqualTo("New");
    }

    @Test
    void aCallThatDoesNotWaitSaysWhereToBegin() {
        String inbox = world.inbox("begin");
        mail(inbox, "Old", "");
        String cursor = wait(inbox, "timeout=0").text("next_cursor");
        mail(inbox, "Meanwhile", "");
        assertThat(wait(inbox, "cursor=" + cursor).text("message.subject")).isEqualTo("Meanwhile");
    }

    @Test
    void whatArrivedAfterATimeIsFoundAndBehindTheTimeOfAMessageTheNext() {
        String inbox = world.inbox("since");
        Instant start = world.clock().instant();
        world.advance(Duration.ofSeconds(2));
        mail(inbox, "First", "");
        world.advance(Duration.ofSeconds(2));
        mail(inbox, "Second", "");
        Answer first = wait(inbox, "since=" + start);
        assertThat(first.text("message.subject")).isEqualTo("First");
        String shown = first.text("message.created_at");
        assertThat(wait(inbox, "since=" + shown).text("message.subject")).isEqualTo("Second");
        assertThat(wait(inbox, "after=" + shown).text("message.subject")).isEqualTo("First");
        assertThat(wait(inbox, "timeout=0&since=" + world.clock().instant()).at("message"))
                .isNull();
        assertThat(wait(inbox, "timeout=0&cursor=now&since=" + start).at("message"))
                .isNull();
        world.http()
                .get("/v0/inboxes/" + inbox + "/messages/wait?timeout=0&since=soon")
                .is(400);
    }

    @Test
    void anAnswerIsFoundWhetherItIsThereOrComes() {
        String inbox = world.inbox("asks");
        mail(inbox, "Old", "");
        String asked = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@example.com", "text", "?"))
                .is(200)
                .text("message_id");
        String answers = "in_reply_to=" + URLEncoder.encode(asked, StandardCharsets.UTF_8);
        assertThat(wait(inbox, "timeout=0&" + answers).at("message")).isNull();
        mail(inbox, "Other", "");
        mail(inbox, "Answer", "In-Reply-To: " + asked + "\n");
        Answer found = wait(inbox, answers);
        assertThat(found.text("message.subject")).isEqualTo("Answer");
        assertThat(wait(inbox, "timeout=0&" + answers + "&cursor=" + found.text("next_cursor"))
                        .at("message"))
                .isNull();
        assertThat(wait(inbox, "timeout=0&cursor=now&" + answers).at("message")).isNull();
    }

    @Test
    void anAnswerNamesTheMessageByTheIdThatItsSenderGaveIt() {
        String inbox = world.inbox("ids");
        mail(inbox, "Question", "Message-ID: bare@x.test\n");
        String name = wait(inbox, "since=2000-01-01T00:00:00Z").text("message.message_id");
        String answers = "in_reply_to=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
        mail(inbox, "By header", "In-Reply-To: <bare@x.test>\n");
        Answer first = wait(inbox, answers);
        assertThat(first.text("message.subject")).isEqualTo("By header");
        mail(inbox, "By references", "References: <older@x.test> <bare@x.test>\n");
        mail(inbox, "To another", "References: <bare@x.test>\nIn-Reply-To: <older@x.test>\n");
        Answer second = wait(inbox, answers + "&cursor=" + first.text("next_cursor"));
        assertThat(second.text("message.subject")).isEqualTo("By references");
        assertThat(wait(inbox, "timeout=0&" + answers + "&cursor=" + second.text("next_cursor"))
                        .at("message"))
                .isNull();
    }

    @Test
    void anOlderCodeIsNeverTheAnswer() {
        String inbox = world.inbox("codes");
        written(inbox, "Sign in", "Your code is 111111.\n");
        assertThat(wait(inbox, "timeout=0&extract=code").at("message")).isNull();
        Instant start = world.clock().instant();
        world.advance(Duration.ofSeconds(2));
        CompletableFuture<Answer> waiting =
                CompletableFuture.supplyAsync(() -> wait(inbox, "timeout=25&extract=code&since=" + start), threads);
        written(inbox, "News", "Nothing to enter.\n");
        written(inbox, "Sign in", "Your code is 222222.\n");
        assertThat(waiting.join().text("message.extracted.code")).isEqualTo("222222");
        written(inbox, "Sign in", "Confirm at https://x.test/verify?t=3 or enter the code 333333.\n");
        written(inbox, "News", "Nothing to enter.\n");
        written(
                inbox,
                "Re: Sign in",
                "Got it, thanks.\n\nOn Mon, 1 Jan 2026, Jo <jo@x.test> wrote:\n> Your code is 444444.\n");
        Answer newest = wait(inbox, "extract=code&since=" + start);
        assertThat(newest.text("message.extracted.code")).isEqualTo("333333");
        assertThat(newest.at("message.extracted.link")).isNull();
        Answer both = wait(inbox, "extract=code&extract=link&since=" + start);
        assertThat(both.text("message.extracted.link")).isEqualTo("https://x.test/verify?t=3");
        assertThat(wait(inbox, "timeout=0&extract=code&cursor=" + newest.text("next_cursor"))
                        .at("message"))
                .isNull();
        assertThat(wait(inbox, "since=" + start).at("message.extracted")).isNull();
        for (int i = 0; i < 120; i++) {
            written(inbox, "News " + i, "Nothing to enter.\n");
        }
        assertThat(wait(inbox, "extract=code&since=" + start).text("message.extracted.code"))
                .isEqualTo("333333");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages/wait?extract=otp")
                        .is(400)
                        .text("errors.0.message"))
                .isEqualTo("extract must be one of code, link, not \"otp\"");
    }

    @Test
    @Proves("A46")
    void whatNobodySeesIsInNoTextAndNoCode() {
        String inbox = world.inbox("hidden");
        Instant start = world.clock().instant();
        String html = "<style>.h{display:none}</style><div class=h>Your code is 111111."
                + " <a href=\"https://evil.test/verify?t=1\">Confirm your address</a></div>";
        assertThat(html(inbox, html + "<p>Lunch at noon?</p>")).startsWith("250");
        assertThat(wait(inbox, "timeout=0&extract=code&extract=link&since=" + start)
                        .at("message"))
                .isNull();
        Answer hidden = wait(inbox, "since=" + start);
        assertThat(hidden.text("message.extracted_text")).isEqualTo("Lunch at noon?");
        assertThat(hidden.text("message.preview")).isEqualTo("Lunch at noon?");
        assertThat(hidden.text("message.extracted_html")).contains("111111");
        assertThat(hidden.at("message.hidden_text")).isEqualTo(true);
        world.advance(Duration.ofSeconds(2));
        Instant later = world.clock().instant();
        assertThat(html(inbox, html)).startsWith("250");
        Answer nothing = wait(inbox, "since=" + later);
        assertThat(nothing.at("message.preview")).isNull();
        assertThat(nothing.at("message.extracted_text")).isNull();
        Answer list = world.http().get("/v0/inboxes/" + inbox + "/messages").is(200);
        assertThat(list.at("messages.0.hidden_text")).isNull();
        world.advance(Duration.ofSeconds(2));
        Instant last = world.clock().instant();
        assertThat(html(inbox, html + "<p>Your code is 222222.</p>")).startsWith("250");
        Answer code = wait(inbox, "extract=code&since=" + last);
        assertThat(code.text("message.extracted.code")).isEqualTo("222222");
    }

    private static String html(String inbox, String html) {
        return world.mail(
                "jo@example.com",
                inbox,
                "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: Lunch\nContent-Type: text/html\n\n" + html
                        + "\n");
    }

    private static void written(String inbox, String subject, String text) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: " + subject + "\n\n" + text))
                .startsWith("250");
    }

    private static Answer wait(String inbox, String query) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&" + query)
                .is(200);
    }

    private static void mail(String inbox, String subject, String header) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: " + subject + "\n" + header
                                + "\nHello.\n"))
                .startsWith("250");
    }
}
