package dev.inboxd.sending.draft;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files of drafts: given, by URL, taken off, downloaded, sent, and gone with their inbox (mail.md §8). */
class DraftFilesHttpTest extends DraftFixture {
    @Test
    void filesArePutOnTakenOffDownloadedAndSent() throws Exception {
        String inbox = world.inbox("files");
        byte[] large = new byte[400_000];
        new Random(5).nextBytes(large);
        HttpProbe.Answer draft = create(inbox, """
                {"to":"jo@elsewhere.test","attachments":[%s]}""".formatted(file("small.txt", new byte[] {'H', 'i'})))
                .is(200);
        HttpProbe.Answer more = patch(
                        inbox, draft, """
                {"add_attachments":[%s,%s]}""".formatted(file("large.bin", large), file("third.txt", new byte[] {3})))
                .is(200);
        assertThat(List.of(
                        more.text("attachments.0.filename"),
                        more.text("attachments.1.filename"),
                        more.text("attachments.2.filename")))
                .containsExactly("small.txt", "large.bin", "third.txt");
        HttpProbe.Answer less = patch(inbox, draft, """
                {"remove_attachments":["%s"]}""".formatted(more.text("attachments.0.attachment_id")))
                .is(200);
        assertThat(less.list("attachments")).hasSize(2);
        String id = less.text("attachments.0.attachment_id");
        for (String level : List.of("/v0", "/v0/inboxes/" + inbox)) {
            HttpProbe.Answer link = world.http()
                    .get(level + "/drafts/" + draft.text("draft_id") + "/attachments/" + id)
                    .is(200);
            assertThat(link.at("size")).isEqualTo(400_000L);
            HttpResponse<byte[]> bytes = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(link.text("download_url")))
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertThat(bytes.body()).isEqualTo(large);
            assertThat(bytes.headers().firstValue("Content-Disposition"))
                    .get()
                    .asString()
                    .contains("large.bin");
        }
        world.http()
                .get(path(inbox, draft) + "/attachments/" + more.text("attachments.0.attachment_id"))
                .is(404);
        HttpProbe.Answer sent = send(inbox, draft, "").is(200);
        HttpProbe.Answer message = message(inbox, sent.text("message_id")).is(200);
        assertThat(message.list("attachments")).hasSize(2);
        assertThat(message.at("attachments.0.size")).isEqualTo(400_000L);
        assertThat(count("draft_attachment", inbox)).isZero();
    }

    @Test
    void filesGivenByUrlAreFetchedWhenTheDraftIsMadeOrChanged() throws Exception {
        String inbox = world.inbox("urls");
        try (FakeEndpoint files = FakeEndpoint.start()) {
            files.then(
                    FakeEndpoint.respond(200, "Content-Type: text/csv\r\n", "a,b"),
                    FakeEndpoint.respond(200, "", "later"),
                    FakeEndpoint.status(404));
            String url = json("url", files.url("/report.csv"));
            HttpProbe.Answer draft = create(inbox, """
                    {"to":"jo@elsewhere.test","attachments":[%s]}""".formatted(url)).is(200);
            assertThat(draft.text("attachments.0.filename")).isEqualTo("report.csv");
            assertThat(draft.text("attachments.0.content_type")).isEqualTo("text/csv");
            assertThat(patch(inbox, draft, """
                    {"add_attachments":[%s]}""".formatted(url)).is(200).at("attachments.1.size"))
                    .isEqualTo(5L);
            assertThat(patch(inbox, draft, """
                    {"subject":"x","add_attachments":[%s]}""".formatted(url)).is(403).text("code"))
                    .isEqualTo("message_rejected");
            assertThat(world.http().get(path(inbox, draft)).is(200).at("subject"))
                    .isNull();
            patch(inbox, draft, json("add_attachments", List.of(object("url", files.url("/a"), "content", "aGk="))))
                    .is(400);
            HttpProbe.Answer sent = send(inbox, draft, "").is(200);
            assertThat(message(inbox, sent.text("message_id")).is(200).list("attachments"))
                    .hasSize(2);
        }
    }

    @Test
    @Proves("P5")
    void whatWasCommittedIsAnsweredSoThoughAFileStays() throws Exception {
        String inbox = world.inbox("stuck");
        byte[] large = new byte[300_001];
        new Random(6).nextBytes(large);
        HttpProbe.Answer changed =
                create(inbox, """
                {"attachments":[%s]}""".formatted(file("stuck.bin", large))).is(200);
        obstruct(large.length);
        patch(inbox, changed, json("remove_attachments", List.of(changed.text("attachments.0.attachment_id"))))
                .is(200);
        byte[] other = new byte[300_002];
        HttpProbe.Answer deleted =
                create(inbox, """
                {"attachments":[%s]}""".formatted(file("other.bin", other))).is(200);
        obstruct(other.length);
        world.http().delete(path(inbox, deleted)).is(200);
        world.http().get(path(inbox, deleted)).is(404);
    }

    /** Puts a folder that is not empty, and so cannot be deleted like a file, where the blob of this size was. */
    private static void obstruct(long size) throws IOException {
        try (Stream<Path> files = Files.walk(world.folder().resolve("blobs"))) {
            for (Path blob : files.filter(
                            file -> file.toFile().isFile() && file.toFile().length() == size)
                    .toList()) {
                Files.delete(blob);
                Files.createDirectories(blob.resolve("obstacle"));
            }
        }
    }

    @Test
    void theFilesOfADraftHaveAtMost30MiBTogetherFromTheStart() throws Exception {
        String inbox = world.inbox("heavy");
        try (FakeEndpoint files = FakeEndpoint.start()) {
            files.always(FakeEndpoint.respond(200, "", "x".repeat(28 << 20)));
            String body = """
                    {"attachments":[{"url":"%s"},%s]}""".formatted(files.url("/a"), file("b.bin", new byte[3 << 20]));
            assertThat(create(inbox, body).is(422).text("code")).isEqualTo("unprocessable");
        }
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/drafts").is(200).list("drafts"))
                .isEmpty();
    }

    @Test
    void aDraftThatIsTooHeavyCanBeChangedAndMadeLess() {
        String inbox = world.inbox("obese");
        HttpProbe.Answer draft = create(inbox, """
                {"attachments":[%s,%s]}""".formatted(file("a.bin", new byte[1]), file("b.bin", new byte[2])))
                .is(200);
        View all = View.of(world.organization());
        world.database()
                .write(
                        all.organization(),
                        tx -> tx.sql(
                                        all,
                                        "update draft_attachment f set size = 16000000"
                                                + " where f.organization_id = {organization}"
                                                + " and f.draft_id = :id::uuid")
                                .bind("id", draft.text("draft_id"))
                                .run());
        patch(inbox, draft, json("subject", "Changed")).is(200);
        patch(inbox, draft, """
                {"add_attachments":[%s]}""".formatted(file("c.bin", new byte[1]))).is(422);
        patch(inbox, draft, json("remove_attachments", List.of(draft.text("attachments.0.attachment_id"))))
                .is(200);
        patch(inbox, draft, """
                {"add_attachments":[%s]}""".formatted(file("c.bin", new byte[1]))).is(200);
    }

    @Test
    void theFilesOfADeletedInboxCannotBeDownloadedAnyMore() throws Exception {
        String inbox = world.inbox("going");
        HttpProbe.Answer draft =
                create(inbox, """
                {"attachments":[%s]}""".formatted(file("a.txt", new byte[] {1}))).is(200);
        String link = world.http()
                .get(path(inbox, draft) + "/attachments/" + draft.text("attachments.0.attachment_id"))
                .is(200)
                .text("download_url");
        HttpRequest download = HttpRequest.newBuilder(URI.create(link)).build();
        HttpClient client = HttpClient.newHttpClient();
        assertThat(client.send(download, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
        View all = View.of(world.organization());
        world.database()
                .write(
                        all.organization(),
                        tx -> tx.sql(all, "update inbox i set deleting = true where {i}" + " and i.address = :inbox")
                                .bind("inbox", inbox)
                                .run()); // as a deletion leaves it before the purge
        assertThat(client.send(download, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(404);
    }
}
