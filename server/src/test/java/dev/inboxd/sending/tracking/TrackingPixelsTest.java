package dev.inboxd.sending.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where pixels go and what their tokens are worth. */
class TrackingPixelsTest {
    private static final TrackingPixels PIXELS = pixels("a secret of thirty-two characters");
    private static final TrackedMessage MESSAGE =
            new TrackedMessage(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());

    @ParameterizedTest
    @CsvSource({"<body><p>Hi</p>,</body></html>", "<p>Hi,''", "'',''", "<BODY>Hi,</BODY>", "<body>a</body>b,</body >c"})
    void thePixelStandsBeforeTheLastEndOfTheBodyOrAtTheEnd(String before, String after) {
        String marked = Objects.requireNonNull(PIXELS.marked(before + after, "x.example", MESSAGE));
        assertThat(marked)
                .startsWith(before + "<img src=\"https://link.x.example/o/")
                .endsWith(">" + after)
                .containsOnlyOnce("<img");
    }

    @Test
    @Proves("P11c")
    void aTokenFindsItsMessageAndNoChangeOfItFindsAny() {
        String token = token(PIXELS);
        assertThat(PIXELS.open(token)).isEqualTo(MESSAGE);
        for (int i = 0; i < token.length(); i++) {
            char other = token.charAt(i) <= 'P' ? 'g' : 'A'; // the last one's low bits mean nothing
            assertThat(PIXELS.open(token.substring(0, i) + other + token.substring(i + 1)))
                    .as("at %s", i)
                    .isNull();
        }
        assertThat(PIXELS.open(token(pixels("another secret of so many letters"))))
                .isNull();
        assertThat(PIXELS.open("")).isNull();
        assertThat(PIXELS.open("\u20ac")).isNull();
        assertThat(PIXELS.open(token + "AAAA")).isNull();
    }

    @Test
    void anotherDomainCannotTrack() {
        assertThat(PIXELS.marked("<p>Hi", "y.example", MESSAGE)).isNull();
    }

    private static TrackingPixels pixels(String secret) {
        return new TrackingPixels(
                (_, domain) -> domain.equals("x.example") ? URI.create("https://link.x.example") : null,
                secret.getBytes(StandardCharsets.US_ASCII));
    }

    private static String token(TrackingPixels pixels) {
        String marked = Objects.requireNonNull(pixels.marked("", "x.example", MESSAGE));
        return marked.substring(marked.indexOf("/o/") + 3, marked.indexOf("\" width"));
    }
}
