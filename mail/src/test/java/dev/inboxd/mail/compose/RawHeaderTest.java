package dev.inboxd.mail.compose;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is changed in a message that somebody else composed, and that nothing else is. */
class RawHeaderTest {
    private static final Set<String> BCC = Set.of("bcc");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A: 1//Bcc: x,// y//C:2////Body//Bcc: stays | T: t//A: 1//C:2////Body//Bcc: stays",
                "BCC : x//A:  1//  folded//// | T: t//A:  1//  folded////",
                "bcc: x//// | T: t////",
                "//Body | T: t////Body",
                "A: 1//B: 2 | T: t//A: 1//B: 2////",
                "A: 1// | T: t//A: 1////",
                "A: 1////.// | T: t//A: 1////.//",
                "A: \u00e9//// | T: t//A: \u00e9////",
            })
    void onlyWhatIsNamedGoes(String given, String left) throws IOException {
        String message = lines(given);
        assertThat(edited(header(message).without(BCC), message)).isEqualTo(lines(left));
    }

    @Test
    void whatIsMissingComesBehind() throws IOException {
        String message = "A: 1\r\n\r\nBody";
        RawHeader header = header(message).withMessageId("<a@x.test>").withDate(Instant.parse("2026-11-20T10:15:30Z"));
        assertThat(edited(header, message))
                .isEqualTo("T: t\r\nA: 1\r\nMessage-ID: <a@x.test>\r\n"
                        + "Date: Fri, 20 Nov 2026 10:15:30 +0000\r\n\r\nBody");
    }

    @Test
    void octetsBeyondAsciiInTheHeaderNeedSmtpUtf8AndInTheBodyDoNot() throws IOException {
        for (String name : new String[] {"\u00e9", "e"}) {
            AttachmentContent message = content("From: " + name + "\r\n\r\n\u00e9");
            RawHeader header = Objects.requireNonNull(RawHeader.read(message));
            assertThat(header.before(new byte[0], message).needsSmtpUtf8()).isEqualTo(!name.equals("e"));
        }
    }

    @Test
    void aHeaderWithoutEndIsNotRead() throws IOException {
        assertThat(RawHeader.read(content("A: " + "x".repeat(100 * 1024) + "\r\n\r\n")))
                .isNull();
        assertThat(RawHeader.read(content("A: x\r\n".repeat(100_000)))).isNull();
    }

    private static RawHeader header(String message) throws IOException {
        return Objects.requireNonNull(RawHeader.read(content(message)));
    }

    private static String edited(RawHeader header, String message) {
        return new String(
                header.before("T: t\r\n".getBytes(ISO_8859_1), content(message)).bytes(), ISO_8859_1);
    }

    private static AttachmentContent content(String message) {
        return AttachmentContent.of(message.getBytes(ISO_8859_1));
    }

    private static String lines(String text) {
        return text.replace("//", "\r\n");
    }
}
