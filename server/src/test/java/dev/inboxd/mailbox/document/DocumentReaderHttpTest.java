package dev.inboxd.mailbox.document;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The text of attachments, as an agent gets it (mail.md §9.4). */
class DocumentReaderHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void theTextOfEachKindOfDocumentIsRead() throws IOException {
        HttpProbe.Answer message = sent(
                world.inbox("texts"),
                file("a.pdf", TestDocuments.pdf("From a PDF")),
                file("b.docx", TestDocuments.docx("From Word")),
                file("c.xlsx", TestDocuments.xlsx("From Excel", 3)),
                file("d.txt", "Fran\u00E7ais".getBytes(StandardCharsets.ISO_8859_1)),
                file("e.csv", "x;\u00FC".getBytes(StandardCharsets.UTF_8)),
                file("f.md", "# Head".getBytes(StandardCharsets.UTF_8)),
                file("g.json", json("a", 1).getBytes(StandardCharsets.UTF_8)),
                file(
                        "h.html",
                        "<title>no</title><p>From <b>HTML</b><script>no()</script>".getBytes(StandardCharsets.UTF_8)));
        List<String> expected = List.of(
                "From a PDF",
                "From Word",
                "From Excel",
                "Fran\u00E7ais",
                "x;\u00FC",
                "# Head",
                json("a", 1),
                "From HTML");
        for (int i = 0; i < expected.size(); i++) {
            HttpProbe.Answer text =
                    world.anonymous().get(path(awaitText(message, i))).is(200);
            assertThat(text.text()).contains(expected.get(i)).doesNotContain("no");
            assertThat(text.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(text.header("Content-Disposition")).startsWith("attachment; filename=\"");
            assertThat(text.header("Content-Security-Policy")).isEqualTo("default-src 'none'; sandbox");
        }
    }

    @Test
    @Proves("A15")
    void filesWithoutReadableTextHaveNoLinkToIt() throws IOException {
        HttpProbe.Answer message = sent(
                world.inbox("none"),
                file("a.png", new byte[] {(byte) 0x89, 'P', 'N', 'G'}),
                file("b.zip", TestDocuments.docx("in an archive")),
                file("c.rtf", "{\\rtf1 x}".getBytes(StandardCharsets.UTF_8)),
                file("d.pdf", "%PDF-1.7 and nothing".getBytes(StandardCharsets.UTF_8)),
                file("e.docx", TestDocuments.bomb(40)),
                file("f.txt", " \n".getBytes(StandardCharsets.UTF_8)),
                file("g.txt", "at last".getBytes(StandardCharsets.UTF_8)));
        awaitText(message, 6);
        awaitNothingDue();
        for (int i = 0; i < 6; i++) {
            assertThat(text(message, i)).isNull();
        }
    }

    @Test
    @Tag("long")
    @Proves("A15")
    void aDocumentThatEndsItsReaderHasNoTextAndIsNotReadAgain() throws IOException {
        HttpProbe.Answer message = sent(
                world.inbox("hoard"),
                file("hoard.docx", TestDocuments.hoard()),
                file("b.txt", "next".getBytes(StandardCharsets.UTF_8)));
        awaitText(message, 1);
        awaitNothingDue();
        assertThat(text(message, 0)).isNull();
        assertThat(world.database()
                        .<Integer>read(tx -> tx.sqlAcrossTenants(
                                        "select a.text_attempts from attachment a" + " where a.filename = 'hoard.docx'")
                                .single(row -> row.integer("text_attempts"))))
                .as("one attempt, behind which there is no other")
                .isEqualTo(3);
    }

    @Test
    @Proves("A34")
    void aTextGoesWithItsMessage() {
        String inbox = world.inbox("gone");
        HttpProbe.Answer message = sent(inbox, file("a.txt", "soon gone".getBytes(StandardCharsets.UTF_8)));
        String link = path(awaitText(message, 0));
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        world.anonymous().get(link).is(404);
    }

    @Test
    @Proves("A15")
    void anAttachmentThatWasBeingReadWhenTheServiceStoppedIsReadLater() {
        HttpProbe.Answer message =
                sent(world.inbox("crash"), file("a.txt", "read twice".getBytes(StandardCharsets.UTF_8)));
        awaitText(message, 0);
        // As a crash after the claim leaves it.
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants("update attachment set text = null, text_attempts = 1,"
                                + " text_due_at = now() + interval '1 minute' where filename = 'a.txt'")
                        .run());
        assertThat(text(message, 0)).isNull();
        world.advance(Duration.ofMinutes(2));
        awaitText(message, 0);
    }

    private static String file(String name, byte[] content) {
        return json("filename", name, "content", Base64.getEncoder().encodeToString(content));
    }

    private static HttpProbe.Answer sent(String inbox, String... files) {
        HttpProbe.Answer answer = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"jo@elsewhere.test","text":"See","attachments":[%s]}""".formatted(String.join(",", files)))
                .is(200);
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(answer.text("message_id"), StandardCharsets.UTF_8))
                .is(200);
    }

    private static String name(HttpProbe.Answer message) {
        return URLEncoder.encode(message.text("message_id"), StandardCharsets.UTF_8);
    }

    private static @Nullable String text(HttpProbe.Answer message, int position) {
        return (String) world.http()
                .get("/v0/inboxes/" + message.text("inbox_id") + "/messages/" + name(message) + "/attachments/"
                        + message.text("attachments." + position + ".attachment_id"))
                .is(200)
                .at("text_url");
    }

    private static String awaitText(HttpProbe.Answer message, int position) {
        return Objects.requireNonNull(
                Eventually.value(Duration.ofMinutes(1), () -> text(message, position), Objects::nonNull));
    }

    private static void awaitNothingDue() {
        Eventually.await(
                Duration.ofMinutes(1),
                () -> world.database()
                        .read(tx -> tx.sqlAcrossTenants("select 1 as one from attachment where text_due_at is not null")
                                .list(row -> row.integer("one")))
                        .isEmpty());
    }

    private static String path(String url) {
        return URI.create(url).getRawPath();
    }
}
