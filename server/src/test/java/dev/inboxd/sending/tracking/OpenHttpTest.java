package dev.inboxd.sending.tracking;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From {@code track_opens} to {@code message.opened}. */
class OpenHttpTest {
    private static final String HTML = "<html><body><p>Hi</p></body></html>";

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_TRACKING_HOST", "link.mail.localhost"));

    private static String inbox;

    @BeforeAll
    static void start() {
        inbox = world.inbox("tracker");
    }

    @Test
    @Proves("P11c")
    void theFirstLoadIsToldAndOnlyTheFirst() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            world.http()
                    .post("/v0/webhooks", json("url", endpoint.url("/hook"), "event_types", List.of("message.opened")))
                    .is(200);
            HttpProbe.Answer sent =
                    send(members("track_opens", true, "html", HTML)).is(200);
            String id = sent.text("message_id");
            assertThat(message(id).text("html")).isEqualTo(HTML);
            assertThat(message(id).text()).doesNotContain("/o/", "opened_at");
            String pixel = pixel(id);
            assertThat(pixel).startsWith("http://link.mail.localhost:" + world.httpPort() + "/o/");

            HttpProbe.Answer loaded =
                    world.anonymous().get(URI.create(pixel).getPath()).is(200);
            assertThat(loaded.header("Content-Type")).isEqualTo("image/gif");
            assertThat(loaded.header("Cache-Control")).isEqualTo("no-store");
            assertThat(new String(loaded.body(), StandardCharsets.ISO_8859_1)).startsWith("GIF89a");

            String event = endpoint.take().text();
            assertThat(event)
                    .contains(
                            members("event_type", "message.opened"),
                            "\"open\"",
                            id.replace("<", "").replace(">", ""),
                            sent.text("thread_id"));
            String openedAt = message(id).text("opened_at");
            assertThat(event).contains(openedAt);
            assertThat(message(id).list("labels").stream().map(String.class::cast))
                    .contains("sent", "opened");
            HttpProbe.Answer thread = world.http()
                    .get("/v0/inboxes/" + inbox + "/threads/" + sent.text("thread_id"))
                    .is(200);
            assertThat(thread.list("labels").stream().map(String.class::cast)).contains("opened");

            world.anonymous().get(URI.create(pixel).getPath()).is(200);
            // A later open of another message is told after whatever the second load might have caused.
            String other =
                    send(members("track_opens", true, "html", "<p>Two")).is(200).text("message_id");
            world.anonymous().get(URI.create(pixel(other)).getPath()).is(200);
            assertThat(endpoint.take().text()).contains(other.replace("<", "").replace(">", ""));
            assertThat(message(id).text("opened_at")).isEqualTo(openedAt);
        }
    }

    @Test
    @Proves("P11c")
    void noTokenSaysWhetherItIsOne() {
        String id = send(members("track_opens", true, "html", "<p>Hi")).is(200).text("message_id");
        String good = URI.create(pixel(id)).getPath();
        HttpProbe.Answer right = world.anonymous().get(good).is(200);
        for (String path :
                List.of("/o/x", good.substring(0, good.length() - 2) + "zz", "/o/%00x", "/o/" + "A".repeat(86))) {
            HttpProbe.Answer wrong = world.anonymous().get(path);
            if (path.contains("%00")) {
                wrong.is(400); // no path of ours, for everybody
                continue;
            }
            assertThat(wrong.is(200).body()).isEqualTo(right.body());
            assertThat(wrong.headers().map().keySet())
                    .isEqualTo(right.headers().map().keySet());
        }
        await(() -> message(id).at("opened_at") != null);
    }

    @Test
    void anOpenThatWaitsIsWrittenDownBeforeAStop() {
        String id = send(members("track_opens", true, "html", "<p>Hi")).is(200).text("message_id");
        world.anonymous().get(URI.create(pixel(id)).getPath()).is(200);
        world.restart();
        assertThat(message(id).at("opened_at")).isNotNull();
    }

    @Test
    void repliesAndForwardsAreTrackedToo() {
        String mail = "From: jo@x.example\nTo: " + inbox + "\nSubject: Q\nMessage-ID: <q-track@x.test>\n\nWell?\n";
        world.mail("jo@x.example", inbox, mail);
        String original = "/v0/inboxes/" + inbox + "/messages/" + encoded("<q-track@x.test>");
        String body = "{\"track_opens\":true,\"html\":\"<p>Yes\"";
        for (String way : List.of("/reply", "/reply-all", "/forward")) {
            String to = way.equals("/forward") ? ",\"to\":\"al@x.example\"}" : "}";
            String id = world.http().post(original + way, body + to).is(200).text("message_id");
            assertThat(pixel(id)).as(way).contains("/o/");
            assertThat(message(id).text("html")).doesNotContain("/o/");
        }
    }

    @Test
    void withoutHtmlOrWithoutBeingAskedNothingIsTracked() {
        String text = send(members("track_opens", true, "text", "Hi")).is(200).text("message_id");
        assertThat(raw(text)).doesNotContain("/o/");
        String unasked = send(members("html", "<p>Hi")).is(200).text("message_id");
        assertThat(html(unasked)).isEqualTo("<p>Hi");
    }

    @Test
    void whereOpensCannotBeTrackedNothingIsSent() {
        try (World plain = World.start()) {
            String from = plain.inbox("plain");
            HttpProbe.Answer refused = plain.http()
                    .post(
                            "/v0/inboxes/" + from + "/messages/send",
                            json("to", "jo@x.example", "html", "<p>Hi", "track_opens", true))
                    .is(422);
            assertThat(refused.text("code")).isEqualTo("unprocessable");
            assertThat(plain.http()
                            .get("/v0/inboxes/" + from + "/messages")
                            .is(200)
                            .list("messages"))
                    .isEmpty();
            plain.http()
                    .post(
                            "/v0/inboxes/" + from + "/messages/send",
                            json("to", "jo@x.example", "text", "Hi", "track_opens", true))
                    .is(200);
        }
    }

    private static HttpProbe.Answer send(String members) {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"jo@x.example",%s}""".formatted(members));
    }

    private static HttpProbe.Answer message(String id) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded(id))
                .is(200);
    }

    private static String raw(String id) {
        String url = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded(id) + "/raw")
                .is(200)
                .text("download_url");
        return new String(
                world.anonymous().get(URI.create(url).getPath()).is(200).body(), StandardCharsets.UTF_8);
    }

    private static String html(String id) {
        return Objects.requireNonNull(
                        MessageParser.parse(new ByteArrayInputStream(raw(id).getBytes(StandardCharsets.UTF_8)))
                                .body()
                                .html())
                .strip();
    }

    /** The address of the one pixel in what left. */
    private static String pixel(String id) {
        String html = html(id);
        assertThat(html).containsOnlyOnce("/o/");
        int start = html.indexOf("<img src=\"") + 10;
        return html.substring(start, html.indexOf('"', start));
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
