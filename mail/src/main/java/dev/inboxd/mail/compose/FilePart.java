package dev.inboxd.mail.compose;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.FileNames;
import dev.inboxd.mail.message.MediaTypeCheck;
import dev.inboxd.mail.message.TextStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An attachment as a part of the MIME tree. */
final class FilePart {
    static final int MAX_NAME = 1_000;
    private static final String CALENDAR = "application/ics";

    private final String path;
    private final OutgoingAttachment attachment;
    private final String delimiter;
    private final MediaType type;
    private final boolean asIs;

    /** @param path path of the attachment in error messages */
    FilePart(String path, OutgoingAttachment attachment, String delimiter) {
        this.path = path;
        this.attachment = attachment;
        this.delimiter = delimiter;
        var declared = MediaType.parse(path + ".content_type", attachment.mediaType());
        // RFC 2046 §5.2.1: an embedded message is written unchanged, or else as an ordinary file.
        this.asIs = declared.isComposite() && !declared.isMultipart() && travelsAsIs();
        this.type = declared.isComposite() && !asIs ? MediaType.OCTET_STREAM : declared;
    }

    /**
     * The attachment as a reader of the message finds it.
     *
     * @param index its number among the leaves of the message
     */
    AttachmentPart part(int index, MediaTypeCheck check) {
        var filename = FileNames.clean(attachment.filename());
        try (var in = attachment.content().open()) {
            var start = in.readNBytes(MediaTypeCheck.START);
            var shown = check.mediaType(type.toString(), filename, start);
            var size = attachment.content().length();
            return new AttachmentPart(
                    index,
                    shown,
                    filename,
                    attachment.inline(),
                    contentId(),
                    size,
                    TextStart.isText(start, shown, filename));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    MimePart leaf() {
        var fields = new ArrayList<ParameterField>();
        fields.add(contentType());
        fields.add(disposition());
        var contentId = contentId();
        if (contentId != null) {
            fields.add(new ParameterField("Content-ID", "<" + contentId + ">"));
        }
        var encoding = asIs ? TransferEncoding.SEVEN_BIT : TransferEncoding.BASE64;
        return new MimePart.Leaf(List.copyOf(fields), encoding, attachment.content());
    }

    private ParameterField contentType() {
        var field = new ParameterField("Content-Type", type.toString());
        for (var parameter : type.parameters()) {
            if (!parameter.name().equals("name")) {
                field.with(parameter.name(), parameter.value());
            }
        }
        var filename = attachment.filename();
        if (filename != null && (!SafeText.isPlain(filename) || type.toString().equals(CALENDAR))) {
            // Readers without RFC 2231 take the old "name" when they cannot read "filename"; programs for calendars
            // look for it (RFC 6047 §2.4).
            field.with("name", asciiName(filename));
        }
        return field;
    }

    private ParameterField disposition() {
        var field = new ParameterField("Content-Disposition", attachment.inline() ? "inline" : "attachment");
        var filename = attachment.filename();
        if (filename != null && !filename.isEmpty()) {
            SafeText.header(path + ".filename", filename);
            if (filename.length() > MAX_NAME) {
                throw new MalformedFieldException(path + ".filename", "is longer than " + MAX_NAME + " characters");
            }
            field.with("filename", filename);
        }
        return field;
    }

    /** At most 60 safe characters; the end is kept, because the extension tells the type of the file. */
    private static String asciiName(String filename) {
        var ascii = new StringBuilder();
        filename.codePoints()
                .map(c -> SafeText.isAlphanumeric(c) || c == '.' || c == '-' ? c : '_')
                .forEach(ascii::appendCodePoint);
        return ascii.length() <= 60 ? ascii.toString() : ascii.substring(ascii.length() - 60);
    }

    /**
     * Without brackets. RFC 2392 §2: an id is an addr-spec in angle brackets; a bare word, which many HTML bodies use,
     * is accepted.
     */
    private @Nullable String contentId() {
        if (attachment.contentId() == null) {
            return null;
        }
        var id = SafeText.header(path + ".content_id", attachment.contentId());
        if (id.startsWith("<") && id.endsWith(">") && id.length() > 2) {
            id = id.substring(1, id.length() - 1);
        }
        if (!IdentificationFields.isIdText(id)) {
            throw new MalformedFieldException(
                    path + ".content_id", "must be visible ASCII without spaces and angle brackets");
        }
        return id;
    }

    private boolean travelsAsIs() {
        try (var in = attachment.content().open()) {
            return SevenBitCheck.holds(in, delimiter);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
