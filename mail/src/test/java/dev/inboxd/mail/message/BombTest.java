package dev.inboxd.mail.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Messages made to exhaust a parser. Each is read within 2 s of this thread's own CPU time and 64 MB allocated over
 * the whole of it (so also at once), both taken from counters, and still gives a message.
 */
@Tag("alone")
class BombTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long CPU_NANOS = 2_000_000_000L;
    private static final long OCTETS = 64L * 1024 * 1024;

    @Test
    @Proves({"P14", "A14"})
    void threeThousandNestedMultipartsAreReadAHundredDeep() {
        var message = parse("Subject: bomb\r\n" + Bombs.nested(3_000) + "\r\ndeep\r\n");
        assertThat(message.subject()).isEqualTo("bomb");
        assertThat(message.defects()).contains(Defect.NESTED_TOO_DEEP);
        assertThat(message.body().attachments()).hasSize(1);
    }

    @Test
    @Proves({"P14", "A14"})
    void sixThousandNestedMessagesAreOneAttachment() {
        assertThat(parse(Bombs.nestedMessages()).body().attachments()).hasSize(1);
    }

    @Test
    @Proves({"P14", "A14"})
    void aMillionEmptyPartsAreReadToTheThousandth() {
        var message = parse(Bombs.emptyParts());
        assertThat(message.subject()).isEqualTo("bomb");
        assertThat(message.isPartial()).isTrue();
        assertThat(message.defects()).contains(Defect.TOO_MANY_PARTS);
    }

    @Test
    @Proves({"P14", "A14"})
    void twoHundredThousandEncodedWordsAreDecodedToTheFiveHundredth() {
        var message = parse(Bombs.encodedWords());
        assertThat(message.subject()).startsWith("a".repeat(EncodedWords.MAX_WORDS) + " =?utf-8");
        assertThat(message.body().text()).isEqualTo("body\n");
        assertThat(message.defects()).contains(Defect.TOO_MANY_ENCODED_WORDS, Defect.HEADER_TOO_LARGE);
    }

    /** What a reader needs of a header is read in its first MiB (ruling 139), at one cost whatever stands there. */
    @Test
    @Proves({"P14", "A14"})
    void aMegabyteOfOneFieldIsReadInOnePass() {
        for (String field :
                List.of("From: ", "To: ", "Subject: ", "Content-Type: text/plain", "References: ", "Date: ")) {
            for (String piece : List.of(
                    "(",
                    "\\(",
                    "\"",
                    "\"\\\"",
                    "<\"",
                    "a@b ",
                    "=?a?q?x",
                    "=?a?q?x?=",
                    "[IPv6:x]",
                    " a=b",
                    " name=a",
                    " ",
                    ";a*0=b",
                    "\u001B$B",
                    "\u001B$B12\u001B(B",
                    "<a@b>",
                    ",",
                    ";a=(",
                    "<mailto:?\\\">",
                    "Ann <a@b>,")) {
                parse(field + piece.repeat(1_000_000 / piece.length()) + "\r\n\r\nx");
            }
        }
    }

    @Test
    @Proves({"P14", "A14"})
    void quotesAndUnknownCharsetsAreReadInOnePass() {
        String quotes = "'".repeat(500_000);
        parse("From: <" + quotes + "a@b" + quotes + ">\r\n\r\nx");
        StringBuilder words = new StringBuilder("Subject: x\r\nFrom: ");
        for (int i = 0; words.length() < 1_000_000; i++) {
            words.append("=?x").append(i).append("?q?a?= ");
        }
        parse(words + "\r\n\r\nx");
    }

    @Test
    void fortyThousandNestedDivsAreRenderedWithinTheLimits() {
        var html = "<div>".repeat(40_000) + "deep";
        var message = parse("Content-Type: text/html\r\n\r\n" + html);
        assertThat(message.body().html()).isEqualTo(html);
        assertThat(within(() -> HtmlText.render(html))).hasSizeLessThan(10);
    }

    @Test
    @Proves("P14")
    void aMegabyteOfContentIdsIsReadInOnePass() {
        for (String url : new String[] {"cid:", "cid:%63", "'cid:a"}) {
            var html = url.repeat(1_000_000 / url.length()) + " cid:last";
            var message = parse(Bombs.contentIds(html));
            assertThat(message.body().html()).isEqualTo(html);
            assertThat(message.body().attachments()).hasSize(1);
        }
    }

    @Test
    void aMillionHtmlNodesAreRenderedWithinTheLimits() {
        assertThat(within(() -> HtmlText.render("<p>a<b>".repeat(140_000)))).startsWith("a\n\na");
    }

    @Test
    void tenThousandHeadersAndOneOfFortyMegabytesLeaveTheBodyReadable() {
        var many = parse(Bombs.headers(10_000));
        assertThat(many.headers()).hasSize(HeaderBlock.MAX_FIELDS);
        assertThat(many.body().text()).isEqualTo("body\n");
        assertThat(many.defects()).contains(Defect.TOO_MANY_HEADERS);
        var huge = parse(Bombs.hugeField());
        assertThat(huge.addresses().from()).hasSize(1);
        assertThat(huge.body().text()).isEqualTo("body\n");
        assertThat(huge.defects()).contains(Defect.HEADER_TOO_LARGE);
    }

    @Test
    void aHundredThousandAddressesAreReadToTheThousandth() {
        var message = parse("To: " + "a@b,".repeat(24_000) + "\r\n\r\n");
        assertThat(message.addresses().to()).hasSize(1_000);
        assertThat(message.defects()).contains(Defect.TOO_MANY_ADDRESSES);
    }

    @Test
    void fieldsOfOnlySpecialCharactersAreReadInOnePass() {
        var specials =
                List.of("<", "(", "\"", ":", "@[", "\\", "=?", "=?a?q?", "'", ";", ";a*0=", "%", "[IPv6:", "a@.b ");
        for (var special : specials) {
            var value = special.repeat(90_000 / special.length());
            assertThat(parse("From: " + value + "\r\n\r\n").headers()).hasSize(1);
            assertThat(parse("References: " + value + "\r\n\r\n").headers()).hasSize(1);
            assertThat(parse("Date: " + value + "\r\n\r\n").headers()).hasSize(1);
            assertThat(parse("Content-Type: text/plain; name=" + value + "\r\n\r\n")
                            .headers())
                    .hasSize(1);
        }
    }

    @Test
    @Proves("P14")
    void aLargeAttachmentAHundredLevelsDeepIsReadInOnePass() {
        assertThat(parse(Bombs.repeated(Bombs.deep("8bit"), "--a\n", "")).body().attachments())
                .hasSize(1);
        for (var piece : List.of("A".repeat(76) + "\r\n", "AA=")) {
            assertThat(parse(Bombs.repeated(Bombs.deep("base64"), piece, ""))
                            .body()
                            .attachments())
                    .hasSize(1);
        }
        var quoted = Bombs.deep("quoted-printable");
        for (var piece : List.of("=41 ", " ")) {
            assertThat(parse(Bombs.repeated(quoted, piece, "")).body().attachments())
                    .hasSize(1);
        }
    }

    @Test
    void fortyMegabytesOfTextAreCutAtACharacter() {
        var message = parse(Bombs.text());
        assertThat(message.body().text()).endsWith("\u20AC").hasSizeLessThan(DisplayText.MAX_OCTETS);
        assertThat(message.defects()).containsExactly(Defect.TEXT_TRUNCATED);
    }

    @Test
    void aThousandTextPartsWithoutACharsetAreGuessedInTime() {
        assertThat(parse(Bombs.withoutCharsets()).body().text()).isNotEmpty();
    }

    @Test
    void partReaderStreamsWhatTheParserCounted() throws IOException {
        var bomb = Bombs.repeated("Content-Type: application/pdf\r\n\r\n", "x", "");
        try (var part = PartReader.open(new ByteArrayInputStream(bomb), 0)) {
            assertThat(within(() -> drain(part)))
                    .isEqualTo(parse(bomb).body().attachments().getFirst().size());
        }
    }

    private static long drain(InputStream stream) {
        try {
            return stream.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ParsedMessage parse(String message) {
        return parse(message.getBytes(StandardCharsets.UTF_8));
    }

    private static ParsedMessage parse(byte[] message) {
        return within(() -> MessageParser.parse(new ByteArrayInputStream(message)));
    }

    private static <T> T within(Supplier<T> work) {
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        T result = null;
        // A cold JVM on a crowded machine may need a second try; what grows with the square of its input needs a
        // hundred.
        for (int run = 0; run < 3 && least >= CPU_NANOS; run++) {
            long octets = THREADS.getThreadAllocatedBytes(thread);
            long nanos = THREADS.getCurrentThreadCpuTime();
            result = work.get();
            least = Math.min(least, THREADS.getCurrentThreadCpuTime() - nanos);
            assertThat(THREADS.getThreadAllocatedBytes(thread) - octets)
                    .as("allocated")
                    .isLessThan(OCTETS);
        }
        assertThat(least).as("CPU time").isLessThan(CPU_NANOS);
        return Objects.requireNonNull(result);
    }
}
