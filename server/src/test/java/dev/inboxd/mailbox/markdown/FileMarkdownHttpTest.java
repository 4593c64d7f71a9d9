package dev.inboxd.mailbox.markdown;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.mail.markdown.TokenEstimate;
import dev.inboxd.mailbox.document.TestDocuments;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The texts of files as Markdown, and in pieces. */
class FileMarkdownHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String sent(String inbox, String name, byte[] content) {
        String id = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", """
                        {"to":"jo@elsewhere.test","text":"See","attachments":[%s]}""".formatted(json(
                        "filename", name, "content", Base64.getEncoder().encodeToString(content))))
                .is(200)
                .text("message_id");
        String path = "/v0/inboxes/" + inbox + "/messages/" + id.substring(1, id.length() - 1);
        return path + "/attachments/" + world.http().get(path).is(200).text("attachments.0.attachment_id");
    }

    private static Answer read(String path) {
        Eventually.await(() -> !"pending"
                .equals(world.http().get(path + "?format=markdown").is(200).at("text_status")));
        return world.http().get(path + "?format=markdown").is(200);
    }

    @Test
    void eachKindOfFileHasItsMarkdown() throws IOException {
        String inbox = world.inbox("kinds");
        assertThat(read(sent(inbox, "a.html", """
                        <style>.h{display:none}</style><h1>Head</h1><p>Body <b>bold</b><span class=h>hidden</span></p>
                        <table><tr><th>A<th>B<tr><td>1<td>2</table><ul><li>One<ul><li>Two</ul></ul><pre>x  y</pre>
                        <p>On Mon, 5 May 2025 at 10:00, Ann &lt;ann@x.test&gt; wrote:</p><blockquote>Old</blockquote>
                        <p><a href="https://a.test/?utm_source=x">Go</a> # 1</p>""".getBytes(StandardCharsets.UTF_8)))
                        .text("markdown"))
                .isEqualTo("""
                        # Head

                        Body **bold**

                        | A | B |
                        | --- | --- |
                        | 1 | 2 |

                        - One
                          - Two

                        ```
                        x  y
                        ```

                        On Mon, 5 May 2025 at 10:00, Ann \\<ann@x.test> wrote:

                        > Old

                        [Go](https://a.test/) # 1""");
        assertThat(read(sent(inbox, "b.txt", "a *b* `c` ```d\n\n# e\n".getBytes(StandardCharsets.UTF_8)))
                        .text("markdown"))
                .isEqualTo("````\na *b* `c` ```d\n\n# e\n````");
        assertThat(read(sent(inbox, "c.xlsx", TestDocuments.xlsx("To|tal", 12.5)))
                        .text("markdown"))
                .isEqualTo("## Sums\n\n| To\\|tal | 12.5 |\n| --- | --- |");
        Answer pdf = read(sent(inbox, "d.pdf", TestDocuments.pdf("From a PDF")));
        assertThat(pdf.text("markdown"))
                .startsWith("```\n")
                .contains("From a PDF")
                .endsWith("\n```");
        assertThat(pdf.at("truncated")).isEqualTo(false);
        assertThat(pdf.text("text_url")).isNotEmpty();
    }

    /** Earlier programs left their attempt at a file that has no text, and so does an older node beside this one. */
    @Test
    void aFileThatWasReadByAnEarlierProgramAndHasNoTextIsNoFailure() {
        String inbox = world.inbox("earlier");
        String path = sent(inbox, "blank.txt", " \n".getBytes(StandardCharsets.UTF_8));
        assertThat(read(path).text("text_status")).isEqualTo("none");
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants(
                                "update attachment set text_attempts = 1 where filename = 'blank.txt'")
                        .run());
        assertThat(read(path).text("text_status")).isEqualTo("none");
    }

    @Test
    void whereThereIsNoTextItsStatusSaysWhy() throws IOException {
        String inbox = world.inbox("without");
        assertThat(read(sent(inbox, "a.png", new byte[] {1, 2, 3})).text("text_status"))
                .isEqualTo("none");
        assertThat(read(sent(inbox, "b.txt", " \n".getBytes(StandardCharsets.UTF_8)))
                        .text("text_status"))
                .isEqualTo("none");
        Answer broken = read(sent(inbox, "c.pdf", "%PDF-1.7 and nothing".getBytes(StandardCharsets.UTF_8)));
        assertThat(broken.text("text_status")).isEqualTo("failed");
        assertThat(broken.at("markdown")).isNull();
        assertThat(broken.at("tokens")).isNull();
    }

    /** A mail that holds another one as its file, as a program forwards it. */
    private static String received(String inbox, String id, String nested) {
        assertThat(world.mail("jo@example.com", inbox, """
                From: jo@example.com
                Subject: See
                Message-ID: %s
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=outer

                --outer

                See
                --outer
                Content-Type: message/rfc822
                Content-Disposition: attachment; filename="forwarded.eml"

                %s
                --outer--
                """.formatted(id, nested)))
                .startsWith("250");
        String path = "/v0/inboxes/" + inbox + "/messages/" + id.substring(1, id.length() - 1);
        return path + "/attachments/" + world.http().get(path).is(200).text("attachments.0.attachment_id");
    }

    /** As if nobody had read its text yet, and nobody were to do so for an hour. */
    private static void delay(String path) {
        String id = path.substring(path.lastIndexOf('/') + 1);
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants(
                                "update attachment set text = null, text_due_at = :due" + " where attachment_id = :id")
                        .bind("due", world.clock().instant().plusSeconds(3_600))
                        .bind("id", UUID.fromString(id))
                        .run());
    }

    @Test
    @Tag("long")
    void slidesHaveTheirTextBetweenFencesOrAWordForItsState() throws IOException {
        String inbox = world.inbox("slides");
        String path = sent(inbox, "a.pptx", TestDocuments.pptx("# Chairs", "Tables", "Say more"));
        Answer slides = read(path);
        assertThat(slides.text("markdown"))
                .startsWith("```\n")
                .endsWith("\n```")
                .containsSubsequence("# Chairs", "Tables", "Say more");
        assertThat(slides.at("text_status")).isNull();
        delay(path);
        Answer pending = world.http().get(path + "?format=markdown").is(200);
        assertThat(pending.text("text_status")).isEqualTo("pending");
        for (String member : List.of("markdown", "tokens", "truncated", "total_chars", "total_tokens", "text_url")) {
            assertThat(pending.at(member)).as(member).isNull();
        }
        assertThat(read(sent(inbox, "b.pptx", TestDocuments.pptx("", "", ""))).text("text_status"))
                .isEqualTo("none");
        byte[] damaged = TestDocuments.pptx("Chairs", "Tables", "Say more");
        assertThat(read(sent(inbox, "c.pptx", Arrays.copyOf(damaged, damaged.length / 2)))
                        .text("text_status"))
                .isEqualTo("failed");
    }

    @Test
    void aMailInAMailHasItsTextBetweenFencesOrAWordForItsState() {
        String inbox = world.inbox("mails");
        String path = received(
                inbox,
                "<outer1@example.com>",
                new String(TestDocuments.mail(1), StandardCharsets.UTF_8).replace("\r\n", "\n"));
        Answer mail = read(path);
        assertThat(mail.text("markdown"))
                .startsWith("```\nFrom: Kim <kim@a.example>\nTo: alex@a.example\n")
                .endsWith("\n```")
                .containsSubsequence("Subject: Stühle 1", "Text 1", "Subject: Stühle 0", "Text 0");
        delay(path);
        assertThat(world.http().get(path + "?format=markdown").is(200).text("text_status"))
                .isEqualTo("pending");
    }

    @Test
    @Tag("long")
    @Proves("P23")
    void theLinkToATextGivesEachKindInPiecesWithItsFigures() throws IOException {
        String inbox = world.inbox("links");
        String words = "Some words of it, ünd more. ".repeat(30);
        Map<String, byte[]> files = Map.of(
                "a.txt", words.getBytes(StandardCharsets.UTF_8),
                "b.html", ("<p>" + words + "</p>").getBytes(StandardCharsets.UTF_8),
                "c.xlsx", TestDocuments.xlsx(words, 12.5),
                "d.docx", TestDocuments.docx(words),
                "e.pptx", TestDocuments.pptx(words, words, words),
                "f.eml", TestDocuments.mail(2));
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            String path = sent(inbox, file.getKey(), file.getValue());
            Eventually.await(() -> world.http().get(path).is(200).at("text_url") != null);
            String link =
                    URI.create(world.http().get(path).is(200).text("text_url")).getRawPath();
            Answer whole = world.anonymous().get(link).is(200);
            String total =
                    String.valueOf(whole.text().codePointCount(0, whole.text().length()));
            assertThat(whole.header("X-Text-Total-Chars")).as(file.getKey()).isEqualTo(total);
            assertThat(whole.header("X-Text-Next-Offset")).isNull();
            StringBuilder pieces = new StringBuilder();
            int calls = 0;
            for (String offset = "0"; offset != null; calls++) {
                Answer piece = world.anonymous()
                        .get(link + "?max_chars=150&offset=" + offset)
                        .is(200);
                assertThat(piece.header("Content-Type")).startsWith("text/plain");
                assertThat(piece.header("X-Text-Total-Chars")).isEqualTo(total);
                assertThat(piece.header("X-Text-Tokens")).isEqualTo(String.valueOf(TokenEstimate.of(piece.text())));
                assertThat(piece.text().codePointCount(0, piece.text().length()))
                        .isBetween(1, 150);
                pieces.append(piece.text());
                offset = piece.header("X-Text-Next-Offset");
            }
            assertThat(pieces.toString()).as(file.getKey()).isEqualTo(whole.text());
            assertThat(calls).as(file.getKey()).isGreaterThan(1);
        }
    }

    @Test
    @Proves("P23")
    void thePiecesOfATextInOrderAreTheWhole() {
        String inbox = world.inbox("pieces");
        String text = "The first paragraph of it.\n\nThe second one is a little longer than that.\n\n".repeat(20);
        String path = sent(inbox, "a.txt", text.getBytes(StandardCharsets.UTF_8));
        String whole = read(path).text("markdown");
        String joined = "";
        for (Object offset = 0L; offset != null; ) {
            Answer piece = world.http()
                    .get(path + "?format=markdown&max_chars=100&offset=" + offset)
                    .is(200);
            joined += piece.text("markdown");
            offset = piece.at("next_offset");
        }
        assertThat(joined).isEqualTo(whole);
        URI link = URI.create(world.http().get(path).is(200).text("text_url"));
        String stored = world.anonymous().get(link.getRawPath()).is(200).text();
        StringBuilder pieces = new StringBuilder();
        for (String offset = "0"; offset != null; ) {
            Answer piece = world.anonymous()
                    .get(link.getRawPath() + "?max_chars=100&offset=" + offset)
                    .is(200);
            assertThat(piece.header("X-Text-Total-Chars")).isEqualTo(String.valueOf(stored.length()));
            assertThat(Long.parseLong(String.valueOf(piece.header("X-Text-Tokens"))))
                    .isBetween(1L, 100L);
            pieces.append(piece.text());
            offset = piece.header("X-Text-Next-Offset");
        }
        assertThat(pieces).hasToString(stored);
    }

    @Test
    void aWrongBoundIsRefused() {
        String inbox = world.inbox("refused");
        String path = sent(inbox, "a.txt", "Hello".getBytes(StandardCharsets.UTF_8));
        read(path);
        for (String query : List.of("max_chars=5", "offset=1")) {
            Answer refused = world.http().get(path + "?" + query).is(400);
            assertThat(refused.at("errors.0.path")).isEqualTo(List.of(query.substring(0, query.indexOf('='))));
        }
        String link =
                URI.create(world.http().get(path).is(200).text("text_url")).getRawPath();
        assertThat(world.anonymous().get(link + "?max_chars=-1").is(400).at("errors.0.path"))
                .isEqualTo(List.of("max_chars"));
    }
}
