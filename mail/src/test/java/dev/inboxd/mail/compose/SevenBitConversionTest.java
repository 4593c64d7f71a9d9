package dev.inboxd.mail.compose;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes 7-bit of a message that somebody else composed, and that nothing else is touched. */
class SevenBitConversionTest {
    private static final Path CORPUS = Path.of("mail/src/test/resources/corpus");
    private static final String MIME = "MIME-Version: 1.0\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // the field is where it was, whatever else its header has
                "A: 1//MIME-Version: 1.0//content-transfer-ENCODING://  8bit (yes)//B: 2//  folded////ö//"
                        + "| A: 1//MIME-Version: 1.0//content-transfer-ENCODING: quoted-printable//B: 2// "
                        + " folded////=C3=B6//",
                // a wrong one does not matter, and one that is missing comes last
                "MIME-Version: 1.0//Content-Transfer-Encoding: 7bit////ö//"
                        + "| MIME-Version: 1.0//Content-Transfer-Encoding: quoted-printable////=C3=B6//",
                "MIME-Version: 1.0//Content-Type: text/plain; charset=utf-8////ö//"
                        + "| MIME-Version: 1.0//Content-Type: text/plain; charset=utf-8//Content-Transfer-Encoding:"
                        + " quoted-printable////=C3=B6//",
                // RFC 2045 §6.7: blanks at the end of a line, the equals sign; RFC 2049 §3: a dot, a From
                "MIME-Version: 1.0////ö =  //.x//From y//\t//and some more words//"
                        + "| MIME-Version: 1.0//Content-Transfer-Encoding: quoted-printable////=C3=B6 =3D"
                        + " =20//=2Ex//=46rom y//=09//and some more words//",
                // no MIME at all, or in part
                "A: 1////ö// | A: 1//MIME-Version: 1.0//Content-Type: text/plain; charset=utf-8//"
                        + "Content-Transfer-Encoding: quoted-printable////=C3=B6//",
                "//ö// | MIME-Version: 1.0//Content-Type: text/plain; charset=utf-8//Content-Transfer-Encoding:"
                        + " quoted-printable////=C3=B6//",
                "Content-Type: text/html//Content-Transfer-Encoding: binary////ö// | Content-Type: text/html//"
                        + "Content-Transfer-Encoding: quoted-printable//MIME-Version: 1.0////=C3=B6//",
                // base64 where that is shorter
                "MIME-Version: 1.0////öäüöäü// | MIME-Version: 1.0//Content-Transfer-Encoding:"
                        + " base64////w7bDpMO8w7bDpMO8DQo=",
            })
    void aMessageOfOnePartIsEncoded(String given, String expected) throws IOException {
        assertThat(converted(given.replace("//", "\n"))).isEqualTo(lines(expected.replace("//", "\n")));
    }

    @Test
    void anUnknownCharsetIsSaidToBeUnknown() throws IOException {
        AttachmentContent converted =
                SevenBitConversion.of(AttachmentContent.of("A: 1\r\n\r\n\u00f6 one more\r\n".getBytes(ISO_8859_1)));
        assertThat(text(converted))
                .isEqualTo("A: 1\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=unknown-8bit\r\n"
                        + "Content-Transfer-Encoding: quoted-printable\r\n\r\n=F6 one more\r\n");
    }

    @Test
    void ofAMultipartOnlyWhatIsBeyondAsciiIsChanged() throws IOException {
        String around =
                MIME + "Content-Type: multipart/alternative;\n boundary=\"b b\"\n%s\nPreamble\n--b b \n\n=C3 plain \n"
                        + "--b b\nContent-Type: text/html; charset=utf-8\n%s\n%s\n--b b\n"
                        + "Content-Transfer-Encoding: 8bit\n\nplain\n--b b--  \nEpilogue\n\n";
        assertThat(converted(around.formatted(
                        "Content-Transfer-Encoding: 8BIT\n",
                        "Content-Transfer-Encoding: 8bit\nX: y\n",
                        "<p>ö and more")))
                .isEqualTo(lines(around.formatted(
                        "Content-Transfer-Encoding: 7bit\n",
                        "Content-Transfer-Encoding: quoted-printable\nX: y\n",
                        "<p>=C3=B6 and more")));
        assertThat(converted(around.formatted("", "", "<p>ö\n\nx\n")))
                .isEqualTo(lines(
                        around.formatted("", "Content-Transfer-Encoding: quoted-printable\n", "<p>=C3=B6\n\nx\n")));
    }

    @Test
    void embeddedMessagesAreConvertedWithin() throws IOException {
        String around = MIME + "Content-Type: multipart/digest; boundary=b\nContent-Transfer-Encoding: %s\n\n--b\n"
                + "Content-Transfer-Encoding: %1$s\n\nContent-Type: message/rfc822\n%s"
                + "\nSubject: within\n%s\n%s\n--b\n\nSubject: other\n\n7\n--b--\n";
        assertThat(converted(around.formatted("8bit", "", "", "ö and more")))
                .isEqualTo(lines(around.formatted(
                        "7bit",
                        MIME,
                        MIME + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n",
                        "=C3=B6 and more")));
    }

    @Test
    void filesAreEncodedAsIsShorter() throws IOException {
        byte[] file = new byte[100_000];
        new Random(6152).nextBytes(file);
        String octets = new String(file, ISO_8859_1).replace('\r', ' ').replace('\n', ' ');
        String mixed = lines(MIME + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/csv\n"
                        + "Content-Disposition: attachment\n\nname,\u00e9 and more\n--b\n"
                        + "Content-Type: image/png\nContent-Transfer-Encoding: binary\n\n%s\n--b--\n")
                .formatted(octets);
        byte[] message = mixed.getBytes(ISO_8859_1);
        AttachmentContent converted = SevenBitConversion.of(AttachmentContent.of(message));
        assertThat(text(converted))
                .contains(
                        "quoted-printable\r\n\r\nname,=E9 and more\r\n--b",
                        "Content-Transfer-Encoding: base64\r\n\r\n");
        assertSame(message, converted);
        assertThat(PartReader.open(converted.open(), 1).readAllBytes()).isEqualTo(octets.getBytes(ISO_8859_1));
    }

    /** RFC 2046 §5.1.1: a line that begins with a delimiter ends a part, and soft breaks make lines. */
    @Test
    void noLineOfAnEncodedTextIsADelimiterOrTooLong() throws IOException {
        String long1 = "é" + "--b".repeat(30_000) + "\n--b=\n--bc\n" + "x".repeat(80) + " \n";
        byte[] message = lines(MIME + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n" + long1
                        + "\n--b\nX: 2\n\ny\n--b--\n")
                .getBytes(UTF_8);
        AttachmentContent converted = SevenBitConversion.of(AttachmentContent.of(message));
        assertSame(message, converted);
        assertThat(text(converted).lines())
                .allMatch(line -> line.length() <= 76)
                .filteredOn(line -> line.startsWith("--"))
                .containsExactly("--b", "--b", "--b--");
        try (InputStream in = converted.open()) { // octet by octet it is the same
            StringBuilder slowly = new StringBuilder();
            for (int octet = in.read(); octet >= 0; octet = in.read()) {
                slowly.append((char) octet);
            }
            assertThat(slowly.toString()).isEqualTo(text(converted));
        }
    }

    /** What could be converted in part alone would still not be 7-bit. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "A: 1\n\nplain\n",
                "Content-Transfer-Encoding: 8bit\n\nplain\n",
                "",
                "Subject: ö\n\nö\n",
                "DKIM-Signature: v=1; b=\n\nö\n",
                "Content-Type: multipart/signed; boundary=b\n\n--b\n\nö\n--b\n"
                        + "Content-Type: application/pgp-signature\n\nx\n--b--\n",
                "Content-Type: multipart/mixed; boundary=a\n\n--a\n\nö\n--a\n"
                        + "Content-Type: multipart/signed; boundary=b\n\n--b\n\nö\n--b--\n--a--\n",
                "Content-Type: multipart/encrypted; boundary=b\n\n--b\n\nö\n--b--\n",
                "Content-Type: multipart/mixed; boundary=b\n\nprö\n--b\n\nö\n--b--\n",
                "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nö\n--b--\nepö\n",
                "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Disposition: attachment; filename=ö\n\nx\n"
                        + "--b--\n",
                "Content-Type: multipart/mixed; boundary=b\n\n--b\nnot a field\n\nö\n--b--\n",
                "Content-Type: multipart/mixed; boundary=b\n\nö and no part\n",
                "Content-Type: multipart/mixed\n\n--b\n\nö\n--b--\n",
                "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=b\n\nö\n"
                        + "--b--\n",
                "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n"
                        + "Content-Type: text/html\n\nö\n--b--\n",
                "Content-Transfer-Encoding: x-other\n\nö\n",
                "Content-Transfer-Encoding: base64\n\nö\n",
                "Content-Transfer-Encoding: quoted-printable\n\nö\n",
                "Content-Type: message/partial; id=x; number=2\n\nö\n",
                "Content-Type: message/delivery-status\n\nö\n",
                "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nö\n",
            })
    void whatIsSevenBitOrCannotBeIsTheVerySame(String message) throws IOException {
        AttachmentContent content = AttachmentContent.of(
                lines(message.isEmpty() ? "" : MIME + message).getBytes(UTF_8));
        assertThat(SevenBitConversion.of(content)).isSameAs(content);
    }

    @Test
    void aHeaderThatADelimiterEndsGetsNoField() throws IOException {
        String cut = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n"
                + "Content-Type: multipart/mixed; boundary=x\n--b\n\n";
        assertThat(converted(MIME + cut + "ö\n--b--\n"))
                .startsWith(lines(MIME + cut.stripTrailing()))
                .contains("w7Y=");
    }

    @Test
    void whatIsBeyondTheLimitsStays() throws IOException {
        for (int parts : new int[] {998, 1_000}) {
            AttachmentContent many = AttachmentContent.of(lines("Content-Type: multipart/mixed; boundary=b\n\n"
                            + "--b\n\nx\n".repeat(parts) + "--b\n\nö and more\n--b--\n")
                    .getBytes(UTF_8));
            assertThat(text(SevenBitConversion.of(many)).contains("=C3=B6 and")).isEqualTo(parts == 998);
        }
        for (int depth : new int[] {100, 101}) {
            StringBuilder deep = new StringBuilder();
            for (int i = 0; i < depth; i++) {
                deep.append("Content-Type: multipart/mixed; boundary=b")
                        .append(i)
                        .append("\n\n--b")
                        .append(i)
                        .append('\n');
            }
            AttachmentContent nested =
                    AttachmentContent.of(lines(deep + "\nö and more\n").getBytes(UTF_8));
            assertThat(text(SevenBitConversion.of(nested)).contains("=C3=B6 and"))
                    .isEqualTo(depth == 100);
        }
        AttachmentContent messages =
                AttachmentContent.of(lines("Content-Type: message/rfc822\n\n".repeat(2_000) + "\nö\n")
                        .getBytes(UTF_8));
        assertThat(SevenBitConversion.of(messages)).isSameAs(messages);
    }

    /** Nothing is read otherwise afterwards of the mail that the reader is tested with. */
    @TestFactory
    Stream<DynamicTest> theCorpusIsReadTheSame() throws IOException {
        List<Path> messages;
        try (Stream<Path> files = Files.walk(CORPUS)) {
            messages = files.filter(file -> file.toString().endsWith(".eml")).toList();
        }
        return messages.stream()
                .map(eml -> DynamicTest.dynamicTest(CORPUS.relativize(eml).toString(), () -> {
                    byte[] message = Files.readAllBytes(eml);
                    AttachmentContent given = AttachmentContent.of(message);
                    AttachmentContent converted = SevenBitConversion.of(given);
                    if (!converted.equals(given)) {
                        assertSame(message, converted);
                    }
                }));
    }

    private static void assertSame(byte[] message, AttachmentContent converted) throws IOException {
        byte[] octets;
        try (InputStream in = converted.open()) {
            octets = in.readAllBytes();
        }
        assertThat(converted.length()).isEqualTo(octets.length);
        assertThat(new String(octets, ISO_8859_1).chars()).allMatch(c -> c < 0x80);
        ParsedMessage before = MessageParser.parse(new ByteArrayInputStream(message));
        ParsedMessage after = MessageParser.parse(new ByteArrayInputStream(octets));
        assertThat(after.body().text()).isEqualTo(before.body().text());
        assertThat(after.body().html()).isEqualTo(before.body().html());
        assertThat(after.body().attachments()).hasSameSizeAs(before.body().attachments());
        for (AttachmentPart part : before.body().attachments()) {
            if (!part.mediaType().equals("message/rfc822")) {
                try (InputStream was = PartReader.open(new ByteArrayInputStream(message), part.index());
                        InputStream is = PartReader.open(new ByteArrayInputStream(octets), part.index())) {
                    assertThat(is.readAllBytes()).isEqualTo(was.readAllBytes());
                }
            }
        }
    }

    private static String converted(String message) throws IOException {
        return text(SevenBitConversion.of(AttachmentContent.of(lines(message).getBytes(UTF_8))));
    }

    private static String text(AttachmentContent content) throws IOException {
        try (InputStream in = content.open()) {
            return new String(in.readAllBytes(), ISO_8859_1);
        }
    }

    private static String lines(String text) {
        return text.replace("\n", "\r\n");
    }
}
