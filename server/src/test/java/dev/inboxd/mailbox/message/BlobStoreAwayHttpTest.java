package dev.inboxd.mailbox.message;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmallDisk;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A blob store that is away or full: refused for now and not lost, and never after a commit (P15, ruling 11). */
class BlobStoreAwayHttpTest {
    private final World world = World.start();
    private final String inbox = world.inbox("away");

    @AfterEach
    void stop() {
        world.close();
    }

    @Test
    @Proves("P15")
    void whatNeedsTheStoreIsRefusedForNowAndWorksAgainAfterwards() throws IOException {
        HttpProbe.Answer message = sent().is(200);
        String path = "/v0/inboxes/" + inbox + "/messages/"
                + URLEncoder.encode(message.text("message_id"), StandardCharsets.UTF_8);
        String raw = link(world.http().get(path + "/raw").is(200).text("download_url"));
        String part = link(world.http()
                .get(path + "/attachments/" + world.http().get(path).is(200).text("attachments.0.attachment_id"))
                .is(200)
                .text("download_url"));
        byte[] content = world.anonymous().get(part).is(200).body();

        Path blobs = world.folder().resolve("blobs");
        Path aside = world.folder().resolve("aside");
        Files.move(blobs, aside);
        Files.createFile(blobs); // where the folder was: every call fails, and not because a blob is missing
        unavailable(sent());
        unavailable(world.http().post("/v0/inboxes/" + inbox + "/drafts", body()));
        unavailable(world.anonymous().get(raw));
        unavailable(world.anonymous().get(part));
        assertThat(world.mail("jo@example.com", inbox, "Subject: x\n\n" + "long line\n".repeat(40_000)))
                .startsWith("451 4.3.");
        world.http().get(path).is(200); // what is shown needs no blob, so the node stays in service
        world.anonymous().get("/healthz").is(200);
        assertThat(world.anonymous().get("/healthz?deep").is(503).text("reason"))
                .isEqualTo("the blob store does not answer, or cannot be read");
        assertThat(world.anonymous().get("/metrics").is(200).text()).contains("inboxd_store_usable 0");
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);

        Files.delete(blobs);
        Files.move(aside, blobs);
        assertThat(world.anonymous().get(part).is(200).body()).isEqualTo(content);
        sent().is(200);
        world.anonymous().get("/healthz?deep").is(200);
        assertThat(world.anonymous().get("/metrics").is(200).text()).contains("inboxd_store_usable 1");
    }

    @Test
    @Proves("P15")
    void whatAFullDiskHasNoRoomForIsRefusedForNowAndNothingOfItIsLeft() throws Exception {
        String large = "Subject: x\n\n" + "long line\n".repeat(40_000);
        Path marker = world.folder().resolve("blobs/store.id");
        byte[] id = Files.readAllBytes(marker);
        try (SmallDisk disk = SmallDisk.over(world.folder().resolve("blobs"), 4_096)) {
            Files.write(marker, id); // the same store on another disk
            world.restart(); // makes the folders that are out of sight now
            sent().is(200);
            disk.fill();
            unavailable(sent());
            unavailable(world.http().post("/v0/inboxes/" + inbox + "/drafts", body()));
            assertThat(world.mail("jo@example.com", inbox, large)).startsWith("451 4.3.");
            assertThat(stored()).isEqualTo(1);
            disk.empty();
            assertThat(world.mail("jo@example.com", inbox, large)).startsWith("250");
            sent().is(200);
            assertThat(stored()).isEqualTo(3);
        }
    }

    private int stored() {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true")
                .is(200)
                .list("messages")
                .size();
    }

    @Test
    @Proves("P15")
    void whatWasDeletedIsSaidToBeDeletedAlthoughItsBlobsStayForTheSweep() throws IOException {
        String name = URLEncoder.encode(sent().is(200).text("message_id"), StandardCharsets.UTF_8);
        Path blobs = world.folder().resolve("blobs");
        Files.move(blobs, world.folder().resolve("aside"));
        Files.createFile(blobs);
        int status = world.http()
                .delete("/v0/inboxes/" + inbox + "/messages/" + name)
                .status();
        assertThat(status).isBetween(200, 299);
        world.http().get("/v0/inboxes/" + inbox + "/messages/" + name).is(404);
    }

    private static void unavailable(HttpProbe.Answer answer) {
        assertThat(answer.is(503).text("code")).isEqualTo("service_unavailable");
        assertThat(answer.header("Retry-After")).isEqualTo("5");
    }

    private HttpProbe.Answer sent() {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", body());
    }

    private static String body() {
        byte[] content = new byte[600_000];
        new Random(5).nextBytes(content);
        return json(
                "to",
                "jo@elsewhere.test",
                "text",
                "See",
                "attachments",
                List.of(object(
                        "filename", "a.bin", "content", Base64.getEncoder().encodeToString(content))));
    }

    private static String link(String url) {
        return URI.create(url).getRawPath();
    }
}
