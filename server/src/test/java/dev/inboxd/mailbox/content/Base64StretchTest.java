package dev.inboxd.mailbox.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.id.Digests;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which stretches of a message are base64 that comes out the same when it is encoded again. */
class Base64StretchTest {
    private static final byte[] FILE = new byte[100_001];

    static {
        new Random(3).nextBytes(FILE);
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 60, 64, 72, 76, 996})
    void aFileIsFoundWhateverTheLengthOfItsLines(int line) throws IOException {
        String before = "Subject: x\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n";
        String encoded = encoded(FILE, line);
        Base64Stretch run = only(before + encoded + "\r\n--b--\r\n");
        assertThat(run.position()).isEqualTo(before.length());
        assertThat(run.length()).isEqualTo(encoded.length());
        assertThat(run.line()).isEqualTo(line);
        assertThat(run.size()).isEqualTo(FILE.length);
        assertThat(run.sha256()).isEqualTo(Digests.sha256().digest(FILE));
    }

    @Test
    void aRunEndsWhereItsLinesDo() throws IOException {
        byte[] even = Arrays.copyOf(FILE, 57 * 1_500);
        String encoded = encoded(even, 76);
        for (String behind : List.of(
                "\r\n--b--\r\n", "\r\n\r\n--b--\r\n", "\r\nnot base64\r\n", "\r\n====\r\n", "\r\nQUJD=\r\n", "\r\n")) {
            Base64Stretch run = only(encoded + behind);
            assertThat(run.length()).as(behind).isEqualTo(encoded.length());
            assertThat(run.size()).as(behind).isEqualTo(even.length);
        }
        // What looks like a last line is one: it comes out the same, too.
        assertThat(only(encoded + "\r\nQUI=\r\n").size()).isEqualTo(even.length + 2L);
    }

    @Test
    @Proves("P13a")
    void whatWouldNotComeOutTheSameIsLeftOut() throws IOException {
        String encoded = encoded(FILE, 76);
        assertThat(runs(encoded.replace("\r\n", "\n") + "\n")).isEmpty();
        assertThat(runs(encoded.replace("\r\n", " \r\n") + "\r\n")).isEmpty();
        assertThat(runs(encoded(FILE, 76).replace("\r\n", ""))).isEmpty();
        assertThat(runs(encoded(Arrays.copyOf(FILE, 60_000), 76) + "\r\n")).isEmpty();
        assertThat(runs("x".repeat(2_000_000))).isEmpty();
        // 100,001 octets leave two at the end: a padded group whose unused bits are not zero.
        String last = encoded.substring(encoded.length() - 2);
        assertThat(last).endsWith("=");
        String spoilt = encoded.substring(0, encoded.length() - 2) + (last.charAt(0) == '=' ? "==" : "B=");
        for (Base64Stretch run : runs(spoilt + "\r\n")) {
            byte[] part = spoilt.substring((int) run.position(), (int) (run.position() + run.length()))
                    .getBytes(StandardCharsets.US_ASCII);
            byte[] decoded = Base64.getMimeDecoder().decode(part);
            assertThat(encoded(decoded, run.line()).getBytes(StandardCharsets.US_ASCII))
                    .isEqualTo(part);
        }
    }

    @Test
    void severalFilesAreSeveralRuns() throws IOException {
        List<Base64Stretch> runs = runs(encoded(FILE, 76) + "\r\n--b\r\n\r\n" + encoded(FILE, 64) + "\r\n--b--\r\n");
        assertThat(runs).hasSize(2);
        assertThat(runs.getFirst().sha256()).isEqualTo(runs.getLast().sha256());
    }

    private static String encoded(byte[] file, int line) {
        return Base64.getMimeEncoder(line, new byte[] {'\r', '\n'}).encodeToString(file);
    }

    private static Base64Stretch only(String message) throws IOException {
        List<Base64Stretch> runs = runs(message);
        assertThat(runs).hasSize(1);
        return runs.getFirst();
    }

    private static List<Base64Stretch> runs(String message) throws IOException {
        return Base64Stretch.of(new ByteArrayInputStream(message.getBytes(StandardCharsets.US_ASCII)));
    }
}
