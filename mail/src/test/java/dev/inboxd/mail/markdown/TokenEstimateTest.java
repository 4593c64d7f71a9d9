package dev.inboxd.mail.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.markdown.measure.TokenCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenEstimateTest {
    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
            # text, tokens
            "", 0
            a, 1
            abcdefghij, 3
            abcdefghijk, 4
            12345678, 6
            |, 1
            ||, 2
            a|, 2
            .., 1
            Hello world, 3
            a1b2c3d4e5f6g7h8, 15
            a1b2c3d4e5f6g7h, 7
            abcdefghijklmnop, 5
            1234567890123456, 11
            https://a.example/path/x, 8
            https://a.example/path/, 9
            abcdefghijkl.mnopqrstuvwx, 8
            |||||||||||||||||||||||/, 8
            https://a.example/a1b2c3d4e5f6g7h8, 20
            é, 2
            ééééé, 6
            слово, 2
            שלום עולם, 6
            日本語ー, 4
            안녕하세요, 5
            ไทย, 3
            €, 1
            😀😀, 2
            """)
    void theTableCountsEachCharacterAndIsRoundedUpOnce(String text, long tokens) {
        assertThat(TokenEstimate.of(text)).isEqualTo(tokens);
    }

    @Test
    void lineFeedsCountAndOtherWhiteSpaceDoesNot() {
        assertThat(TokenEstimate.of("\n\n\n")).isEqualTo(3);
        assertThat(TokenEstimate.of(" \t\u00A0\u3000\u2028")).isZero();
    }

    @Test
    void aRunOfAMillionCharactersIsCountedAsItIs() {
        assertThat(TokenEstimate.of("a".repeat(1_000_000))).isEqualTo(300_000);
        assertThat(TokenEstimate.of("a1".repeat(500_000))).isEqualTo(900_000);
        assertThat(TokenEstimate.of("-/".repeat(500_000))).isEqualTo(300_000);
        assertThat(TokenEstimate.of("-|".repeat(500_000))).isEqualTo(750_000);
    }

    @Test
    void whatWasCountedIsTheSameWhateverComesBehindIt() {
        TokenCounter counter = new TokenCounter();
        String text = "Order 4711 at https://shop.example/o/a1b2c3d4e5f6g7h8i9?x=1 | 3.50 €, ¡año! \n- 日本";
        for (int i = 0; i < text.length(); i++) {
            counter.add(text.charAt(i));
            assertThat(counter.tokens()).isEqualTo(TokenEstimate.of(text.substring(0, i + 1)));
        }
    }
}
