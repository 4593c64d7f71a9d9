package dev.inboxd.mailbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A disk that is unmounted while the service runs, and one blob that is lost: neither was deleted by anybody. */
class OtherStoreHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private String inbox;
    private String raw;

    @BeforeEach
    void start() {
        inbox = world.inbox("stored");
        String large = "Subject: x\nMessage-ID: <large@example.com>\n\n" + "long line\n".repeat(40_000);
        assertThat(world.mail("jo@example.com", inbox, large)).startsWith("250");
        raw = URI.create(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages/"
                                + URLEncoder.encode("<large@example.com>", StandardCharsets.UTF_8) + "/raw")
                        .is(200)
                        .text("download_url"))
                .getPath();
    }

    @Test
    void whatIsNotFoundInAnotherStoreWasNotDeletedAndNothingIsWrittenThere() throws IOException {
        Path blobs = world.folder().resolve("blobs");
        Path aside = world.folder().resolve("aside");
        Files.move(blobs, aside);
        Files.createDirectory(blobs); // what is below the mount point of a disk
        assertThat(world.anonymous().get(raw).status()).isEqualTo(503);
        assertThat(world.anonymous().get("/healthz").is(503).text("reason")).contains("not mounted");
        assertThat(world.anonymous().get("/metrics").is(200).text()).contains("inboxd_store_usable 0");
        assertThat(world.mail("jo@example.com", inbox, "Subject: y\n\n" + "long line\n".repeat(40_000)))
                .startsWith("451 4.3.");
        try (Stream<Path> written = Files.list(blobs)) {
            assertThat(written).isEmpty();
        }
        Files.delete(blobs);
        Files.move(aside, blobs);
        Eventually.await(() -> world.anonymous().get("/healthz").status() == 200);
        assertThat(world.anonymous().get(raw).is(200).body()).hasSizeGreaterThan(300_000);
    }

    @Test
    void aBlobThatIsLostIsNotToldAsDeleted() throws IOException {
        try (Stream<Path> files = Files.walk(world.folder().resolve("blobs"))) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> !path.endsWith("store.id"))
                    .toList()) {
                Files.delete(file);
            }
        }
        HttpProbe.Answer answer = world.anonymous().get(raw);
        assertThat(answer.status()).isGreaterThanOrEqualTo(500);
        assertThat(answer.text()).doesNotContain("deleted");
    }
}
