package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A NUL that comes in with mail is in nothing that leaves: not in an answer, a webhook, a reply or a forward. */
class NulHttpTest {
    private static final String MIME = "MIME-Version: 1.0\nContent-Type: %s\nContent-Transfer-Encoding: %s\n\n%s\n";
    private static final Map<String, String> MAILS = new TreeMap<>(Map.ofEntries(
            Map.entry("subject", "Subject: a\0b\n\nx\n"),
            Map.entry("encoded", "Subject: =?utf-8?Q?a=00b?=\nReply-To: =?utf-8?Q?a=00b?= <b@example.com>\n\nx\n"),
            Map.entry("field", "X-A\0B: 1\nX-C: =?utf-8?Q?a=00b?=\nCc: \"x\\\0y\" <c@example.com>\n\nx\n"),
            Map.entry("ids", "References: <r\0x@example.com>\nIn-Reply-To: <r\0x@example.com>\n\nx\n"),
            Map.entry("body", "\nhe\0llo\n"),
            Map.entry("quoted", MIME.formatted("text/plain; charset=utf-8", "quoted-printable", "he=00llo")),
            Map.entry("html", MIME.formatted("text/html; charset=utf-8", "quoted-printable", "<p>he=00llo</p>")),
            Map.entry("wide", MIME.formatted("text/plain; charset=utf-16le", "base64", "YQAAAGIA")),
            Map.entry("type", MIME.formatted("text/x-a\0b; charset=\"u\0tf-8\"", "8bit", "x")),
            Map.entry(
                    "file",
                    MIME.formatted(
                            "multipart/mixed; boundary=q",
                            "8bit",
                            "--q\n\nx\n--q\nContent-Type: text/x-a\0b; name*=utf-8''a%00b.txt\n"
                                    + "Content-Disposition: attachment; filename*=utf-8''a%00b.txt\n"
                                    + "Content-ID: <a\0b@x>\n\na\0b\n--q\nContent-Type: message/rfc822\n\n"
                                    + "Subject: in\0ner\n\nin\0ner\n--q--"))));

    @Test
    @Proves("A38")
    void whateverItIsPartOf() throws IOException {
        try (World world = World.start();
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("nul");
            world.http().post("/v0/webhooks", """
                    {"url":"%s","event_types":["message.received",
                    "message.received.unauthenticated","message.sent"]}""".formatted(endpoint.url("/"))).is(200);
            for (Map.Entry<String, String> mail : MAILS.entrySet()) {
                String id = "<" + mail.getKey() + "@x.test>";
                String head = "From: =?utf-8?Q?a=00b?= <b@example.com>\nMessage-ID: " + id + "\n";
                assertThat(world.mail("b@example.com", inbox, head + mail.getValue()))
                        .as(mail.getKey())
                        .startsWith("250");
                String path = "/v0/inboxes/" + inbox + "/messages/" + encoded(id);
                assertThat(world.http().get(path).is(200).text()).doesNotContain("\\u0000", "\0");
                for (Map.Entry<String, String> way : Map.of(
                                "/reply", json("text", "r"),
                                "/reply-all", json("html", "<p>r</p>"),
                                "/forward", json("to", "z@example.com", "text", "f"))
                        .entrySet()) {
                    Answer sent = world.http()
                            .post(path + way.getKey(), way.getValue())
                            .is(200);
                    assertThat(raw(world, inbox, sent.text("message_id")))
                            .as(mail.getKey() + way.getKey())
                            .doesNotContain("\0", "=00");
                }
                for (int i = 0; i < 4; i++) {
                    assertThat(endpoint.take().text()).doesNotContain("\\u0000", "\0");
                }
            }
        }
    }

    private static String raw(World world, String inbox, String id) throws IOException {
        String url = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded(id) + "/raw")
                .is(200)
                .text("download_url");
        try (InputStream raw = URI.create(url).toURL().openStream()) {
            String mail = new String(raw.readAllBytes(), StandardCharsets.ISO_8859_1);
            return mail.substring(mail.indexOf("\nDate:")); // the base64 of a signature may begin with 00
        }
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
