package dev.inboxd.mail.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Words in many languages; the file's columns are a text and its words. */
class WordsTest {
    @ParameterizedTest
    @CsvFileSource(resources = "/words.csv", delimiter = '|', ignoreLeadingAndTrailingWhitespace = true)
    void aTextHasTheseWords(String text, String words) {
        assertThat(Words.line(text).strip()).isEqualTo(words);
        assertThat(Words.line(Normalizer.normalize(text, Normalizer.Form.NFD)).strip())
                .isEqualTo(words);
    }

    @Test
    void aWordKnowsItsPlaceInTheText() {
        String text = "— Übergröße, 東京 ";
        Words words = new Words(text);
        assertThat(words.next()).isTrue();
        assertThat(text.substring(words.start(), words.end())).isEqualTo("Übergröße");
        assertThat(words.folded().toString()).isEqualTo("ubergrosse");
        assertThat(words.unspaced()).isFalse();
        assertThat(words.next()).isTrue();
        assertThat(text.substring(words.start(), words.end())).isEqualTo("東京");
        assertThat(words.unspaced()).isTrue();
        assertThat(words.next()).isFalse();
    }

    @Test
    void aWordWithoutEndIsComparedByItsBeginning() {
        Words words = new Words("x".repeat(1_000_000) + " y");
        assertThat(words.next()).isTrue();
        assertThat(words.folded()).hasSize(Words.LONGEST);
        assertThat(words.next()).isTrue();
        assertThat(words.folded().toString()).isEqualTo("y");
    }

    @Test
    void accentsWithinALongWordCountAsTheirLetters() {
        Words words = new Words("\u00c9x\ufb03".repeat(1_000) + "\u6771\u4eac".repeat(500) + "Z");
        assertThat(words.next()).isTrue();
        assertThat(words.folded().toString()).startsWith("exffiexffi").hasSizeBetween(Words.LONGEST, Words.LONGEST + 2);
        assertThat(words.next()).isTrue();
        assertThat(words.folded().toString())
                .isEqualTo("\u6771\u4eac".repeat(500)); // a run without spaces is as long as it is
        assertThat(words.next()).isTrue();
        assertThat(words.folded().toString()).isEqualTo("z");
        assertThat(words.next()).isFalse();
    }

    @Test
    void brokenSurrogatesAndMarksWithoutLettersAreNoWords() {
        assertThat(Words.line("\uD800 \uDC00 \u0301\u0301 \u0000 % _ \\ ' \" ** [a-z]* .{9}"))
                .isEqualTo(" a z 9 ");
    }
}
