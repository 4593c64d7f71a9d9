package dev.inboxd.mail.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.dkim.HeaderFields;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthResultsFilterStreamTest {
    private static final String HOST = "mx.inboxd.test";
    private static final String OURS = "Authentication-Results: mx.inboxd.test; spf=pass\r\n";
    private static final String OTHERS = "Authentication-Results: mx.other.test; spf=pass\r\n";
    private static final int LONG = AuthResultsFilterStream.LONGEST_FIELD;
    private static final List<String> PIECES = List.of(
            OURS,
            OTHERS,
            "X: y\r\n",
            "authentication-RESULTS \t:\r\n (c)\r\n\t" + HOST + "\r\n ; x\r\n",
            "Authentication-Results\r\n",
            "Authentication-Results\r\n : " + HOST + "\r\n",
            " " + OURS,
            "Authentication-Results-X: " + HOST + "\r\n",
            "no field\r\n",
            ":\r\n",
            "Authentication",
            "\r\n ",
            " \r\n",
            "\r\n\r\n",
            "\r",
            "\n",
            "X: " + "x".repeat(9_000) + "\r\n");

    @ParameterizedTest
    @Proves("A12")
    @ValueSource(ints = {1, 2, 7, 8_192, 100_000})
    void whatItLeavesOutAreTheFieldsThatSpeakInOurName(int most) throws IOException {
        Random random = new Random(most);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder message = new StringBuilder();
            for (int count = random.nextInt(9); count > 0; count--) {
                message.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            int longest = 60 + random.nextInt(60); // line ends and folds come to lie at its edge
            assertThat(stripped(message.toString(), most, longest))
                    .as(longest + ": " + message)
                    .isEqualTo(expected(message.toString(), longest));
        }
    }

    /** By the reader of fields that signatures have. */
    private static String expected(String message, int longest) {
        int empty = message.startsWith("\r\n") ? -2 : message.indexOf("\r\n\r\n");
        int end = empty == -1 ? message.length() : empty + 2;
        StringBuilder left = new StringBuilder();
        for (String field : message.substring(0, end).split("(?<=\\r\\n)(?![ \\t])", -1)) {
            boolean ours = new HeaderFields(field)
                    .all("authentication-results").stream()
                            .anyMatch(each -> field.length() > longest || AuthResultsParser.claims(each.value(), HOST));
            left.append(ours ? "" : field);
        }
        return left + message.substring(end);
    }

    /** Attack A12: however far down in the header. */
    @Test
    void aFieldBehindMegabytesOfOthersIsLeftOutToo() throws IOException {
        String before = "X: y\r\n".repeat(300_000) + "Y: " + "z".repeat(3 * LONG) + "\r\n";
        assertThat(stripped(before + OURS + OTHERS + "\r\n" + OURS, 8_192)).isEqualTo(before + OTHERS + "\r\n" + OURS);
        assertThat(stripped(before + OURS, 8_192)).as("a header without an end").isEqualTo(before);
    }

    @Test
    void resultsThatAreTooLongToBeAnybodysAreLeftOutWhole() throws IOException {
        for (int length : new int[] {LONG - 1, LONG, LONG + 1, 5 * LONG}) {
            String comment = "Authentication-Results: (" + "c".repeat(length) + ") mx.other.test; x\r\n\tmore\r\n";
            assertThat(stripped(comment + "X: y\r\n\r\nbody", 8_192)).isEqualTo("X: y\r\n\r\nbody");
        }
        String blanks = "Authentication-Results" + " ".repeat(LONG) + ": " + HOST + "; x\r\n";
        assertThat(stripped(blanks + "X: y\r\n\r\nbody", 8_192)).isEqualTo("X: y\r\n\r\nbody");
    }

    @Test
    void aLineEndsWhereverTheEdgeOfWhatIsHeldIs() throws IOException {
        for (int length = LONG - 8; length < LONG + 8; length++) {
            String before = "X:" + "\r\n x".repeat((length - 2) / 4).substring(0, length - 5) + "xxx\r\n";
            assertThat(stripped(before + OURS + "Y: z\r\n\r\n" + OURS, 8_192))
                    .isEqualTo(before + "Y: z\r\n\r\n" + OURS);
            assertThat(stripped(before + "\r\n" + OURS, 8_192)).isEqualTo(before + "\r\n" + OURS);
            String results = "Authentication-Results: (" + "c".repeat(length - 28) + ")\r\n";
            assertThat(stripped(results + " x\r\nY: z\r\n\r\n" + OURS, 8_192)).endsWith("Y: z\r\n\r\n" + OURS);
        }
    }

    @Test
    void aBodyIsNobodysHeader() throws IOException {
        for (String body : List.of(OURS, " " + OURS, "\r\n" + OURS, "")) {
            assertThat(stripped("\r\n" + body, 3)).isEqualTo("\r\n" + body);
            assertThat(stripped(OURS + "\r\n" + body, 3)).isEqualTo("\r\n" + body);
        }
        assertThat(stripped("", 3)).isEmpty();
    }

    private static String stripped(String message, int most) throws IOException {
        return stripped(message, most, LONG);
    }

    private static String stripped(String message, int most, int longest) throws IOException {
        ByteArrayOutputStream left = new ByteArrayOutputStream();
        byte[] piece = new byte[most];
        try (InputStream in = new AuthResultsFilterStream(
                new ByteArrayInputStream(message.getBytes(StandardCharsets.ISO_8859_1)), HOST, longest)) {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                left.write(piece, 0, read);
            }
            assertThat(in.read()).as("the end stays the end").isEqualTo(-1);
        }
        return left.toString(StandardCharsets.ISO_8859_1);
    }
}
