package dev.inboxd.mailbox.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mailbox.attachment.TextFormat;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java that reads documents, and what hostile ones do to it. */
class ReaderProcessTest {
    @Test
    @Tag("long")
    @Proves("A15")
    void oneProcessReadsManyDocumentsAndThrowsNoneAtUs() throws IOException {
        try (ReaderProcess reader = new ReaderProcess()) {
            assertThat(read(reader, TextFormat.PDF, TestDocuments.pdf("Invoice 42")))
                    .contains("Invoice 42");
            byte[] cut = TestDocuments.pdf("half");
            assertThat(read(reader, TextFormat.PDF, Arrays.copyOf(cut, cut.length / 3)))
                    .doesNotContain("half");
            assertThat(read(reader, TextFormat.DOCX, TestDocuments.docx("Grüße 你好")))
                    .contains("Grüße 你好");
            assertThat(read(reader, TextFormat.XLSX, TestDocuments.xlsx("Total", 12.5)))
                    .isEqualTo("Sums\nTotal\t12.5\t\n");
            byte[] noise = new byte[50_000];
            new Random(1).nextBytes(noise);
            for (TextFormat format :
                    List.of(TextFormat.PDF, TextFormat.DOCX, TextFormat.DOC, TextFormat.XLSX, TextFormat.PPTX)) {
                assertThat(read(reader, format, noise)).isEmpty();
                assertThat(read(reader, format, new byte[1])).isEmpty();
            }
            assertThat(read(reader, TextFormat.DOCX, TestDocuments.bomb(40)))
                    .isEmpty(); // over a hundred times its size
            assertThat(read(reader, TextFormat.XLSX, TestDocuments.docx("not a sheet")))
                    .isEmpty();
            assertThat(read(reader, TextFormat.PDF, TestDocuments.pdf("Still here")))
                    .contains("Still here");
        }
    }

    @Test
    @Tag("long")
    void slidesAreReadInTheirOrderEachWithItsNotes() throws IOException {
        try (ReaderProcess reader = new ReaderProcess()) {
            assertThat(read(reader, TextFormat.PPTX, TestDocuments.pptx("Chairs", "Tables", "Say more")))
                    .containsSubsequence("Chairs", "Tables", "Say more");
            assertThat(read(reader, TextFormat.PPTX, TestDocuments.docx("no slides")))
                    .isEmpty();
        }
    }

    @Test
    void aMailInAMailIsReadWithTheMailsInIt() throws IOException {
        try (ReaderProcess reader = new ReaderProcess()) {
            assertThat(read(reader, TextFormat.MAIL, TestDocuments.mail(1)))
                    .startsWith("""
                            From: Kim <kim@a.example>
                            To: alex@a.example
                            Date: Mon, 5 May 2025 10:00:00 +0200
                            Subject: Stühle 1

                            Text 1

                            File: plan.pdf
                            """)
                    .containsSubsequence("File:", "message/rfc822", "Subject: Stühle 0", "Text 0", "File: plan.pdf");
            assertThat(read(reader, TextFormat.MAIL, TestDocuments.mail(9)))
                    .contains("Subject: Stühle 7")
                    .doesNotContain("Subject: Stühle 6");
        }
    }

    @Test
    @Proves("A15")
    void aLongTextIsCut() throws IOException {
        try (ReaderProcess reader = new ReaderProcess()) {
            StringBuilder text = new StringBuilder();
            Random random = new Random(2);
            while (text.length() < 300_000) {
                text.append(Integer.toString(random.nextInt(), 36)).append(' ');
            }
            assertThat(read(reader, TextFormat.DOCX, TestDocuments.docx(text.toString())))
                    .hasSize(250_000);
        }
    }

    @Test
    @Tag("long")
    void aDocumentThatEndsItsReaderIsToldFromOneThatCannotBeFetched() throws IOException {
        byte[] hoard = TestDocuments.hoard();
        try (ReaderProcess reader = new ReaderProcess()) {
            assertThatThrownBy(() -> read(reader, TextFormat.DOCX, hoard))
                    .isInstanceOf(ReaderProcess.ReaderCrashException.class);
        }
        InputStream away = InputStream.nullInputStream();
        away.close();
        try (ReaderProcess reader = new ReaderProcess()) {
            assertThatThrownBy(() -> reader.read(TextFormat.DOCX, away, 10))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(ReaderProcess.ReaderCrashException.class);
        }
    }

    @Test
    void aReaderThatWasEndedSaysSo() throws IOException {
        ReaderProcess reader = new ReaderProcess();
        reader.close();
        byte[] document = TestDocuments.pdf("x");
        assertThatThrownBy(() -> read(reader, TextFormat.PDF, document)).isInstanceOf(IOException.class);
    }

    private static String read(ReaderProcess reader, TextFormat format, byte[] document) throws IOException {
        String text = reader.read(format, new ByteArrayInputStream(document), document.length);
        return text == null ? "" : text;
    }
}
