package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whom a refusal blocks (ruling 141): nobody, unless it is one of the address itself. */
class RefusalHttpTest extends RelayService {
    /** An hour of a wrongly set relay must not block everybody who was written to in it. */
    @Test
    @Proves("P11b")
    void whatIsNoFaultOfTheAddressBouncesAndTheNextMailIsSent() {
        List<String> replies = List.of(
                "550 5.1.8 <bounce@mail.example.com>: Sender address rejected: Domain not found",
                "550 Greylisted, please try again in 300 seconds",
                "550 Administrative prohibition",
                "550 relay not permitted",
                "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org",
                "550-Verification failed for <b@mail.example.com>\n550-No Such User Here\n550 Sender verify failed",
                "552 5.2.2 Over quota",
                "550 5.1.0 Address rejected",
                "554 Too many connections",
                "550 No");
        for (int i = 0; i < replies.size(); i++) {
            String recipient = "p" + i + "@elsewhere.test";
            mx.answerRecipient(recipient, replies.get(i));
            awaitBounce(send(recipient).is(200).text("message_id"));
            world.http().get("/v0/lists/send/block/" + recipient).is(404);
            send(recipient).is(200);
        }
    }

    @Test
    @Proves("P11b")
    void whatIsAFaultOfTheAddressBlocksIt() {
        List<String> replies = List.of(
                "550 5.1.1 No such user",
                "550 No such user here",
                "550 Unrouteable address",
                "556 5.1.10 Recipient address has null MX",
                "550 5.4.4 Unable to route",
                "550 5.0.0 User unknown",
                "550 Utilisateur inconnu");
        for (int i = 0; i < replies.size(); i++) {
            String recipient = "p" + i + "@elsewhere.test";
            mx.answerRecipient(recipient, replies.get(i));
            awaitBounce(send(recipient).is(200).text("message_id"));
            assertThat(world.http()
                            .get("/v0/lists/send/block/" + recipient)
                            .is(200)
                            .text("reason"))
                    .isEqualTo("bounced");
            assertThat(send(recipient).is(403).text("code")).isEqualTo("message_rejected");
        }
    }

    @Test
    @Proves("P11b")
    void aRefusalAtAnotherCommandThanRcptBlocksNobodyWhateverItSays() {
        for (FakeMx.At at : List.of(FakeMx.At.MAIL, FakeMx.At.DATA, FakeMx.At.CONTENT)) {
            mx.answer(at, "550 5.1.1 <kim@elsewhere.test>: User unknown");
            awaitBounce(send("kim@elsewhere.test").is(200).text("message_id"));
            mx.usual(at);
        }
        send("kim@elsewhere.test").is(200);
    }

    private void awaitBounce(String message) {
        await(() -> world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(message, StandardCharsets.UTF_8))
                .is(200)
                .list("labels")
                .contains("bounced"));
    }

    private HttpProbe.Answer send(String recipient) {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", json("to", recipient, "text", "Hello"));
    }
}
