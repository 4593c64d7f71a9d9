package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whom a reply goes to is the original's choice: it passes the send lists, and the answer names it. */
class ReplyRecipientsHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        inbox = world.inbox("agent");
    }

    @Test
    void theAnswerToAReplyNamesWhomItWentToAlsoWhenItIsRepeated() {
        String path = received("<r1@x.test>", "Reply-To: Jo <jo@else.example>\nCc: al@x.example\n");
        HttpProbe.Answer reply = world.http()
                .post(path + "/reply", json("text", "t", "bcc", "b@x.example"))
                .is(200);
        assertThat(reply.list("to")).isEqualTo(List.of("Jo <jo@else.example>"));
        assertThat(reply.at("cc")).isNull();
        assertThat(reply.list("bcc")).isEqualTo(List.of("b@x.example"));
        HttpProbe once = world.http().with("Idempotency-Key", "once");
        HttpProbe.Answer all = once.post(path + "/reply-all", json("text", "t")).is(200);
        assertThat(all.list("cc")).isEqualTo(List.of("al@x.example"));
        assertThat(once.post(path + "/reply-all", json("text", "t")).is(200).text())
                .isEqualTo(all.text());
    }

    @Test
    @Proves("P11b")
    void recipientsThatTheOriginalNamesPassTheSendLists() {
        String path = received("<r2@x.test>", "Reply-To: boss@secret.example\nCc: al@quiet.example\n");
        for (String entry : List.of("secret.example", "al@quiet.example")) {
            world.http().post("/v0/lists/send/block", json("entry", entry)).is(200);
        }
        assertThat(world.http().post(path + "/reply", json("text", "t")).is(403).text("message"))
                .contains("boss@secret.example");
        assertThat(world.http()
                        .post(path + "/reply-all", json("text", "t"))
                        .is(403)
                        .text("message"))
                .contains("boss@secret.example", "al@quiet.example");
    }

    private static String received(String name, String fields) {
        String mail = "From: x@x.test\nTo: " + inbox + "\nSubject: s\nMessage-ID: " + name + "\n" + fields + "\nHi\n";
        assertThat(world.mail("x@x.test", inbox, mail)).startsWith("250");
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
