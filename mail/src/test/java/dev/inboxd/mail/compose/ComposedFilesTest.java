package dev.inboxd.mail.compose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.Body;
import dev.inboxd.mail.message.MediaTypeCheck;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the composer says of the files of a message is what a parser of its bytes finds. */
class ComposedFilesTest {
    private static final MediaTypeCheck CHECK =
            (declared, name, start) -> declared + (start.length == 0 ? "" : "; starts=" + start[0] + "; name=" + name);

    private static final String MAIL = "Subject: inner\r\n\r\nEmbedded\r\n";

    private static final List<OutgoingAttachment> FILES = List.of(
            Compositions.file("report.pdf", "Application/PDF; version=1.7", "%PDF-1.7 and more"),
            Compositions.picture("<logo@example.org>"),
            Compositions.picture("other"),
            Compositions.file("Grüße \"an\" alle – übersicht.txt", "text/plain; charset=utf-8", "Grüße"),
            Compositions.file("page.html", "text/html", "<p>a page</p>"),
            Compositions.file("../path/to\\con.txt", "text/plain", "a reserved name"),
            Compositions.file(null, "application/octet-stream", "no name"),
            Compositions.file("", "image/gif", ""),
            Compositions.file("x".repeat(400) + ".longname", "image/png", "a long name"),
            Compositions.file("mail.eml", "message/rfc822", MAIL),
            Compositions.file("bad.eml", "message/rfc822", "Subject: ö\r\n\r\nnot 7bit"),
            Compositions.file("parts", "multipart/mixed; boundary=b", "--b\r\n\r\nx\r\n--b--\r\n"),
            Compositions.file("large.bin", "application/zip", "0123456789".repeat(5_000)),
            new OutgoingAttachment("inline.pdf", "application/pdf", true, null, AttachmentContent.of(new byte[3])));

    @Test
    void theFilesAreThoseThatAParserFinds() {
        for (String text : Arrays.asList("Hello", null)) {
            for (String html : Arrays.asList("<p>Hello <img src='cid:logo@example.org'></p>", null)) {
                FILES.forEach(file -> assertSame(Compositions.body(text, html, file)));
                assertSame(Compositions.body(text, html, FILES.toArray(OutgoingAttachment[]::new)));
                assertSame(Compositions.body(text, html, FILES.reversed().toArray(OutgoingAttachment[]::new)));
                assertSame(Compositions.body(text, html));
            }
        }
    }

    @Test
    void theNumberOfAFileOpensIt() throws IOException {
        ComposedMessage message = composed(FILES);
        List<String> contents = new ArrayList<>();
        for (AttachmentPart part : message.attachments(CHECK)) {
            try (var in = PartReader.open(message.open(), part.index())) {
                contents.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        assertThat(contents).contains("%PDF-1.7 and more", "Grüße", "<p>a page</p>", "", MAIL, "no name");
    }

    // A parser takes it for the text of the message (RFC 8621 §4.1.4); its sender sees the file that it attached.
    @Test
    void anInlineTextIsAFileToItsSender() {
        var note = new OutgoingAttachment("note.txt", "text/plain", true, null, AttachmentContent.of(new byte[] {'a'}));
        ComposedMessage message = composed(List.of(note));
        assertThat(parsed(message).body().attachments()).isEmpty();
        assertThat(message.attachments(MediaTypeCheck.NONE))
                .containsExactly(new AttachmentPart(0, "text/plain", "note.txt", true, null, 1, true));
    }

    @Test
    void theHeaderIsTheSameWhenTheBodyIsKnown() {
        ComposedMessage message = composed(FILES);
        Body body = new Body("known", null, null, List.of());
        ParsedMessage known = MessageParser.parse(message.open(), body);
        ParsedMessage whole = parsed(message);
        assertThat(known.headers()).isEqualTo(whole.headers()).isNotEmpty();
        assertThat(known.addresses()).isEqualTo(whole.addresses());
        assertThat(known.identification()).isEqualTo(whole.identification());
        assertThat(known.subject()).isEqualTo(whole.subject());
        assertThat(known.body()).isSameAs(body);
    }

    private static ComposedMessage composed(List<OutgoingAttachment> files) {
        return Composer.compose(Compositions.body(null, null, files.toArray(OutgoingAttachment[]::new)));
    }

    private static ParsedMessage parsed(ComposedMessage message) {
        return MessageParser.parse(new ByteArrayInputStream(message.bytes()), CHECK);
    }

    private static void assertSame(Composition composition) {
        ComposedMessage message = Composer.compose(composition);
        assertThat(message.attachments(CHECK)).isEqualTo(parsed(message).body().attachments());
    }
}
