package dev.inboxd.sending.feedback;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.outbound.RelayService;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Mail that left over real SMTP, and what comes back to where it came from. */
class ReturnedMailHttpTest extends RelayService {
    @Test
    void aNoticeToTheAddressThatTheOtherServerWasGivenMarksTheMessage() throws Exception {
        HttpProbe.Answer sent = send("gone@victim.test");
        String mail = mx.nextMail().mail();
        String path = mail.substring(mail.indexOf('<') + 1, mail.indexOf('>'));
        assertThat(path).startsWith("bounce+").endsWith("@mail.localhost");
        await(() -> labels(sent).contains("delivered"));
        assertThat(world.mail(
                        "",
                        path.toUpperCase(Locale.ROOT),
                        ReportSamples.notice(path, "gone@victim.test", "550 5.1.1 No such user")))
                .startsWith("250");
        assertThat(labels(sent)).contains("delivered", "bounced");
        assertThat(world.http()
                        .get("/v0/lists/send/block/gone@victim.test")
                        .is(200)
                        .text("reason"))
                .isEqualTo("bounced");
        HttpProbe.Answer thread =
                world.http().get("/v0/threads/" + sent.text("thread_id")).is(200);
        assertThat(thread.at("message_count")).isEqualTo(2L);
    }

    @Test
    void whoUnsubscribesWhileAMessageWaitsDoesNotGetIt() {
        mx.answerRecipient("reader@victim.test", "450 4.2.1 later");
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"reader@victim.test","text":"Hi",
                "headers":{"List-Unsubscribe-Post":"List-Unsubscribe=One-Click"}}""")
                .is(200);
        await(() -> labels(sent).contains("delayed"));
        String link = String.valueOf(
                ((Map<?, ?>) Objects.requireNonNull(message(sent).at("headers"))).get("List-Unsubscribe"));
        world.anonymous()
                .with("Content-Type", "application/x-www-form-urlencoded")
                .post(link.substring(link.indexOf("/unsubscribe/"), link.length() - 1), "List-Unsubscribe=One-Click")
                .is(200);
        mx.answerRecipient("reader@victim.test", "250 2.1.5 now");
        world.advance(Duration.ofMinutes(6));
        await(() -> labels(sent).contains("rejected"));
        assertThat(labels(sent)).doesNotContain("delivered", "bounced");
        assertThat(mx.mails()).isEmpty();
        String reason = world.database()
                .read(tx -> tx.sqlAcrossTenants("select e.details -> 'reject' ->> 'reason' as reason"
                                + " from event e where e.type = 'message.rejected'")
                        .single(row -> row.text("reason")));
        assertThat(reason).isEqualTo("Recipient in block list, unsubscribed: reader@victim.test");
    }

    private HttpProbe.Answer send(String to) {
        return world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", to, "text", "Hi"))
                .is(200);
    }

    private HttpProbe.Answer message(HttpProbe.Answer sent) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(sent.text("message_id"), StandardCharsets.UTF_8))
                .is(200);
    }

    private List<String> labels(HttpProbe.Answer sent) {
        return message(sent).list("labels").stream().map(String.class::cast).toList();
    }
}
