package dev.inboxd.mail.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Data that comes in chunks is lines that end in CR LF, wherever the chunks end. */
class LineCheckTest {
    private static final String DANGEROUS = "\r\n.a";
    private static final int LONGEST = 6;

    @Test
    @Proves("A1")
    void everyShortSequenceIsJudgedLikeData() {
        check("");
    }

    private static void check(String text) {
        for (int cut = 0; cut <= text.length(); cut++) {
            byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
            LineCheck lines = new LineCheck();
            lines.scan(octets, 0, cut);
            lines.scan(octets, cut, octets.length);
            assertThat(lines.end())
                    .as("%s cut at %d", text.replace('\r', 'R').replace('\n', 'N'), cut)
                    .isEqualTo(expected(text));
        }
        if (text.length() < LONGEST) {
            for (int i = 0; i < DANGEROUS.length(); i++) {
                check(text + DANGEROUS.charAt(i));
            }
        }
    }

    private static DotReader.State expected(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.startsWith("\r\n", i)) {
                i++;
            } else if (text.charAt(i) == '\r') {
                return DotReader.State.BARE_CR;
            } else if (text.charAt(i) == '\n') {
                return DotReader.State.BARE_LF;
            }
        }
        return DotReader.State.END;
    }
}
