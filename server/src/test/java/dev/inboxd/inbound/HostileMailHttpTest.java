package dev.inboxd.inbound;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mail that wants more than to be read (promises.md A13, A17, A18). */
class HostileMailHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Proves({"A18", "A41"})
    void nothingThatMailNamesIsEverFetched() throws IOException {
        String inbox = world.inbox("tracked");
        try (FakeEndpoint tracker = FakeEndpoint.start()) {
            String at = tracker.url("/");
            String mail = """
                    From: jo@x.test
                    Subject: tracked
                    List-Unsubscribe: <@@unsubscribe>
                    List-Unsubscribe-Post: List-Unsubscribe=One-Click
                    Disposition-Notification-To: jo@x.test
                    Face: @@face
                    MIME-Version: 1.0
                    Content-Type: multipart/mixed; boundary=b

                    --b
                    Content-Type: text/html

                    <html><head><link rel="stylesheet" href="@@style"><meta http-equiv="refresh" content="0;@@refresh">
                    <style>@import url(@@import);</style></head><body background="@@background">
                    <img src="@@pixel"><iframe src="@@frame"></iframe><a href="@@link">Click pelican</a></body></html>
                    --b
                    Content-Type: message/external-body; access-type=URL; URL="@@body"

                    Content-Type: text/plain

                    --b
                    Content-Type: text/calendar; name=c.ics
                    Content-Disposition: attachment; filename=c.ics

                    BEGIN:VCALENDAR
                    BEGIN:VEVENT
                    ATTACH:@@attach
                    END:VEVENT
                    END:VCALENDAR
                    --b
                    Content-Type: text/html; name=page.html
                    Content-Disposition: attachment; filename=page.html

                    <img src="@@attached"><p>Some words of a page</p>
                    --b--
                    """.replace("@@", at);
            assertThat(world.mail("jo@x.test", inbox, mail)).startsWith("250");
            Answer message = only(inbox);
            assertThat(message.text("html")).contains(at + "pixel");
            world.http()
                    .get("/v0/inboxes/" + inbox + "/threads/" + message.text("thread_id"))
                    .is(200);
            world.http().get(path(inbox, message.text("message_id")) + "/raw").is(200);
            for (Object attachment : message.list("attachments")) {
                world.http()
                        .get(path(inbox, message.text("message_id")) + "/attachments/"
                                + ((Map<?, ?>) attachment).get("attachment_id"))
                        .is(200);
            }
            world.http()
                    .patch(path(inbox, message.text("message_id")), json("remove_labels", List.of("spam")))
                    .is(200);
            world.learn();
            assertThat(tracker.connections()).isZero();
        }
    }

    @Test
    @Proves("A17")
    void htmlIsGivenAsDataAndUnchanged() {
        String inbox = world.inbox("scripted");
        String html = "<script>alert(1)</script><form action=\"javascript:go()\"><input type=password></form>\n"
                + "<svg onload=\"x()\"></svg><style>p[title^=\"a\"]{background:url(//x.test/a)}</style>\n"
                + "<p>Text</p><img src=\"http://x.test/?";
        assertThat(world.mail(
                        "jo@x.test",
                        inbox,
                        "From: jo@x.test\nMIME-Version: 1.0\nContent-Type: text/html\n\n" + html + "\n"))
                .startsWith("250");
        Answer message = only(inbox);
        assertThat(message.text("html")).isEqualTo(html + "\n");
        assertThat(message.header("content-type")).startsWith("application/json");
    }

    @Test
    @Proves("A13")
    void aMessageIdThatIsMissingMalformedOrTooLongIsReplacedAndItsOriginalKept() {
        String inbox = world.inbox("nameless");
        String huge = "<" + "x".repeat(10_000) + "@x.test>";
        for (String field : List.of(
                "",
                "Message-ID: none at all\n",
                "Message-ID: <>\n",
                "Message-ID: <a b@x.test>\n",
                "Message-ID: " + huge + "\n")) {
            assertThat(world.mail("jo@x.test", inbox, "From: jo@x.test\n" + field + "\nHello " + field.length() + "\n"))
                    .startsWith("250");
        }
        List<String> names = world
                .http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true")
                .is(200)
                .list("messages")
                .stream()
                .map(message -> String.valueOf(((Map<?, ?>) message).get("message_id")))
                .toList();
        assertThat(names)
                .hasSize(5)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).matches("<[0-9a-f-]{36}@mail\\.localhost>"));
        URI raw = URI.create(
                world.http().get(path(inbox, names.getFirst()) + "/raw").is(200).text("download_url"));
        assertThat(world.anonymous().get(raw.getRawPath()).is(200).text()).contains(huge);
    }

    private static Answer only(String inbox) {
        Object first = world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&include_spam=true")
                .is(200)
                .list("messages")
                .getFirst();
        return world.http()
                .get(path(inbox, String.valueOf(((Map<?, ?>) first).get("message_id"))))
                .is(200);
    }

    private static String path(String inbox, String message) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(message, StandardCharsets.UTF_8);
    }
}
