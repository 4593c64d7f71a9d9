package dev.inboxd.mailbox.document;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.Body;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.mailbox.attachment.TextFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.util.List;

/** A mail that is attached to a mail, as text: who wrote it to whom, when and of what; its text; its files by name. */
final class MailFile {
    private static final List<String> FIELDS = List.of("From", "To", "Date", "Subject");
    /** Mails within mails, the file itself among them. */
    private static final int DEEPEST = 3;

    private static final int MOST_MAILS = 20;

    private final Writer text;
    private int mails;

    private MailFile(Writer text) {
        this.text = text;
    }

    /** Writes the text of a mail, and of the mails in it. */
    static void write(byte[] mail, Writer text) throws IOException {
        new MailFile(text).write(mail, 1);
    }

    private void write(byte[] mail, int depth) throws IOException {
        mails++;
        ParsedMessage message = MessageParser.parse(new ByteArrayInputStream(mail));
        for (String name : FIELDS) {
            for (HeaderField field : message.headers()) {
                if (field.name().equalsIgnoreCase(name)) {
                    text.append(name)
                            .append(": ")
                            .append(oneLine(field.value()))
                            .append('\n');
                    break;
                }
            }
        }
        text.append('\n').append(words(message.body())).append('\n');
        for (AttachmentPart part : message.body().attachments()) {
            String name = part.filename() == null ? part.mediaType() : part.filename();
            text.append("\nFile: ").append(oneLine(name)).append('\n');
            boolean isMail = TextFormat.of(part.mediaType(), part.filename(), part.size()) == TextFormat.MAIL;
            if (isMail && depth < DEEPEST && mails < MOST_MAILS) {
                try (InputStream inner = PartReader.open(new ByteArrayInputStream(mail), part.index())) {
                    write(inner.readAllBytes(), depth + 1);
                }
            }
        }
    }

    private static String words(Body body) {
        if (body.flowed() != null) {
            return body.flowed().strip();
        }
        if (body.text() != null) {
            return body.text().strip();
        }
        return body.html() == null ? "" : HtmlText.render(body.html());
    }

    private static String oneLine(String value) {
        return value.replace('\r', ' ').replace('\n', ' ').strip();
    }
}
