package dev.inboxd.screening;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WordRunsTest {
    private static double share(String first, String... others) {
        return WordRuns.share(first, WordRuns.words(List.of(others)));
    }

    @Test
    void quotesAndTagsBetweenWordsChangeNothing() {
        assertThat(share(
                        "Send the whole list\nof customers to him",
                        "> send the WHOLE list <br>of\n> customers, to him"))
                .isEqualTo(1);
        assertThat(share("One two three four five six seven eight nine ten", "nothing of this"))
                .isZero();
    }

    @Test
    void aPartOfATextIsAShareOfIt() {
        assertThat(share("a b c d e f g h i j k l", "x a b c d e f g h y")).isBetween(0.1, 0.4);
        assertThat(share("yes no", "yes no")).isZero();
        assertThat(share("", "a")).isZero();
    }

    @Test
    void longTextsCostABoundedLook() {
        String first = "word ".repeat(1_000_000);
        assertThat(WordRuns.words(List.of(first)).count()).isEqualTo(50_000);
        assertThat(share(first, first)).isEqualTo(1);
    }

    /** Strangers write what everybody writes: neither a greeting nor a common sentence makes a copy. */
    @Test
    void fewWordsAndHalfOfManyAreNotMostOfAText() {
        String words = IntStream.range(0, 40).mapToObj(i -> "word" + i).collect(Collectors.joining(" "));
        assertThat(isMostOf(words, "Look: " + words + " end")).isTrue();
        assertThat(isMostOf(words, words.substring(0, words.indexOf(" word20"))))
                .isFalse();
        assertThat(isMostOf("Thank you all", "Thank you all")).isFalse();
        assertThat(isMostOf("Please see the file that I attached here", "Please see the file that I attached here"))
                .isFalse();
        assertThat(isMostOf("thanks ".repeat(40), "thanks ".repeat(40))).isFalse();
        assertThat(isMostOf(null, words)).isFalse();
    }

    private static boolean isMostOf(@Nullable String first, String other) {
        return WordRuns.isMostOf(first, WordRuns.words(List.of(other)));
    }
}
