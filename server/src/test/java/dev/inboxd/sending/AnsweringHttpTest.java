package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replies to everybody and forwards: what they take over from the message they answer. */
class AnsweringHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aReplyToAllGoesToEverybodyButTheInboxItselfOnce() {
        String inbox = world.inbox("all");
        String path = received(inbox, """
                From: Jo <jo@example.com>
                To: %1$s, Ann <ann@example.com>, ALL+tag@mail.localhost, jo@EXAMPLE.com
                Cc: Bob <bob@example.com>, ann@example.com, %1$s
                Subject: re: Plan
                Message-ID: <all@x.test>
                References: <root@x.test>

                Well?
                """.formatted(inbox), "<all@x.test>");
        for (HttpProbe.Answer answer : List.of(
                world.http()
                        .sloppy()
                        .post(path + "/reply-all", json("text", "Yes", "to", "no address", "cc", List.of("x@y.test"))),
                world.http().post(path + "/reply", json("text", "Yes", "reply_all", true)))) {
            HttpProbe.Answer reply = message(inbox, answer.is(200));
            assertThat(reply.at("to")).isEqualTo(List.of("Jo <jo@example.com>", "Ann <ann@example.com>"));
            assertThat(reply.at("cc")).isEqualTo(List.of("Bob <bob@example.com>"));
            assertThat(reply.text("subject")).isEqualTo("re: Plan");
            assertThat(reply.at("references")).isEqualTo(List.of("<root@x.test>", "<all@x.test>"));
            assertThat(reply.text("thread_id"))
                    .isEqualTo(world.http().get(path).is(200).text("thread_id"));
        }
        HttpProbe.Answer both = world.http()
                .post(path + "/reply", json("reply_all", true, "to", "x@y.test"))
                .is(400);
        assertThat(both.at("errors.0.path")).isEqualTo(List.of("reply_all"));
    }

    @Test
    void aReplyToAllThatReachesNobodyIsRefused() {
        String inbox = world.inbox("alone");
        String path = received(
                inbox, "From: " + inbox + "\nTo: " + inbox + "\nMessage-ID: <alone@x.test>\n\nHm.\n", "<alone@x.test>");
        assertThat(world.http()
                        .post(path + "/reply-all", json("text", "Hm"))
                        .is(422)
                        .text("code"))
                .isEqualTo("unprocessable");
    }

    /** The envelope's sender is shown where From names nobody, and is never answered (ruling 130). */
    @Test
    void mailWithoutAnAuthorIsAnsweredOnlyWhereReplyToOrTheCallerSaysTo() {
        String inbox = world.inbox("nobody");
        for (String from : List.of("From: boss@one.test me@two.test\n", "From: Ann\n", "")) {
            String id = "<nobody" + from.length() + "@x.test>";
            String path = received(inbox, from + "Subject: S\nMessage-ID: " + id + "\n\nHm.\n", id);
            HttpProbe.Answer refused =
                    world.http().post(path + "/reply", json("text", "Hm")).is(422);
            assertThat(refused.text("code")).isEqualTo("unprocessable");
            assertThat(refused.text("fix")).isEqualTo("Give to, cc or bcc.");
            world.http()
                    .post(path + "/reply", json("text", "Hm", "to", "kim@elsewhere.test"))
                    .is(200);
        }
        String path = received(
                inbox,
                "From: Ann\nReply-To: Kim <\u200Bkim@elsewhere.test>\nMessage-ID: <kim@x.test>\n\nHm.\n",
                "<kim@x.test>");
        assertThat(message(
                                inbox,
                                world.http()
                                        .post(path + "/reply", json("text", "Hm"))
                                        .is(200))
                        .at("to"))
                .isEqualTo(List.of("Kim <kim@elsewhere.test>"));
    }

    /** Carriers gave out such addresses: given back in either form, it is one (ruling 130). */
    @Test
    void anAddressWithDotsAtOddPlacesIsOneInEitherForm() {
        String inbox = world.inbox("dots");
        String path = received(
                inbox,
                "From: Ken <ken..88@elsewhere.test>\nTo: kei.@elsewhere.test\nMessage-ID: <dots@x.test>\n\nHm.\n",
                "<dots@x.test>");
        HttpProbe.Answer read = world.http().get(path).is(200);
        assertThat(read.text("from")).isEqualTo("Ken <\"ken..88\"@elsewhere.test>");
        assertThat(read.text("from_address")).isEqualTo("\"ken..88\"@elsewhere.test");
        HttpProbe.Answer reply = message(
                inbox, world.http().post(path + "/reply", json("text", "Hm")).is(200));
        assertThat(reply.at("to")).isEqualTo(List.of("Ken <\"ken..88\"@elsewhere.test>"));
        world.http()
                .post("/v0/lists/send/block", json("entry", "ken..88@elsewhere.test"))
                .is(200);
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "\"ken..88\"@elsewhere.test", "text", "x"))
                .is(403);
    }

    @Test
    void whatNobodySeesIsNoPartOfARequest() {
        String inbox = world.inbox("invisible");
        HttpProbe.Answer sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                        {"to": ["\\u200bkim@elsewhere.test"],
                         "cc": "Ann <\\u00a0ann@elsewhere.test\\ufeff>\\u202c, bob@elsewhere.test",
                         "subject": "Order\\t7", "text": "x"}
                        """)
                .is(200);
        HttpProbe.Answer message = message(inbox, sent);
        assertThat(message.at("to")).isEqualTo(List.of("kim@elsewhere.test"));
        assertThat(message.at("cc")).isEqualTo(List.of("Ann <ann@elsewhere.test>", "bob@elsewhere.test"));
        assertThat(message.text("subject")).isEqualTo("Order 7");
    }

    @Test
    void aReplyToAnOwnMessageGoesToItsRecipientsAgain() {
        String inbox = world.inbox("again");
        HttpProbe.Answer sent = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "jo@elsewhere.test", "cc", "ann@elsewhere.test", "bcc", "eve@elsewhere.test"))
                .is(200);
        String path = path(inbox, sent.text("message_id"));
        HttpProbe.Answer reply = message(
                inbox, world.http().post(path + "/reply", json("text", "And")).is(200));
        assertThat(reply.at("to")).isEqualTo(List.of("jo@elsewhere.test"));
        assertThat(reply.at("cc")).isNull();
        HttpProbe.Answer all = message(
                inbox,
                world.http().post(path + "/reply-all", json("text", "And")).is(200));
        assertThat(all.at("cc")).isEqualTo(List.of("ann@elsewhere.test"));
        assertThat(all.at("bcc")).isNull();
    }

    @Test
    void aForwardCarriesTheMessageWithItsFilesInTheSameThread() {
        String inbox = world.inbox("forward");
        String path = received(inbox, """
                From: Jo <jo@example.com>
                To: %s
                Subject: Pictures
                Message-ID: <f1@x.test>
                References: <f0@x.test>
                MIME-Version: 1.0
                Content-Type: multipart/related; boundary=b

                --b
                Content-Type: text/html

                <p>See <img src="cid:pic@x"> &amp; smile</p>
                --b
                Content-Type: image/png; name="p.png"
                Content-Disposition: inline; filename="p.png"
                Content-ID: <pic@x>
                Content-Transfer-Encoding: base64

                AAECAw==
                --b
                Content-Type: application/octet-stream
                Content-Disposition: attachment; filename="a.bin"
                Content-Transfer-Encoding: base64

                BAUG
                --b--
                """.formatted(inbox), "<f1@x.test>");
        HttpProbe.Answer answer = world.http().post(path + "/forward", """
                {"to":"ann@elsewhere.test","text":"For <you>",
                "attachments":[{"filename":"own.txt","content":"aGk="}]}""").is(200);
        HttpProbe.Answer forward = message(inbox, answer);
        assertThat(answer.text("thread_id")).isEqualTo(world.http().get(path).text("thread_id"));
        assertThat(forward.text("subject")).isEqualTo("Fwd: Pictures");
        assertThat(forward.at("references")).isEqualTo(List.of("<f0@x.test>", "<f1@x.test>"));
        assertThat(forward.at("in_reply_to")).isNull();
        assertThat(forward.text("text"))
                .startsWith(
                        "For <you>\n\n---------- Forwarded message ----------\n" + "From: Jo <jo@example.com>\nDate: ")
                .contains("\nSubject: Pictures\nTo: " + inbox + "\n\nSee & smile");
        assertThat(forward.text("html"))
                .startsWith("<div style=\"white-space: pre-wrap\">For &lt;you&gt;</div>")
                .contains("From: Jo &lt;jo@example.com&gt;<br>", "<p>See <img src=\"cid:pic@x\"> &amp; smile</p>");
        assertThat(members(forward, "filename")).containsExactlyInAnyOrder("own.txt", "p.png", "a.bin");
        assertThat(members(forward, "content_id")).contains("pic@x");
        assertThat(download(inbox, forward, "p.png")).containsExactly(0, 1, 2, 3);
        assertThat(download(inbox, forward, "a.bin")).containsExactly(4, 5, 6);
    }

    @Test
    void whateverAMessageHoldsCanBeForwarded() {
        String inbox = world.inbox("hostile");
        String path = received(inbox, """
                From: jo@example.com
                Subject: FW: again
                Message-ID: <h1@x.test>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: no type at all
                Content-Disposition: attachment; filename="a\tb.bin"
                Content-ID: <not an id>

                x
                --b
                Content-Type: message/rfc822

                Subject: inner

                grüße
                --b--
                """, "<h1@x.test>");
        HttpProbe.Answer forward = message(
                inbox,
                world.http().post(path + "/forward", json("to", "a@b.test")).is(200));
        assertThat(forward.text("subject")).isEqualTo("FW: again");
        assertThat(forward.list("attachments")).hasSize(2);
        assertThat(message(
                                inbox,
                                world.http()
                                        .post(
                                                path + "/forward",
                                                json("to", "a@b.test", "subject", "Mine", "html", "<p>Hi</p>"))
                                        .is(200))
                        .text("subject"))
                .isEqualTo("Mine");
    }

    @Test
    void aForwardNeedsRecipientsAndTheRightToRead() {
        String inbox = world.inbox("rights");
        String path = received(inbox, "From: jo@example.com\nMessage-ID: <r1@x.test>\n\nSecret.\n", "<r1@x.test>");
        assertThat(world.http().post(path + "/forward", "{}").is(422).text("code"))
                .isEqualTo("unprocessable");
        String sender = world.http().post("/v0/api-keys", """
                {"name":"s","permissions":{"message_send":true,"label_unauthenticated_read":true}}
                """).is(200).text("api_key");
        HttpProbe.Answer refused =
                world.as(sender).post(path + "/forward", json("to", "a@b.test")).is(403);
        assertThat(refused.text("fix")).contains("message_read");
        world.as(sender).post(path + "/reply", json("text", "Hi")).is(200);
    }

    @Test
    void whatTheKeyCannotSeeItCannotAnswer() {
        String inbox = world.inbox("unseen");
        String path = received(inbox, "From: jo@example.com\nMessage-ID: <u1@x.test>\n\nHi.\n", "<u1@x.test>");
        String blind = world.http()
                .post(
                        "/v0/api-keys",
                        json("name", "b", "permissions", object("message_send", true, "message_read", true)))
                .is(200)
                .text("api_key");
        for (String verb : List.of("/reply", "/reply-all", "/forward")) {
            assertThat(world.as(blind)
                            .post(path + verb, json("to", "a@b.test"))
                            .is(404)
                            .text("message"))
                    .isEqualTo("Message not found");
        }
    }

    private static String received(String inbox, String mail, String name) {
        assertThat(world.mail("jo@example.com", inbox, mail)).startsWith("250");
        return path(inbox, name);
    }

    private static HttpProbe.Answer message(String inbox, HttpProbe.Answer sent) {
        return world.http().get(path(inbox, sent.text("message_id"))).is(200);
    }

    private static byte[] download(String inbox, HttpProbe.Answer message, String filename) {
        Object id = message.list("attachments").stream()
                .map(each -> (Map<?, ?>) each)
                .filter(each -> filename.equals(each.get("filename")))
                .findFirst()
                .orElseThrow()
                .get("attachment_id");
        String url = world.http()
                .get(path(inbox, message.text("message_id")) + "/attachments/" + id)
                .is(200)
                .text("download_url");
        return world.anonymous().get(URI.create(url).getRawPath()).is(200).body();
    }

    private static List<Object> members(HttpProbe.Answer message, String member) {
        return message.list("attachments").stream()
                .map(each -> (Map<?, ?>) each)
                .<Object>map(each -> String.valueOf(each.get(member)))
                .toList();
    }

    private static String path(String inbox, String name) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
