package dev.inboxd.mail.compose;

import static dev.inboxd.mail.compose.Compositions.AGENT;
import static dev.inboxd.mail.compose.Compositions.ANN;
import static dev.inboxd.mail.compose.Compositions.ID;
import static dev.inboxd.mail.compose.Compositions.addressed;
import static dev.inboxd.mail.compose.Compositions.body;
import static dev.inboxd.mail.compose.Compositions.compose;
import static dev.inboxd.mail.compose.Compositions.file;
import static dev.inboxd.mail.compose.Compositions.header;
import static dev.inboxd.mail.compose.Compositions.headers;
import static dev.inboxd.mail.compose.Compositions.ids;
import static dev.inboxd.mail.compose.Compositions.picture;
import static dev.inboxd.mail.compose.Compositions.subject;
import static dev.inboxd.mail.compose.Compositions.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mail.message.MessageParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ComposerTest {
    @Test
    void aPlainMessageIsReadableAsItIs() {
        assertThat(compose(text("Hi Ann,\n\nit works.\n"))).isEqualTo("""
                Date: Thu, 5 Nov 2026 09:08:07 +0000
                From: Agent Smith <agent@inboxd.example>
                To: ann@example.org
                Subject: Hello
                Message-ID: <0190a1b2-c3d4@inboxd.example>
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 7bit

                Hi Ann,

                it works.
                """.replace("\n", "\r\n"));
    }

    @Test
    void theSameCompositionGivesTheSameBytes() {
        var mail = body("text ä", "<p>ä</p>", picture("logo"), file("a.txt", "text/plain", "x"));
        assertThat(compose(mail)).isEqualTo(compose(mail));
    }

    @Test
    void blindCopiesLeaveNoTrace() {
        var nobody = new Composition.Addresses(AGENT, List.of(), List.of(), List.of());
        assertThat(header(addressed(nobody)))
                .contains("\r\nTo: undisclosed-recipients:;\r\n")
                .doesNotContainIgnoringCase("bcc");
    }

    @Test
    void theAnnouncedLengthIsTheWrittenLength() {
        for (int size = 0; size < 200; size++) {
            var message = Composer.compose(body("x", null, file("f", "text/csv", "y".repeat(size))));
            assertThat(message.bytes()).hasSize((int) message.length());
        }
    }

    @Test
    void everyLineEndsWithCrlfAndIsShort() {
        var random = new Random(7);
        for (int round = 0; round < 300; round++) {
            var mail = new Composition(
                    new Composition.Addresses(
                            new Mailbox(any(random), "a@b.example"),
                            List.of(ANN, new Mailbox(any(random), "\"x y\"@b.example")),
                            List.of(),
                            List.of()),
                    new Composition.Identification(
                            ID, List.of("<" + "a".repeat(random.nextInt(900)) + "@x>"), List.of()),
                    any(random),
                    Compositions.DATE,
                    List.of(new CustomHeaderField("X-" + "n".repeat(random.nextInt(73)), any(random))),
                    new Composition.Body(
                            any(random), any(random), List.of(file(any(random), "text/csv", any(random)))));
            var message = compose(mail);
            assertThat(message.replace("\r\n", "")).doesNotContain("\r", "\n");
            assertThat(message.split("\r\n", -1))
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(998));
            assertThat(header(mail).split("\r\n", -1)).hasSizeBetween(8, 9);
        }
    }

    /** Header-safe text of every kind: words, blanks, quotes, controls, other scripts, long runs. */
    private static String any(Random random) {
        var pieces = List.of(
                " ",
                "  ",
                "\t",
                "a",
                "word ",
                "\"",
                "\\",
                "=?",
                "?=",
                "ä",
                "日本",
                "😀",
                "\u0007",
                ",<>;:()",
                "=",
                "x".repeat(1_000),
                " ".repeat(200),
                "é".repeat(300),
                ".",
                "From ",
                "%",
                "'",
                "*");
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(pieces.get(random.nextInt(pieces.size())));
        }
        return text.length() > 990 ? text.substring(0, text.offsetByCodePoints(0, 400)) : text.toString();
    }

    @Test
    void linesWithEncodedWordsHaveAtMost76Characters() {
        var mail = subject("Grüße aus 東京 und 😀 ".repeat(20));
        var lines = compose(mail).split("\r\n", -1);
        assertThat(lines)
                .filteredOn(line -> line.contains("=?"))
                .hasSizeGreaterThan(5)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(76))
                .allSatisfy(
                        line -> assertThat(line.strip().replace("Subject: ", "").length())
                                .isLessThanOrEqualTo(75));
    }

    @Test
    void aSubjectThatLooksEncodedIsEncoded() {
        assertThat(header(subject("=?utf-8?Q?Bcc?="))).contains("Subject: =?utf-8?B?PT91dGYtOD9RP0JjYz89?=");
    }

    @Test
    void aLongAsciiSubjectIsFoldedAtItsOwnSpaces() {
        var words = "one  two\tthree ".repeat(20).strip();
        assertThat(compose(subject(words))).contains("\r\n ");
        assertThat(compose(subject(words)).replace("\r\n ", " ").replace("\r\n\t", "\t"))
                .contains("Subject: " + words + "\r\n");
    }

    @Test
    void namesAreQuotedOnlyWhenTheyMustBe() {
        var to = List.of(
                new Mailbox("Smith, \"Jo\"", "jo@x.example"),
                new Mailbox("Jörg", "j@x.example"),
                new Mailbox("", "k@x.example"),
                new Mailbox("Plain Name", "l@x.example"));
        assertThat(header(addressed(new Composition.Addresses(AGENT, to, List.of(), List.of(ANN)))))
                .contains(
                        "Reply-To: ann@example.org",
                        "To: \"Smith, \\\"Jo\\\"\" <jo@x.example>, =?utf-8?B?SsO2cmc=?= <j@x.example>, k@x.example,"
                                + " Plain Name <l@x.example>");
    }

    @Test
    void domainsTravelAsALabels() {
        var to = List.of(new Mailbox(null, "ann@exämple.test"), new Mailbox(null, "bob@[192.0.2.1]"));
        var message = Composer.compose(addressed(new Composition.Addresses(AGENT, to, List.of(), List.of())));
        assertThat(new String(message.bytes(), StandardCharsets.UTF_8))
                .contains("To: ann@xn--exmple-cua.test, bob@[192.0.2.1]");
        assertThat(message.needsSmtpUtf8()).isFalse();
    }

    @Test
    void aNonAsciiLocalPartNeedsSmtpUtf8() {
        var to = List.of(new Mailbox(null, "jörg@example.org"));
        var message = Composer.compose(addressed(new Composition.Addresses(AGENT, to, List.of(), List.of())));
        assertThat(message.needsSmtpUtf8()).isTrue();
    }

    @Test
    void aLongConversationKeepsItsFirstAndItsLast49Ids() {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 120; i++) {
            ids.add("<" + i + "@x>");
        }
        var header = header(ids(new Composition.Identification(ID, List.of("<119@x>"), ids)));
        assertThat(header)
                .contains("In-Reply-To: <119@x>\r\n", "References: <0@x> <71@x> <72@x>")
                .doesNotContain("<70@x>");
    }

    @Test
    void idsThatNoFieldCanCarryAreLeftOut() {
        var ids = List.of("<a@x>", "no brackets", "<>", "<a\tb@x>", "<a<b@x>", "<" + "l".repeat(2_000) + "@x>");
        assertThat(header(ids(new Composition.Identification(ID, ids, ids))))
                .contains("In-Reply-To: <a@x>\r\nReferences: <a@x>\r\n");
    }

    @Test
    void idsAreWrittenAsTheirSendersWroteThem() {
        var ids = List.of("<a@x>", "<with space@x>", "<ä@x>", "<1234>");
        var header = header(ids(new Composition.Identification(ID, ids, ids)));
        assertThat(header).contains("In-Reply-To: <a@x> <with space@x> =?utf-8?B?PMOkQHg+?= <1234>\r\n");
        var read = MessageParser.parse(new ByteArrayInputStream(header.getBytes(StandardCharsets.UTF_8)));
        assertThat(read.identification().inReplyTo()).isEqualTo(ids);
        assertThat(read.identification().references()).isEqualTo(ids);
    }

    @Test
    void aCallersFieldsFollowInTheirOrder() {
        assertThat(header(headers(new CustomHeaderField("X-B", "1"), new CustomHeaderField("X-A", "zwölf"))))
                .contains("\r\nX-B: 1\r\nX-A: =?utf-8?B?enfDtmxm?=\r\n");
    }

    @Test
    void aLinkStaysWholeOnItsLine() {
        var link = "<https://example.org/" + "u".repeat(500) + ">";
        assertThat(compose(headers(new CustomHeaderField("List-Unsubscribe", link))))
                .contains("List-Unsubscribe: " + link + "\r\n");
    }

    @Test
    void attachmentsStreamFromTheirSource() throws IOException {
        var size = 5_000_000;
        var zeros = new AttachmentContent() {
            @Override
            public long length() {
                return size;
            }

            @Override
            public InputStream open() {
                return InputStream.nullInputStream();
            }
        };
        var message =
                Composer.compose(body("x", null, new OutgoingAttachment("z", "application/zip", false, null, zeros)));
        assertThat(message.length()).isGreaterThan(size);
        assertThatThrownBy(() -> message.writeTo(new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("announced");
    }

    @Test
    void aTextThatHoldsTheBoundaryIsEncoded() {
        var first = compose(body("x", "<p>y</p>"));
        int at = first.indexOf("boundary=\"") + 10;
        var boundary = first.substring(at, first.indexOf('"', at));
        var hostile = compose(body("--" + boundary + "--\n", "<p>y</p>"));
        assertThat(hostile.split("\r\n--" + boundary, -1)).hasSize(4);
        assertThat(hostile).contains("Content-Transfer-Encoding: quoted-printable");
    }
}
