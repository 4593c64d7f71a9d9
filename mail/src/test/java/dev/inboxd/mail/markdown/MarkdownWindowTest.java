package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.text.BreakIterator;
import com.ibm.icu.util.ULocale;
import dev.inboxd.testing.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MarkdownWindowTest {
    private static final List<String> WORDS = List.of(
            "a",
            "word",
            "internationalization",
            "\\*",
            "\\\\",
            "日本語の文章です",
            "👨‍👩‍👧‍👦",
            "🇩🇪🇫🇷🇯🇵",
            "e\u0301\u0302\u0303",
            "\uD83D",
            "`code`",
            "x".repeat(70));

    /** What is written, in order: texts, and the marks of ends of blocks and of targets. */
    private record Part(String text, boolean isTarget, boolean endsBlock) {
        void write(MarkdownSink sink, Random random) {
            if (isTarget) {
                sink.targetStart();
            }
            for (int from = 0; from < text.length(); ) {
                int to = Math.min(text.length(), from + 1 + random.nextInt(9));
                sink.text(text.substring(from, to));
                from = to;
            }
            if (isTarget) {
                sink.targetEnd();
            }
            if (endsBlock) {
                sink.blockEnd();
            }
        }
    }

    private static Part words(String text) {
        return new Part(text, false, false);
    }

    private static MarkdownPiece piece(List<Part> parts, long offset, long most) {
        Random random = new Random(offset * 31 + most);
        MarkdownWindow window = new MarkdownWindow(offset, most);
        parts.forEach(part -> part.write(window, random));
        return window.piece();
    }

    private static MarkdownPiece piece(String text, long offset, long most) {
        MarkdownWindow window = new MarkdownWindow(offset, most);
        String[] blocks = text.split("\n\n", -1);
        for (int i = 0; i < blocks.length; i++) {
            window.text(i == 0 ? blocks[i] : "\n\n" + blocks[i]);
            window.blockEnd();
        }
        return window.piece();
    }

    private static List<Part> randomMail(Random random) {
        List<Part> parts = new ArrayList<>();
        int count = random.nextInt(60);
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(12)) {
                case 0 -> parts.add(new Part("", false, true));
                case 1 -> parts.add(words("\n"));
                case 2 ->
                    parts.add(new Part("](https://a.example/" + "p".repeat(random.nextInt(40)) + ")", true, false));
                case 3 -> parts.add(words("\n\n"));
                default ->
                    parts.add(words((random.nextInt(4) > 0 ? " " : "") + WORDS.get(random.nextInt(WORDS.size()))));
            }
        }
        return parts;
    }

    @Test
    @Tag("long")
    @Proves("P23")
    void joinedPiecesAreTheWholeAndEachHoldsItsBound() {
        Random random = new Random(37);
        for (int round = 0; round < 800; round++) {
            List<Part> parts = randomMail(random);
            StringBuilder all = new StringBuilder();
            parts.forEach(part -> all.append(part.text()));
            String whole = all.toString();
            long most = 1L + random.nextInt(round % 2 == 0 ? 12 : 200);
            StringBuilder joined = new StringBuilder();
            for (long offset = 0; offset >= 0; ) {
                MarkdownPiece piece = piece(parts, offset, most);
                int length = piece.text().codePointCount(0, piece.text().length());
                assertThat(length).isLessThanOrEqualTo((int) most);
                assertThat(piece.tokens()).isEqualTo(TokenEstimate.of(piece.text()));
                assertThat(piece.totalChars()).isEqualTo(whole.codePointCount(0, whole.length()));
                assertThat(piece.totalTokens()).isEqualTo(TokenEstimate.of(whole));
                if (piece.isTruncated()) {
                    assertThat(length).isPositive();
                    assertThat(piece.nextOffset()).isEqualTo(offset + length);
                }
                joined.append(piece.text());
                offset = piece.nextOffset();
            }
            assertThat(joined.toString()).isEqualTo(whole);
        }
    }

    @Test
    void noTargetThatFitsIntoAPieceIsCut() {
        Random random = new Random(5);
        for (int round = 0; round < 500; round++) {
            List<Part> parts = randomMail(random);
            long most = 60L + random.nextInt(100);
            List<Long> cuts = new ArrayList<>();
            for (long offset = 0;
                    offset >= 0;
                    offset = piece(parts, offset, most).nextOffset()) {
                cuts.add(offset);
            }
            long at = 0;
            for (Part part : parts) {
                long end = at + part.text().codePointCount(0, part.text().length());
                long start = at;
                if (part.isTarget()) {
                    assertThat(cuts).noneMatch(cut -> cut > start && cut < end);
                }
                at = end;
            }
        }
    }

    @Test
    void noClusterOfCharactersThatFitsIntoHalfAPieceIsCut() {
        Random random = new Random(11);
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 30; i++) {
                text.append(WORDS.get(5 + random.nextInt(4)));
            }
            String whole = text.toString();
            BreakIterator clusters = BreakIterator.getCharacterInstance(ULocale.ROOT);
            clusters.setText(whole);
            long most = 20L + random.nextInt(40);
            for (long offset = 0;
                    offset >= 0;
                    offset = piece(whole, offset, most).nextOffset()) {
                assertThat(clusters.isBoundary(whole.offsetByCodePoints(0, (int) offset)))
                        .isTrue();
            }
        }
    }

    @Test
    void aCutIsMadeAtTheLastEndOfABlock() {
        MarkdownPiece first = piece("# One\n\nTwo words here.\n\nThree more words", 0, 30);
        assertThat(first.text()).isEqualTo("# One\n\nTwo words here.");
        assertThat(first.nextOffset()).isEqualTo(22);
        assertThat(piece("# One\n\nTwo words here.\n\nThree more words", 22, 30).text())
                .isEqualTo("\n\nThree more words");
    }

    @Test
    void aBlockThatEndsExactlyAtTheBoundIsWhole() {
        assertThat(piece("Eight ch\n\nand more", 0, 8).text()).isEqualTo("Eight ch");
    }

    @Test
    void anEndOfABlockBeforeHalfOfThePieceIsNoPlaceForACut() {
        assertThat(piece("One\n\nline of words\nand another line", 0, 24).text())
                .isEqualTo("One\n\nline of words");
        assertThat(piece("One\n\nline of words and another line", 0, 24).text()).isEqualTo("One\n\nline of words and");
        assertThat(piece("One\n\n" + "日".repeat(40), 0, 24).text()).isEqualTo("One\n\n" + "日".repeat(19));
    }

    @Test
    void anEscapedCharacterIsNotCut() {
        assertThat(piece("aaaaaaa\\*bbbb", 0, 8).text()).isEqualTo("aaaaaaa");
        assertThat(piece("aaaaaa\\\\*bbbb", 0, 8).text()).isEqualTo("aaaaaa\\\\");
    }

    @Test
    void aTargetThatIsLongerThanAPieceIsCutWhereItMust() {
        List<Part> parts = List.of(words("[x"), new Part("](https://a.example/" + "p".repeat(90) + ")", true, false));
        assertThat(piece(parts, 0, 50).text()).hasSize(50);
        assertThat(piece(parts, 0, 110).text()).hasSize(110);
        assertThat(piece(List.of(words("[some words"), parts.get(1)), 0, 115).text())
                .isEqualTo("[some words");
    }

    @Test
    void aClusterThatIsLongerThanAPieceIsCutAtTheBound() {
        assertThat(piece("e" + "\u0301".repeat(90), 0, 50).text()).hasSize(50);
    }

    @Test
    void nothingIsAskedForAndTheFiguresAreThere() {
        MarkdownPiece none = piece("Some words", 0, 0);
        assertThat(none).isEqualTo(new MarkdownPiece("", 0, 0, 10, TokenEstimate.of("Some words")));
        assertThat(piece("Some words", 4, 0).nextOffset()).isEqualTo(4);
    }

    @Test
    void anOffsetBehindTheEndGivesNothing() {
        assertThat(piece("Some words", 10, 5).isTruncated()).isFalse();
        assertThat(piece("Some words", 11, 5).text()).isEmpty();
        assertThat(piece("Some words", Long.MAX_VALUE, Long.MAX_VALUE).isTruncated())
                .isFalse();
        assertThat(piece("", 0, 0).isTruncated()).isFalse();
    }

    @Test
    void theMemoryOfAWindowIsThatOfItsPiece() {
        String block = "0123456789 abcdef ".repeat(1_000);
        MarkdownWindow window = new MarkdownWindow(1_000, 100);
        for (int i = 0; i < 200; i++) {
            window.text(block); // 3.6 million characters
            window.blockEnd();
        }
        assertThat(window.buffer).hasSize(101);
        assertThat(window.piece().totalChars()).isEqualTo(3_600_000);
    }
}
