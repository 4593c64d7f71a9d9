package dev.inboxd.mailbox.http;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Signed links to attachments and raw messages (mail.md §9.3, promises.md A19 and A34). */
class DownloadHttpTest {
    private static final byte[] LARGE = new byte[600_000];

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        inbox = world.inbox("download");
        for (int i = 0; i < LARGE.length; i++) {
            LARGE[i] = (byte) (i * 31 + i / 251);
        }
    }

    @Test
    @Proves("A19")
    void aFileOfAnySizeIsReadInPartsThatMakeTheWhole() {
        for (byte[] content : new byte[][] {{7, 8, 9, 10, 11}, LARGE}) {
            String link = attachment(sent("a.bin", content));
            HttpProbe.Answer whole = world.anonymous().get(link).is(200);
            assertThat(whole.body()).isEqualTo(content);
            assertThat(whole.header("Accept-Ranges")).isEqualTo("bytes");
            int cut = content.length / 3;
            HttpProbe.Answer head = range(link, "bytes=0-" + (cut - 1)).is(206);
            assertThat(head.header("Content-Range")).isEqualTo("bytes 0-" + (cut - 1) + "/" + content.length);
            HttpProbe.Answer tail = range(link, "bytes=" + cut + "-").is(206);
            byte[] joined = new byte[content.length];
            System.arraycopy(head.body(), 0, joined, 0, cut);
            System.arraycopy(tail.body(), 0, joined, cut, content.length - cut);
            assertThat(joined).isEqualTo(content);
            assertThat(range(link, "bytes=-1").is(206).body()).containsExactly(content[content.length - 1]);
            HttpProbe.Answer behind =
                    range(link, "bytes=" + content.length + "-").is(416);
            assertThat(behind.header("Content-Range")).isEqualTo("bytes */" + content.length);
            assertThat(range(link, "bytes=0-1,3-4").is(200).body()).isEqualTo(content);
        }
    }

    @Test
    void aRangeIsGivenOnlyOfTheVersionThatTheClientHas() {
        String link = attachment(sent("a.bin", new byte[] {1, 2, 3}));
        String etag = world.anonymous().get(link).is(200).header("ETag");
        assertThat(etag).isNotNull().startsWith("\"").endsWith("\"");
        HttpProbe tail = world.anonymous().with("Range", "bytes=1-");
        tail.with("If-Range", String.valueOf(etag)).get(link).is(206);
        tail.with("If-Range", "W/" + etag).get(link).is(200);
        tail.with("If-Range", "\"other\"").get(link).is(200);
        tail.with("If-Range", "Fri, 20 Nov 2026 13:00:00 GMT").get(link).is(200);
    }

    @Test
    void rawMessagesAreReadInPartsAsWell() {
        HttpProbe.Answer message = sent("a.bin", LARGE);
        String link =
                path(world.http().get(messagePath(message) + "/raw").is(200).text("download_url"));
        byte[] raw = world.anonymous().get(link).is(200).body();
        byte[] middle = range(link, "bytes=300000-300099").is(206).body();
        assertThat(middle).isEqualTo(java.util.Arrays.copyOfRange(raw, 300_000, 300_100));
    }

    @Test
    @Proves("A19")
    void everyDownloadIsAFileThatNoBrowserRunsOrKeeps() {
        HttpProbe.Answer message = sent("<b>\\..\\x/Ünï\u202Egpj.html", "<script>".getBytes(StandardCharsets.UTF_8));
        for (String link : new String[] {
            attachment(message),
            "/download/none",
            path(world.http().get(messagePath(message) + "/raw").is(200).text("download_url"))
        }) {
            HttpProbe.Answer answer = world.anonymous().get(link);
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
            assertThat(answer.header("Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
            assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
            assertThat(answer.header("Strict-Transport-Security")).isNull();
        }
        assertThat(world.anonymous().get(attachment(message)).header("Content-Disposition"))
                .isEqualTo("attachment; filename=\"_n_gpj.html\"; filename*=UTF-8''%C3%9Cn%C3%AFgpj.html");
    }

    @Test
    void overHttpsBrowsersAreToldToStayThere() {
        try (World secure = World.start(Map.of("INBOXD_PUBLIC_URL", "https://mail.example.com"))) {
            assertThat(secure.anonymous().get("/download/none").is(403).header("Strict-Transport-Security"))
                    .isEqualTo("max-age=31536000");
        }
    }

    @Test
    @Proves("A34")
    void aLinkEndsWithItsHourAndWithItsMessage() {
        HttpProbe.Answer message = sent("a.bin", LARGE);
        String link = attachment(message);
        for (int i = 0; i < link.length() - "/download/".length(); i += 7) {
            StringBuilder other = new StringBuilder(link);
            int at = "/download/".length() + i;
            other.setCharAt(at, link.charAt(at) == 'A' ? 'B' : 'A');
            world.anonymous().get(other.toString()).is(403);
        }
        world.advance(Duration.ofMinutes(59));
        world.anonymous().get(link).is(200);
        world.advance(Duration.ofMinutes(2));
        world.anonymous().get(link).is(403);
        String fresh = attachment(message);
        world.http().delete("/v0/inboxes/" + other()).is(200);
        world.anonymous().get(fresh).is(404);
    }

    /** The inbox goes, and the next test gets another. */
    private static String other() {
        String old = inbox;
        inbox = world.inbox("download" + System.nanoTime());
        return old;
    }

    private static HttpProbe.Answer range(String link, String range) {
        return world.anonymous().with("Range", range).get(link);
    }

    private static HttpProbe.Answer sent(String name, byte[] content) {
        HttpProbe.Answer answer = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json(
                                "to",
                                "jo@elsewhere.test",
                                "text",
                                "See",
                                "attachments",
                                List.of(object(
                                        "filename",
                                        name.replace("\\", "\\\\"),
                                        "content",
                                        Base64.getEncoder().encodeToString(content)))))
                .is(200);
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(answer.text("message_id"), StandardCharsets.UTF_8))
                .is(200);
    }

    private static String messagePath(HttpProbe.Answer message) {
        return "/v0/inboxes/" + message.text("inbox_id") + "/messages/"
                + URLEncoder.encode(message.text("message_id"), StandardCharsets.UTF_8);
    }

    private static String attachment(HttpProbe.Answer message) {
        return path(world.http()
                .get(messagePath(message) + "/attachments/" + message.text("attachments.0.attachment_id"))
                .is(200)
                .text("download_url"));
    }

    private static String path(String url) {
        return URI.create(url).getRawPath();
    }
}
