package dev.inboxd.mailbox.content;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.id.Digests;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What large messages of an organization carry alike is stored once, and goes with the last of them. */
class SharedChunksHttpTest {
    private static final int SIZE = 1_000_003;
    private final byte[] file = new byte[SIZE];
    private final World world = World.start();

    {
        new Random(4).nextBytes(file);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    @Tag("long")
    @Proves("P13a")
    void theSameFileInManyMessagesIsStoredOnceAndEachMessageStaysWhatItWas() throws IOException {
        String first = world.inbox("one");
        String second = world.inbox("two");
        List<String> messages = new ArrayList<>(List.of(sent(first, file), sent(first, file), sent(second, file)));
        received(second, 76);
        received(second, 64);
        for (Object each : world.http()
                .get("/v0/inboxes/" + second + "/messages?include_unauthenticated=true")
                .is(200)
                .list("messages")) {
            String name = (String) ((java.util.Map<?, ?>) each).get("message_id");
            messages.add("/v0/inboxes/" + second + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8));
        }
        assertThat(stored()).isBetween((long) SIZE, SIZE + 40_000L);
        for (String message : messages) {
            assertWhole(message);
        }
        world.http().delete("/v0/inboxes/" + first).is(200);
        await(() -> blobs() == 4);
        for (String message : messages.subList(2, messages.size())) {
            assertWhole(message);
        }
        world.http().delete("/v0/inboxes/" + second).is(200);
        await(() -> blobs() == 0);
    }

    @Test
    @Proves("P13")
    void aPartMayEndAnywhereInALine() {
        String message = sent(world.inbox("ends"), file);
        String link = URI.create(world.http().get(message + "/raw").is(200).text("download_url"))
                .getRawPath();
        byte[] raw = world.anonymous().get(link).is(200).body();
        for (int end = 700_000; end < 700_160; end++) {
            assertThat(world.anonymous()
                            .with("Range", "bytes=699900-" + end)
                            .get(link)
                            .is(206)
                            .body())
                    .isEqualTo(Arrays.copyOfRange(raw, 699_900, end + 1));
            assertThat(world.anonymous()
                            .with("Range", "bytes=" + (end - 500) + "-" + (end - 490))
                            .get(link)
                            .is(206)
                            .body())
                    .isEqualTo(Arrays.copyOfRange(raw, end - 500, end - 489));
        }
        int edge = raw.length - 200;
        assertThat(world.anonymous()
                        .with("Range", "bytes=" + edge + "-")
                        .get(link)
                        .is(206)
                        .body())
                .isEqualTo(Arrays.copyOfRange(raw, edge, raw.length));
    }

    @Test
    @Proves("P13a")
    void theSweepOfOrphansLeavesWhatIsShared() throws IOException {
        String inbox = world.inbox("swept");
        List<String> messages = List.of(sent(inbox, file), sent(inbox, file));
        try (Blobs blobs = Blobs.at(world.folder().resolve("blobs").toString())) {
            UUID ours = UUID.fromString(world.http().get("/v0/auth/me").is(200).text("organization_id"));
            blobs.put(BlobKey.random(ours), new ByteArrayInputStream(new byte[] {1}), 1);
        }
        assertThat(blobs()).isEqualTo(4);
        world.sweepAfter(Duration.ofDays(2));
        assertThat(blobs()).isEqualTo(3);
        for (String message : messages) {
            assertWhole(message);
        }
    }

    @Test
    @Proves("P13a")
    void anotherOrganizationSharesNothing() throws IOException {
        sent(world.inbox("mine"), file);
        HttpProbe.Answer signedUp = world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", "a@human.test", "username", "theirs"))
                .is(200);
        send(world.as(signedUp.text("api_key")), signedUp.text("inbox_id"), "a@human.test", file)
                .is(200);
        assertThat(stored()).isGreaterThan(2L * SIZE);
    }

    @Test
    @Tag("long")
    @Proves("P13a")
    void sendingWhatIsBeingDeletedLosesNothing() throws InterruptedException, ExecutionException {
        byte[] small = Arrays.copyOf(file, 300_000);
        String keeper = world.inbox("keeper");
        List<String> kept = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 15; round++) {
                small[0] = (byte) round;
                byte[] now = small.clone();
                String doomed = world.inbox("doomed" + round);
                sent(doomed, now);
                Future<?> deleting = threads.submit(
                        () -> world.http().delete("/v0/inboxes/" + doomed).is(200));
                for (int i = 0; i < 3; i++) {
                    kept.add(sent(keeper, now));
                }
                deleting.get();
            }
        }
        for (String message : kept) {
            assertWhole(message);
        }
    }

    /** The bytes are those that were signed or that came, whole and in parts. */
    private void assertWhole(String message) {
        HttpProbe.Answer answer = world.http().get(message + "/raw").is(200);
        String link = URI.create(answer.text("download_url")).getRawPath();
        byte[] raw = world.anonymous().get(link).is(200).body();
        assertThat((long) raw.length).isEqualTo(answer.at("size"));
        String name = answer.text("message_id");
        byte[] digest = world.database()
                .read(tx -> tx.sqlAcrossTenants("select c.sha256 from message_content c join message m"
                                + " on m.message_id = c.message_id where m.name = :name")
                        .bind("name", name)
                        .single(row -> row.bytes("sha256")));
        assertThat(HexFormat.of().formatHex(Digests.sha256().digest(raw)))
                .isEqualTo(HexFormat.of().formatHex(digest));
        Random random = new Random(raw.length);
        for (int i = 0; i < 4; i++) {
            int from = random.nextInt(raw.length);
            int to = Math.min(raw.length, from + 1 + random.nextInt(5_000));
            assertThat(world.anonymous()
                            .with("Range", "bytes=" + from + "-" + (to - 1))
                            .get(link)
                            .is(206)
                            .body())
                    .isEqualTo(Arrays.copyOfRange(raw, from, to));
        }
    }

    private String sent(String inbox, byte[] content) {
        return "/v0/inboxes/" + inbox + "/messages/"
                + URLEncoder.encode(
                        send(world.http(), inbox, "jo@elsewhere.test", content)
                                .is(200)
                                .text("message_id"),
                        StandardCharsets.UTF_8);
    }

    private static HttpProbe.Answer send(HttpProbe http, String inbox, String to, byte[] content) {
        return http.post(
                "/v0/inboxes/" + inbox + "/messages/send",
                json(
                        "to",
                        to,
                        "text",
                        "See",
                        "attachments",
                        List.of(object(
                                "filename",
                                "a.bin",
                                "content",
                                Base64.getEncoder().encodeToString(content)))));
    }

    private void received(String inbox, int line) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: jo@example.com\nMessage-ID: <m" + line + "@x.test>\n"
                                + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee.\n--b\n"
                                + "Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n"
                                + Base64.getMimeEncoder(line, new byte[] {'\n'}).encodeToString(file) + "\n--b--\n"))
                .startsWith("250");
    }

    private long stored() throws IOException {
        long bytes = 0;
        for (Path blob : files()) {
            bytes += Files.size(blob);
        }
        return bytes;
    }

    private int blobs() {
        try {
            return files().size();
        } catch (IOException | UncheckedIOException goneMeanwhile) {
            return -1;
        }
    }

    /** All but the marker of the store. */
    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(world.folder().resolve("blobs"))) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("store.id"))
                    .toList();
        }
    }
}
