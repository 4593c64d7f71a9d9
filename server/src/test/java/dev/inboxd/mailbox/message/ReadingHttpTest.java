package dev.inboxd.mailbox.message;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an agent reads after a mail has come in. */
class ReadingHttpTest {
    private static final String ALL = "?include_unauthenticated=true";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Proves("P11")
    void mailFromAnUnknownAuthorIsHiddenFromListsUnlessAskedFor() {
        String inbox = received("hidden", "<h1@x.test>");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .isEmpty();
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/threads").is(200).list("threads"))
                .isEmpty();
        HttpProbe.Answer all =
                world.http().get("/v0/inboxes/" + inbox + "/messages" + ALL).is(200);
        assertThat(all.at("messages.0.labels")).isEqualTo(List.of("received", "unread", "unauthenticated"));
        assertThat(all.text("messages.0.from")).isEqualTo("Jo Doe <jo@example.com>");
        assertThat(all.text("messages.0.subject")).isEqualTo("Grüße");
        assertThat(all.text("messages.0.preview")).isEqualTo("Hello there.");
        assertThat(all.text("messages.0.headers.X-Mark")).isEqualTo("yes");
        assertThat(all.at("messages.0.text")).isNull();
    }

    @Test
    void aMessageIsReadByItsNameWithOrWithoutBrackets() {
        String inbox = received("single", "<s/1+%@x.test>");
        String path = "/v0/inboxes/" + inbox + "/messages/";
        HttpProbe.Answer message =
                world.http().get(path + encoded("<s/1+%@x.test>")).is(200);
        assertThat(message.text("text")).isEqualTo("Hello there.\n");
        assertThat(message.at("from_")).isEqualTo(List.of("Jo Doe <jo@example.com>"));
        assertThat(message.text("thread_id")).isNotEmpty();
        world.http().get(path + encoded("s/1+%@x.test")).is(200);
        assertThat(world.http().get(path + encoded("<no@x.test>")).is(404).text("message"))
                .isEqualTo("Message not found");
    }

    @Test
    @Proves("P13")
    void attachmentsAndTheRawMessageAreDownloadedThroughLinksWithoutAKey() throws Exception {
        String inbox = world.inbox("files");
        world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Message-ID: <f1@x.test>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/plain

                See the file.
                --b
                Content-Type: application/octet-stream
                Content-Disposition: attachment; filename="a.bin"
                Content-Transfer-Encoding: base64

                AAECAw==
                --b--
                """);
        String message = "/v0/inboxes/" + inbox + "/messages/" + encoded("<f1@x.test>");
        HttpProbe.Answer read = world.http().get(message).is(200);
        String id = read.text("attachments.0.attachment_id");
        HttpProbe.Answer attachment =
                world.http().get(message + "/attachments/" + id).is(200);
        HttpProbe.Answer bytes =
                world.anonymous().get(path(attachment.text("download_url"))).is(200);
        assertThat(bytes.body()).containsExactly(0, 1, 2, 3);
        assertThat(bytes.header("Content-Disposition")).startsWith("attachment; filename=\"a.bin\"");
        assertThat(bytes.header("Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
        world.http()
                .get("/v0/threads/" + read.text("thread_id") + "/attachments/" + id)
                .is(200);
        HttpProbe.Answer raw = world.anonymous()
                .get(path(world.http().get(message + "/raw").is(200).text("download_url")))
                .is(200);
        assertThat(raw.text())
                .startsWith("Return-Path: <jo@example.com>\r\nAuthentication-Results: ")
                .contains("\r\nReceived: ", "AAECAw==");
        world.advance(java.time.Duration.ofMinutes(61));
        world.anonymous().get(path(attachment.text("download_url"))).is(403);
    }

    @Test
    @Proves("P6")
    void aLabelChangeShowsOnMessageThreadAndFeedOnce() {
        String inbox = received("labels", "<l1@x.test>");
        String path = "/v0/inboxes/" + inbox + "/messages/" + encoded("<l1@x.test>");
        String change = json("add_labels", "Urgent", "remove_labels", List.of("unread", "unauthenticated"));
        assertThat(world.http().patch(path, change).is(200).at("labels")).isEqualTo(List.of("received", "urgent"));
        world.http().patch(path, change).is(200);
        HttpProbe.Answer threads =
                world.http().get("/v0/inboxes/" + inbox + "/threads").is(200);
        assertThat(threads.at("threads.0.labels")).isEqualTo(List.of("received", "urgent"));
        List<String> feed = world.http().get("/v0/inboxes/" + inbox + "/events").is(200).list("events").stream()
                .map(entry -> ((Map<?, ?>) entry).get("event_type") + " " + ((Map<?, ?>) entry).get("label"))
                .toList();
        assertThat(feed)
                .containsExactly(
                        "label.removed unauthenticated",
                        "label.removed unread",
                        "label.added urgent",
                        "label.added unauthenticated",
                        "label.added unread",
                        "label.added received");
        assertThat(world.http()
                        .patch(path, json("add_labels", List.of("sent")))
                        .is(400)
                        .text("code"))
                .isEqualTo("validation_error");
    }

    @Test
    @Proves("P20")
    void theFeedPagesWithoutGapsInBothDirections() {
        String inbox = received("feed", "<p1@x.test>");
        received("feed", "<p2@x.test>");
        for (String direction : List.of("false", "true")) {
            List<Object> whole = ids("/v0/inboxes/" + inbox + "/events?ascending=" + direction);
            List<Object> walked = new java.util.ArrayList<>();
            String token = "";
            do {
                HttpProbe.Answer page = world.http()
                        .get("/v0/inboxes/" + inbox + "/events?limit=2&ascending=" + direction
                                + (token.isEmpty() ? "" : "&page_token=" + token))
                        .is(200);
                page.list("events").forEach(entry -> walked.add(((Map<?, ?>) entry).get("event_id")));
                token = page.at("next_page_token") == null ? "" : page.text("next_page_token");
            } while (!token.isEmpty());
            assertThat(walked).isEqualTo(whole).hasSize(6).doesNotHaveDuplicates();
        }
    }

    @Test
    void aThreadHoldsTheConversationAtEveryLevel() {
        String inbox = received("conversation", "<c1@x.test>");
        world.mail(
                "jo@example.com",
                inbox,
                "From: jo@example.com\nMessage-ID: <c2@x.test>\nSubject: Re: x\n"
                        + "References: <c1@x.test>\n\nSecond.\n");
        HttpProbe.Answer list =
                world.http().get("/v0/inboxes/" + inbox + "/threads" + ALL).is(200);
        assertThat(list.at("threads.0.message_count")).isEqualTo(2L);
        assertThat(list.at("threads.0.senders")).isEqualTo(List.of("Jo Doe <jo@example.com>"));
        for (String level : List.of("/v0/threads/", "/v0/inboxes/" + inbox + "/threads/")) {
            HttpProbe.Answer thread =
                    world.http().get(level + list.text("threads.0.thread_id")).is(200);
            assertThat(thread.text("messages.0.message_id")).isEqualTo("<c1@x.test>");
            assertThat(thread.text("messages.1.text")).isEqualTo("Second.\n");
        }
    }

    private static List<Object> ids(String path) {
        return world.http().get(path).is(200).list("events").stream()
                .<Object>map(entry -> ((Map<?, ?>) entry).get("event_id"))
                .toList();
    }

    private static String received(String username, String id) {
        String inbox = username + "@mail.localhost";
        if (world.http().get("/v0/inboxes/" + inbox).status() == 404) {
            world.inbox(username);
        }
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo Doe <jo@example.com>\nTo: " + inbox
                                + "\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nMessage-ID: " + id
                                + "\nX-Mark: yes\n\nHello there.\n"))
                .startsWith("250");
        return inbox;
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String path(String url) {
        return URI.create(url).getRawPath();
    }
}
