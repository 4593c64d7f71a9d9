package dev.inboxd.mail.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

@Proves("A1")
class DotReaderTest {
    /** What a reader makes of some octets. */
    private record Outcome(String data, DotReader.State state, int consumed) {}

    private static final List<String> SAMPLES = List.of(
            ".\r\nRSET\r\n",
            "a\r\n.\r\n",
            "..\r\n.\r\n",
            "a\r\n..\r\n...b\r\n.c\r\n\r\n.\r\nQUIT\r\n",
            "no end\r\n",
            "half a line",
            "",
            "a\n.\nb\r\n.\r\n",
            "a\r\n.\nb",
            "a\n.\r\nb",
            "a\r.\rb",
            "a\r\n.\rb",
            "a\r.\r\nb",
            "\r\n\0.\r\n.\0\r\n.\r\n",
            "\r\r\n.\r\n");

    @Test
    void aMessageIsReadTheSameWhereverItIsSplit() {
        for (String sample : SAMPLES) {
            Outcome whole = read(sample, sample.length(), sample.length());
            for (int first = 0; first <= sample.length(); first++) {
                for (int second = first; second <= sample.length(); second++) {
                    assertThat(read(sample, first, second))
                            .as("%s at %d, %d", sample, first, second)
                            .isEqualTo(whole);
                }
            }
        }
    }

    @Test
    @Proves("A1a")
    void everyShortSequenceOfDangerousOctetsIsReadAsTheStandardSays() {
        for (int n = 0; n < 1 << 16; n++) {
            StringBuilder octets = new StringBuilder();
            for (int i = 0; i < 8; i++) {
                octets.append("\r\n.x".charAt((n >> (2 * i)) & 3));
            }
            String sample = octets.toString();
            Outcome outcome = read(sample, sample.length(), sample.length());
            if (!outcome.equals(expected(sample))) {
                String shown = sample.replace("\r", "CR ").replace("\n", "LF ");
                assertThat(outcome).as("%s", shown).isEqualTo(expected(sample));
            }
        }
    }

    @Test
    void afterTheEndNothingMoreIsConsumed() {
        DotReader reader = new DotReader();
        byte[] octets = "a\r\n.\r\n.\r\nb".getBytes(ISO_8859_1);
        int end = reader.read(octets, 0, octets.length, (buffer, from, to) -> {});
        assertThat(end).isEqualTo(6);
        assertThat(reader.read(octets, end, octets.length, (buffer, from, to) -> {}))
                .isEqualTo(end);
        assertThat(reader.state()).isEqualTo(DotReader.State.END);
    }

    private static Outcome read(String sample, int first, int second) {
        byte[] octets = sample.getBytes(ISO_8859_1);
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        DotReader.Content content = (buffer, from, to) -> data.write(buffer, from, to - from);
        DotReader reader = new DotReader();
        int consumed = 0;
        for (int to : new int[] {first, second, octets.length}) {
            consumed = consumed <= to ? reader.read(octets, consumed, to, content) : consumed;
        }
        boolean spoiled = reader.state() == DotReader.State.BARE_CR || reader.state() == DotReader.State.BARE_LF;
        return spoiled
                ? new Outcome("", reader.state(), 0)
                : new Outcome(data.toString(ISO_8859_1), reader.state(), consumed);
    }

    /** The slow and obvious way: whole lines, one after another. */
    private static Outcome expected(String sample) {
        StringBuilder data = new StringBuilder();
        int from = 0;
        while (true) {
            int end = from;
            while (end < sample.length() && sample.charAt(end) != '\r' && sample.charAt(end) != '\n') {
                end++;
            }
            String line = sample.substring(from, end);
            if (end < sample.length() && sample.charAt(end) == '\n') {
                return new Outcome("", DotReader.State.BARE_LF, 0);
            }
            if (end + 1 < sample.length() && sample.charAt(end + 1) != '\n') {
                return new Outcome("", DotReader.State.BARE_CR, 0);
            }
            boolean dot = line.startsWith(".");
            if (end + 1 >= sample.length()) {
                boolean mayBeTheEnd = line.equals(".");
                String rest = mayBeTheEnd ? "" : sample.substring(from + (dot ? 1 : 0));
                return new Outcome(data + rest, DotReader.State.OPEN, sample.length());
            }
            if (line.equals(".")) {
                return new Outcome(data.toString(), DotReader.State.END, end + 2);
            }
            data.append(line, dot ? 1 : 0, line.length()).append("\r\n");
            from = end + 2;
        }
    }
}
