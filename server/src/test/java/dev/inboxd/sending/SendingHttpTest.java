package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an agent sends, and what becomes of it. */
class SendingHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void inTheSandboxAMessageIsCapturedAndCountsAsDelivered() {
        String inbox = world.inbox("sandbox");
        HttpProbe.Answer sent = send(inbox, """
                {"to":"Jo <jo@elsewhere.test>","subject":"Grüße","text":"Hi\\nthere"}""").is(200);
        Eventually.await(() -> labels(inbox, sent).contains("delivered"));
        HttpProbe.Answer captured = world.anonymous().get("/sandbox/messages").is(200);
        assertThat(captured.text("messages.0.to")).isEqualTo("jo@elsewhere.test");
        assertThat(captured.text("messages.0.subject")).isEqualTo("Grüße");
        assertThat(captured.text("messages.0.headers.DKIM-Signature")).contains("d=mail.localhost");
        HttpProbe.Answer message = world.http().get(path(inbox, sent)).is(200);
        assertThat(message.text("text")).isEqualTo("Hi\nthere");
        assertThat(message.at("to")).isEqualTo(List.of("Jo <jo@elsewhere.test>"));
        assertThat(message.text("from")).isEqualTo(inbox);
    }

    @Test
    void aReplyAnswersTheAuthorInTheSameThread() {
        String inbox = world.inbox("reply");
        world.mail(
                "jo@example.com",
                inbox,
                "From: Jo <jo@example.com>\nReply-To: desk@example.com\nSubject: Question\n"
                        + "Message-ID: <q1@x.test>\n\nWell?\n");
        HttpProbe.Answer asked = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded("<q1@x.test>"))
                .is(200);
        HttpProbe.Answer reply = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/" + encoded("<q1@x.test>") + "/reply", json("text", "Yes."))
                .is(200);
        assertThat(reply.text("thread_id")).isEqualTo(asked.text("thread_id"));
        HttpProbe.Answer message = world.http().get(path(inbox, reply)).is(200);
        assertThat(message.at("to")).isEqualTo(List.of("desk@example.com"));
        assertThat(message.text("subject")).isEqualTo("Re: Question");
        assertThat(message.text("in_reply_to")).isEqualTo("<q1@x.test>");
        assertThat(message.at("references")).isEqualTo(List.of("<q1@x.test>"));
    }

    @Test
    void mailBetweenTwoInboxesArrivesAuthenticatedWithoutLeaving() {
        String sender = world.inbox("from");
        String receiver = world.inbox("to");
        HttpProbe.Answer sent =
                send(sender, json("to", receiver, "text", "Local")).is(200);
        Eventually.await(() -> !world.http()
                .get("/v0/inboxes/" + receiver + "/messages")
                .list("messages")
                .isEmpty());
        HttpProbe.Answer list =
                world.http().get("/v0/inboxes/" + receiver + "/messages").is(200);
        assertThat(list.at("messages.0.labels")).isEqualTo(List.of("received", "unread"));
        assertThat(list.text("messages.0.message_id")).isEqualTo(sent.text("message_id"));
    }

    @Test
    void aMessageToOneselfIsOneRecordSentAndReceived() {
        String inbox = world.inbox("self");
        HttpProbe.Answer sent = send(inbox, json("to", inbox, "text", "Note")).is(200);
        Eventually.await(() -> labels(inbox, sent).containsAll(List.of("sent", "received", "unread", "delivered")));
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    @Proves("P4")
    void anIdempotencyKeyMakesOneMessageOfOneRequest() {
        String inbox = world.inbox("once");
        HttpProbe keyed = world.http().with("Idempotency-Key", "order-1");
        String path = "/v0/inboxes/" + inbox + "/messages/send";
        String body = json("to", "jo@elsewhere.test", "text", "One");
        String first = keyed.post(path, body).is(200).text("message_id");
        assertThat(keyed.post(path, json("text", "One", "to", "jo@elsewhere.test"))
                        .is(200)
                        .text("message_id"))
                .isEqualTo(first);
        assertThat(keyed.post(path, json("to", "jo@elsewhere.test", "text", "Two"))
                        .is(409)
                        .text("code"))
                .isEqualTo("conflict");
        HttpProbe.Answer empty =
                world.http().with("Idempotency-Key", "").post(path, body).is(400);
        assertThat(empty.at("errors.0.path")).isEqualTo(List.of("headers", "idempotency-key"));
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        assertThat(keyed.post(path, body).is(200).text("message_id")).isEqualTo(first);
        assertThat(world.http().post(path, body).is(403).text("code")).isEqualTo("inbox_paused");
    }

    @Test
    @Proves("P4")
    void aRefusalUsesNoKeyUp() {
        String inbox = world.inbox("refused");
        HttpProbe keyed = world.http().with("Idempotency-Key", "refused-1");
        String path = "/v0/inboxes/" + inbox + "/messages/send";
        assertThat(keyed.post(path, json("text", "Nobody")).is(422).text("code"))
                .isEqualTo("unprocessable");
        keyed.post(path, json("to", "jo@elsewhere.test")).is(200);
    }

    @Test
    @Proves("P5")
    void twoEqualSendsThatWereAnsweredAreTwoMails() {
        String inbox = world.inbox("twice");
        String body = json("to", "jo@elsewhere.test", "text", "Same");
        assertThat(send(inbox, body).is(200).text("message_id"))
                .isNotEqualTo(send(inbox, body).is(200).text("message_id"));
    }

    @Test
    void whatIsWrongIsToldAllAtOnceWithItsPlace() {
        String inbox = world.inbox("wrong");
        HttpProbe.Answer answer = send(inbox, """
                {"to":["jo@elsewhere.test","no address"],"subject":"a\\r\\nBcc: x@y","labels":["sent"],\
                "headers":{"From":"x@y.test"},"attachments":[{"content":"***"}]}""").is(400);
        List<Object> paths = answer.list("errors").stream()
                .<Object>map(each -> ((Map<?, ?>) each).get("path"))
                .toList();
        assertThat(paths)
                .contains(
                        List.of("to", 1L),
                        List.of("subject"),
                        List.of("labels", 0L),
                        List.of("headers", "From"),
                        List.of("attachments", 0L, "content"));
    }

    @Test
    void anAddressThatNoServerWouldTakeIsRefusedAtOnce() {
        String inbox = world.inbox("unusable");
        List<String> unusable = List.of("\"\"@example.com", "a@xn--a.example", "a@[" + "1".repeat(62) + "]");
        for (String member : List.of("to", "cc", "bcc", "reply_to")) {
            String all = Json.text(
                    JsonObject.of(member, unusable).with("to".equals(member) ? "cc" : "to", "ok@elsewhere.test"));
            HttpProbe.Answer refused = send(inbox, all).is(400);
            for (int i = 0; i < unusable.size(); i++) {
                assertThat(refused.at("errors." + i + ".path")).isEqualTo(List.of(member, (long) i));
            }
        }
    }

    @Test
    void aMessageHasOnlySoManyFilesAndOctetsThoughItPassesOnAnother() {
        try (World small = World.start(Map.of("INBOXD_MAX_MESSAGE", "1MiB"))) {
            String inbox = small.inbox("forward");
            String part = "--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\na\n";
            small.mail(
                    "jo@example.com",
                    inbox,
                    "From: jo@example.com\nMessage-ID: <many@x.test>\nMIME-Version: 1.0\n"
                            + "Content-Type: multipart/mixed; boundary=b\n\n" + part.repeat(60) + "--b--\n");
            small.mail(
                    "jo@example.com",
                    inbox,
                    "From: jo@example.com\nMessage-ID: <large@x.test>\n\n" + ("x".repeat(75) + "\n").repeat(12_000));
            String file = json("filename", "a.txt", "content", "eHh4".repeat(90_000));
            String files = Stream.generate(() -> json("filename", "a.txt", "content", "eA=="))
                    .limit(41)
                    .collect(Collectors.joining(","));
            for (Map.Entry<String, String> each :
                    Map.of("<many@x.test>", files, "<large@x.test>", file).entrySet()) {
                String path = "/v0/inboxes/" + inbox + "/messages/" + encoded(each.getKey()) + "/forward";
                assertThat(small.http()
                                .post(path, """
                        {"to":"jo@elsewhere.test","attachments":[%s]}""".formatted(each.getValue()))
                                .is(422)
                                .text("code"))
                        .isEqualTo("unprocessable");
                small.http().post(path, json("to", "jo@elsewhere.test")).is(200);
            }
        }
    }

    @Test
    @Proves("P2")
    void aRelaySettlesEachRecipientByItself() throws Exception {
        try (FakeMx mx = new FakeMx("PIPELINING", "ENHANCEDSTATUSCODES");
                World relayed = World.start(Map.of(
                        "INBOXD_RELAY", "smtp://127.0.0.1:" + mx.endpoint().port()))) {
            mx.answerRecipient("gone@elsewhere.test", "550 5.1.1 No such user");
            mx.answerRecipient("busy@elsewhere.test", "451 4.2.1 Later");
            String inbox = relayed.inbox("relay");
            HttpProbe.Answer sent = relayed.http()
                    .post("/v0/inboxes/" + inbox + "/messages/send", """
                    {"to":["ok@elsewhere.test","gone@elsewhere.test",
                    "busy@elsewhere.test"],"text":"Hi"}""")
                    .is(200);
            mx.nextMail();
            Eventually.await(
                    () -> labels(relayed, inbox, sent).containsAll(List.of("sent", "delivered", "bounced", "delayed")));
            mx.answerRecipient("busy@elsewhere.test", "250 2.1.5 Now");
            relayed.advance(Duration.ofMinutes(6));
            mx.nextMail();
        }
    }

    private static List<?> labels(String inbox, HttpProbe.Answer sent) {
        return labels(world, inbox, sent);
    }

    private static List<?> labels(World some, String inbox, HttpProbe.Answer sent) {
        return some.http().get(path(inbox, sent)).is(200).list("labels");
    }

    private static String path(String inbox, HttpProbe.Answer sent) {
        return "/v0/inboxes/" + inbox + "/messages/" + encoded(sent.text("message_id"));
    }

    private static HttpProbe.Answer send(String inbox, String body) {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", body);
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
