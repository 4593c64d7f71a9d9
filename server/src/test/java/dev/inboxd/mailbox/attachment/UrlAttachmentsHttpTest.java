package dev.inboxd.mailbox.attachment;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.id.Digests;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Attachments that a send names by URL (mail.md §9.1). */
class UrlAttachmentsHttpTest {
    private static final int MIB = 1 << 20;

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    private final FakeEndpoint files = FakeEndpoint.start();

    @BeforeAll
    static void start() {
        inbox = world.inbox("urls");
    }

    @AfterEach
    void close() throws IOException {
        files.close();
    }

    @Test
    void aFileIsFetchedWithoutCookiesOrKeysAndSentUnderTheNameInItsUrl() {
        files.always(
                FakeEndpoint.respond(200, "Content-Type: text/csv; charset=utf-8\r\nSet-Cookie: a=b\r\n", "a,b\r\n"));
        HttpProbe.Answer message = sent(files.url("/reports/Q1%20%C3%BCber.csv?signature=x#top"));
        assertThat(message.text("attachments.0.filename")).isEqualTo("Q1 über.csv");
        assertThat(message.text("attachments.0.content_type")).isEqualTo("text/csv");
        assertThat(message.at("attachments.0.size")).isEqualTo(5L);
        assertThat(message.text("attachments.0.content_disposition")).isEqualTo("attachment");
        assertThat(download(message)).isEqualTo("a,b\r\n".getBytes(StandardCharsets.UTF_8));
        FakeEndpoint.Received asked = files.take();
        assertThat(asked.path()).isEqualTo("/reports/Q1%20%C3%BCber.csv?signature=x");
        assertThat(asked.fields().keySet()).containsExactlyInAnyOrder("Host", "User-Agent", "Accept-Encoding");
        assertThat(asked.fields()).containsEntry("Accept-Encoding", "identity");
    }

    @Test
    void whatTheCallerSaysAboutAFileWinsOverWhatItsServerSays() {
        files.always(FakeEndpoint.respond(200, "Content-Type: text/html\r\n", "x"));
        HttpProbe.Answer message = message("""
                {"to":"jo@elsewhere.test","html":"<img src='cid:logo'>","attachments":[{"url":"%s",\
                "filename":"../../b.png","content_type":"image/png","content_disposition":"inline",\
                "content_id":"logo"}]}""".formatted(files.url("/a")));
        assertThat(message.text("attachments.0.filename")).isEqualTo("b.png");
        assertThat(message.text("attachments.0.content_type")).isEqualTo("image/png");
        assertThat(message.text("attachments.0.content_disposition")).isEqualTo("inline");
        assertThat(message.text("attachments.0.content_id")).isEqualTo("logo");
    }

    @Test
    void aFileWithoutANameOrATypeGetsUsualOnes() {
        files.then(
                FakeEndpoint.respond(200, "", "\u0000"),
                FakeEndpoint.respond(200, "Content-Type: binary/octet-stream\r\n", "x"),
                FakeEndpoint.respond(200, "Content-Type: no type; at all\r\n", "x"));
        HttpProbe.Answer message = sent(files.url("/"), files.url("/photo.jpg"), files.url("/con"));
        assertThat(message.text("attachments.0.filename")).isEqualTo("attachment-1");
        assertThat(message.text("attachments.0.content_type")).isEqualTo("application/octet-stream");
        assertThat(message.text("attachments.1.filename")).isEqualTo("photo.jpg");
        assertThat(message.text("attachments.1.content_type")).isEqualTo("image/jpeg");
        assertThat(message.text("attachments.2.filename")).isEqualTo("_con");
    }

    @Test
    void fiveRedirectsAreFollowedAndASixthIsNot() {
        for (String next : List.of("/2", "3", "?4", files.url("/5"), "/6#there")) {
            files.then(FakeEndpoint.respond(302, "Location: " + next + "\r\n", ""));
        }
        files.always(FakeEndpoint.respond(200, "", "found"));
        HttpProbe.Answer message = sent(files.url("/start.txt"));
        assertThat(download(message)).isEqualTo("found".getBytes(StandardCharsets.UTF_8));
        assertThat(message.text("attachments.0.filename")).isEqualTo("start.txt");

        files.always(FakeEndpoint.respond(307, "Location: /again\r\n", ""));
        assertThat(refused(403, files.url("/round")).text("message"))
                .isEqualTo(
                        "Message rejected: attachments[0] could" + " not be fetched. There are more than 5 redirects.");
    }

    @Test
    @Proves("A23")
    void whatCannotBeFetchedRejectsTheMessageAndKeepsNothing() {
        files.then(
                FakeEndpoint.status(404),
                FakeEndpoint.hangUp(),
                FakeEndpoint.hangUp(), // a connection that ends at once is tried once more
                FakeEndpoint.respond(302, "", ""),
                FakeEndpoint.respond(302, "Location: ftp://x.test/\r\n", ""),
                FakeEndpoint.respond(304, "Location: /b\r\n", ""),
                FakeEndpoint.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort"));
        int before = world.http()
                .get("/v0/inboxes/" + inbox + "/messages?limit=100")
                .is(200)
                .list("messages")
                .size();
        for (int i = 0; i < 6; i++) {
            HttpProbe.Answer refusal = refused(403, files.url("/gone"));
            assertThat(refusal.text("code")).isEqualTo("message_rejected");
        }
        refused(403, "http://127.0.0.1:1/");
        refused(403, "http://no.such.name.invalid/");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages?limit=100")
                        .is(200)
                        .list("messages"))
                .hasSize(before);
    }

    @Test
    void onlyTheStatus200HasAFile() {
        for (int status : List.of(201, 202, 203, 206, 226)) {
            files.then(FakeEndpoint.respond(status, "", "part"));
            assertThat(refused(403, files.url("/a")).text("message")).contains("answered " + status);
        }
        files.then(FakeEndpoint.status(204));
        refused(403, files.url("/a"));
    }

    @Test
    void theServersNameForTheFileWinsOverTheOneInItsUrl() {
        files.then(
                FakeEndpoint.respond(200, "Content-Disposition: attachment; filename=\"a b.pdf\"\r\n", "x"),
                FakeEndpoint.respond(
                        200,
                        "Content-Disposition: inline; filename=\"e.pdf\"; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf\r\n",
                        "x"),
                FakeEndpoint.respond(200, "Content-Disposition: attachment; filename=\"日本.pdf\"\r\n", "x"),
                FakeEndpoint.respond(200, "Content-Disposition: attachment; filename=\"q\\\"t.pdf\"\r\n", "x"),
                FakeEndpoint.respond(200, "Content-Disposition: attachment; filename=\"../../etc/c.pdf\"\r\n", "x"),
                FakeEndpoint.respond(200, "Content-Disposition: attachment; filename=\"\"\r\n", "x"),
                FakeEndpoint.respond(200, "Content-Disposition: attachment\r\n", "x"));
        String[] urls = new String[7];
        Arrays.fill(urls, files.url("/u%20rl.pdf"));
        HttpProbe.Answer message = sent(urls);
        List<String> names =
                List.of("a b.pdf", "r\u00e9sum\u00e9.pdf", "日本.pdf", "q\"t.pdf", "c.pdf", "u rl.pdf", "u rl.pdf");
        for (int i = 0; i < names.size(); i++) {
            assertThat(message.text("attachments." + i + ".filename")).isEqualTo(names.get(i));
        }
    }

    @Test
    void redirectsLeadWhereABrowserWouldGo() {
        for (String next : List.of("/\u00fc.txt", "../b.txt", "a/./c d", "?q=\u00fc", "//" + host() + "/x|y")) {
            files.then(FakeEndpoint.respond(302, "Location: " + next + "\r\n", ""));
        }
        files.always(FakeEndpoint.respond(200, "", "found"));
        sent(files.url("/up/日本?x={1}"));
        assertThat(files.received().stream().map(FakeEndpoint.Received::path))
                .containsExactly(
                        "/up/%E6%97%A5%E6%9C%AC?x={1}",
                        "/%C3%BC.txt", "/b.txt", "/a/c%20d", "/a/c%20d?q=%C3%BC", "/x|y");
    }

    @Test
    void aLocationThatAServerEncodedTwiceLeadsWhereItWasMeantTo() {
        files.then(
                FakeEndpoint.respond(302, "Location: /\u00c3\u00bc\u00e6\u0097\u00a5.txt\r\n", ""),
                FakeEndpoint.respond(302, "Location: /\u00c3\u00a9\u65e5.txt\r\n", ""));
        files.always(FakeEndpoint.respond(200, "", "found"));
        sent(files.url("/a"));
        assertThat(files.received().stream().map(FakeEndpoint.Received::path))
                .containsExactly("/a", "/%C3%BC%E6%97%A5.txt", "/%C3%83%C2%A9%E6%97%A5.txt");
    }

    @Test
    @Proves("A25")
    void aHostThatAnswersSlowlyGetsFewRequestsAtATime() {
        CountDownLatch answers = new CountDownLatch(1);
        files.always(FakeEndpoint.after(answers, FakeEndpoint.respond(200, "", "x")));
        try (World small = World.start(Map.of("INBOXD_LIMITS", "downloads_per_target=4"))) {
            String path = "/v0/inboxes/" + small.inbox("slow") + "/messages/send";
            List<Thread> senders = IntStream.range(0, 6)
                    .mapToObj(_ -> Thread.ofVirtual().start(() -> small.http().post(path, body(files.url("/a")))))
                    .toList();
            Eventually.await(() -> files.received().size() == 2);
            assertThat(senders).allMatch(Thread::isAlive);
            answers.countDown();
            Eventually.await(() -> files.received().size() == 6);
        }
    }

    @Test
    @Proves("P15")
    void withoutRoomForTheFileTheSendIsRefusedForNow() throws IOException {
        files.always(FakeEndpoint.respond(200, "", "x"));
        Path folder = world.folder().resolve("fetched");
        Path aside = world.folder().resolve("fetched-aside");
        Files.move(folder, aside);
        try {
            HttpProbe.Answer refusal = refused(503, files.url("/a"));
            assertThat(refusal.text("code")).isEqualTo("service_unavailable");
            assertThat(refusal.header("Retry-After")).isEqualTo("5");
        } finally {
            Files.move(aside, folder);
        }
    }

    @Test
    @Proves("A23")
    void moreThanThirtyMebibytesTogetherAreTooMuch() {
        String half = "x".repeat(15 * MIB);
        files.then(FakeEndpoint.respond(200, "", half), FakeEndpoint.respond(200, "", half + "x"));
        assertThat(refused(422, files.url("/a"), files.url("/b")).text("code")).isEqualTo("unprocessable");
        files.then(files.endless("HTTP/1.1 200 OK\r\n\r\n", "x".repeat(MIB), java.time.Duration.ZERO));
        refused(422, files.url("/endless"));
    }

    @Test
    @Tag("long")
    @Proves("A23")
    void thirtyMebibytesTogetherLeave() {
        String half = "x".repeat(15 * MIB);
        files.then(FakeEndpoint.respond(200, "", half), FakeEndpoint.respond(200, "", half));
        HttpProbe.Answer message = sent(files.url("/a"), files.url("/b"));
        byte[] raw = world.anonymous()
                .get(path(
                        world.http().get(messagePath(message) + "/raw").is(200).text("download_url")))
                .is(200)
                .body();
        assertThat(message.at("size")).isEqualTo((long) raw.length);
        MessageDigest expected = Digests.sha256();
        expected.update(half.getBytes(StandardCharsets.US_ASCII));
        assertThat(Digests.sha256().digest(download(message))).isEqualTo(expected.digest());
    }

    @Test
    void anAttachmentHasEitherContentOrAUrlThatCouldBeFetched() {
        for (String wrong : List.of(
                "{}",
                json("content", "AA==", "url", "http://x.test/"),
                json("url", "ftp://x.test/"),
                json("url", "http://me:secret@x.test/"),
                json("url", "http://"),
                json("url", "not a url"),
                json("content", "*"),
                json("content", "AA==", "content_type", "html"),
                json("content", "AA==", "content_id", "a b"),
                json("content", "AA==", "content_disposition", "form"))) {
            HttpProbe.Answer refusal = post("""
                    {"to":"jo@elsewhere.test","attachments":[%s]}""".formatted(wrong)).is(400);
            assertThat(refusal.list("errors")).as(wrong).hasSize(1);
            assertThat(refusal.at("errors.0.path.1")).as(wrong).isEqualTo(0L);
        }
        assertThat(files.received()).isEmpty();
    }

    @Test
    void moreThanAHundredAttachmentsAreRefused() {
        String one = json("content", "AA==");
        String many = String.join(",", java.util.Collections.nCopies(101, one));
        post("""
                {"to":"jo@elsewhere.test","attachments":[%s]}""".formatted(many)).is(400);
    }

    @Test
    void aRefusedSendLeavesItsIdempotencyKeyFreeAndFetchesAgainWhenItIsTriedAgain() {
        files.then(FakeEndpoint.status(503)).always(FakeEndpoint.respond(200, "", "now"));
        HttpProbe keyed = world.http().with("Idempotency-Key", "fetch-1");
        String body = """
                {"to":"jo@elsewhere.test","attachments":[{"url":"%s"}]}""".formatted(files.url("/late"));
        keyed.post("/v0/inboxes/" + inbox + "/messages/send", body).is(403);
        HttpProbe.Answer first =
                keyed.post("/v0/inboxes/" + inbox + "/messages/send", body).is(200);
        HttpProbe.Answer again =
                keyed.post("/v0/inboxes/" + inbox + "/messages/send", body).is(200);
        assertThat(again.text("message_id")).isEqualTo(first.text("message_id"));
        assertThat(files.received()).hasSize(2);
    }

    @Test
    @Proves("A23")
    void inProductionNoUrlOrRedirectLeadsInside() {
        try (World guarded = World.start(Map.of("INBOXD_PRIVATE_TARGETS", "deny"))) {
            String sender = guarded.inbox("guarded");
            for (String url : List.of(
                    files.url("/"),
                    files.url("localhost", "/"),
                    "http://0x7f000001/",
                    "http://[::ffff:10.0.0.1]/",
                    "http://169.254.169.254/latest/meta-data/")) {
                HttpProbe.Answer refusal = guarded.http()
                        .post(
                                "/v0/inboxes/" + sender + "/messages/send",
                                json("to", "jo@elsewhere.test", "attachments", List.of(object("url", url))))
                        .is(403);
                assertThat(refusal.text("code")).isEqualTo("message_rejected");
            }
        }
        assertThat(files.received()).isEmpty();
    }

    private static HttpProbe.Answer sent(String... urls) {
        return message(body(urls));
    }

    private static HttpProbe.Answer refused(int status, String... urls) {
        return post(body(urls)).is(status);
    }

    private static String body(String... urls) {
        return json(
                "to",
                "jo@elsewhere.test",
                "text",
                "See",
                "attachments",
                Arrays.stream(urls).map(url -> object("url", url)).toList());
    }

    private static HttpProbe.Answer message(String body) {
        HttpProbe.Answer answer = post(body).is(200);
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(answer.text("message_id"), StandardCharsets.UTF_8))
                .is(200);
    }

    private static HttpProbe.Answer post(String body) {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", body);
    }

    private static String messagePath(HttpProbe.Answer message) {
        return "/v0/inboxes/" + inbox + "/messages/"
                + URLEncoder.encode(message.text("message_id"), StandardCharsets.UTF_8);
    }

    private static byte[] download(HttpProbe.Answer message) {
        return world.anonymous()
                .get(path(world.http()
                        .get(messagePath(message) + "/attachments/" + message.text("attachments.0.attachment_id"))
                        .is(200)
                        .text("download_url")))
                .is(200)
                .body();
    }

    private String host() {
        return URI.create(files.url("/")).getRawAuthority();
    }

    private static String path(String url) {
        return URI.create(url).getRawPath();
    }
}
