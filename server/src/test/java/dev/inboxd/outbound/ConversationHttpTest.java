package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which conversation a mail belongs to, and whom an answer reaches, whatever programs write into their fields. */
class ConversationHttpTest extends RelayService {
    private static final String RELAYED = "0100019abcdef0024-1111-2222-3333-444455556666-000000";

    @Test
    void anAnswerNamesWhatTheSenderWroteAndTheSendersNextMailJoins() {
        Map<String, String> written = Map.of(
                "bare1@x.test", "<bare1@x.test>",
                "<sp x2@x.test>", "<sp x2@x.test>",
                "< pad3@x.test >", "<pad3@x.test>",
                "<ü4@x.test>", "<ü4@x.test>",
                "=?utf-8?q?=3Cword5=40x=2Etest=3E?=", "<word5@x.test>");
        written.forEach((field, id) -> {
            HttpProbe.Answer first = received(id, "Message-ID: " + field + "\n");
            HttpProbe.Answer next = received("next " + id, "In-Reply-To: " + field + "\n");
            assertThat(next.text("thread_id")).isEqualTo(first.text("thread_id"));
            HttpProbe.Answer reply = answered(first, "reply", json("text", "r"));
            assertThat(reply.text("headers.In-Reply-To")).isEqualTo(id);
            assertThat(reply.text("headers.References")).isEqualTo(id);
            assertThat(reply.text("thread_id")).isEqualTo(first.text("thread_id"));
        });
    }

    @Test
    void anAnswerToTheIdThatARelayGaveJoins() {
        mx.answer(FakeMx.At.CONTENT, "250 Ok " + RELAYED);
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@example.com", "text", "Hi"))
                .is(200);
        HttpProbe.Answer message = message(sent.text("message_id"));
        assertThat(message.text("headers.References")).isEqualTo(sent.text("message_id"));
        assertThat(message.at("references")).isNull();
        await(() -> message(sent.text("message_id")).list("labels").contains("delivered"));
        for (String host : List.of("email", "eu-west-1")) {
            HttpProbe.Answer answer =
                    received("by " + host, "In-Reply-To: <" + RELAYED + "@" + host + ".amazonses.com>\n");
            assertThat(answer.text("thread_id")).isEqualTo(sent.text("thread_id"));
        }
    }

    @Test
    void replyToCountsOnlyWhenItLeadsToSomebodyElse() {
        String tagged = "Agent <" + inbox.replace("@", "+tag@") + ">";
        for (String own : List.of(inbox, tagged, "nobody", "x@none.invalid", "")) {
            HttpProbe.Answer mail = received("to " + own, "Reply-To: " + own + "\nTo: " + inbox + "\n");
            for (String way : List.of("reply", "reply-all")) {
                assertThat(answered(mail, way, json("text", "r")).at("to")).isEqualTo(List.of("Jo <jo@example.com>"));
            }
        }
        HttpProbe.Answer both = received("both", "Reply-To: " + inbox + ", Ann <ann@example.org>\n");
        assertThat(answered(both, "reply", json("text", "r")).at("to")).isEqualTo(List.of("Ann <ann@example.org>"));
    }

    @Test
    void aCopyTellsWhichAddressesOfTheEnvelopeBroughtIt() {
        String other = world.inbox("other");
        String tagged = "Agent+Ticket-42@mail.localhost";
        send(List.of(tagged, inbox, tagged, other), "blind");
        assertThat(listed("blind")).hasSize(1);
        assertThat(member("blind")).isEqualTo(List.of(List.of(tagged, inbox)));
        send(List.of(tagged, inbox), "blind"); // a retry
        assertThat(listed("blind")).hasSize(1);
        send(List.of("agent+ticket-43@mail.localhost"), "blind");
        send(List.of("agent+ticket-43@mail.localhost"), "blind");
        assertThat(member("blind")).contains(List.of("agent+ticket-43@mail.localhost"));
        assertThat(listed("blind")).hasSize(2);
        world.http()
                .post(
                        "/v0/inboxes/" + other + "/messages/send",
                        json("to", List.of("agent+a@mail.localhost", inbox), "subject", "local"))
                .is(200);
        await(() -> listed("local").size() == 1);
        assertThat(member("local")).isEqualTo(List.of(List.of("agent+a@mail.localhost", inbox)));
    }

    private void send(List<String> recipients, String subject) {
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            assertThat(probe.send(
                            "zoe@example.org",
                            recipients,
                            "From: zoe@example.org\nSubject: " + subject + "\nMessage-ID: <" + subject
                                    + "@example.org>\n\nhello\n"))
                    .startsWith("250");
        }
    }

    private HttpProbe.Answer received(String subject, String fields) {
        String mail = "From: Jo <jo@example.com>\nSubject: =?utf-8?q?"
                + URLEncoder.encode(subject, StandardCharsets.UTF_8)
                        .replace('%', '=')
                        .replace('+', '_')
                + "?=\n" + fields + "\nx\n";
        assertThat(world.mail("jo@example.com", inbox, mail)).startsWith("250");
        return message(String.valueOf(listed(subject).getFirst().get("message_id")));
    }

    private List<Map<?, ?>> listed(String subject) {
        return world
                .http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&subject="
                        + URLEncoder.encode(subject, StandardCharsets.UTF_8))
                .is(200)
                .list("messages")
                .stream()
                .<Map<?, ?>>map(each -> (Map<?, ?>) each)
                .filter(each -> subject.equals(each.get("subject")))
                .toList();
    }

    private List<Object> member(String subject) {
        return listed(subject).stream()
                .<Object>map(each -> each.get("delivered_to"))
                .toList();
    }

    private HttpProbe.Answer answered(HttpProbe.Answer mail, String way, String body) {
        HttpProbe.Answer sent = world.http()
                .post(path(mail.text("message_id")) + "/" + way, body)
                .is(200);
        return message(sent.text("message_id"));
    }

    private HttpProbe.Answer message(String id) {
        return world.http().get(path(id)).is(200);
    }

    private String path(String id) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
