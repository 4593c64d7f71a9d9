package dev.inboxd.mail.compose;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.MediaTypeCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Builds the MIME tree: mixed (alternative (text, related (html, inline files), calendar), files). */
final class BodyTree {
    private final Composition.Body body;
    private final String delimiter;
    private final List<FilePart> inline = new ArrayList<>();
    private final List<FilePart> others = new ArrayList<>();

    /** @param delimiter text with which no line of a part may begin */
    BodyTree(Composition.Body body, String delimiter) {
        this.body = body;
        this.delimiter = delimiter;
        for (int i = 0; i < body.attachments().size(); i++) {
            var attachment = body.attachments().get(i);
            // RFC 2387 §3.4: only a part that an HTML body can refer to is related to it.
            boolean shownInHtml = attachment.inline() && attachment.contentId() != null && body.html() != null;
            (shownInHtml ? inline : others).add(new FilePart("attachments[" + i + "]", attachment, delimiter));
        }
    }

    /** The files as a reader of the message finds them: behind its texts. The calendar among the texts is none. */
    List<AttachmentPart> attachments(MediaTypeCheck check) {
        int index = (body.text() == null ? 0 : 1) + (body.html() == null ? 0 : 1);
        var parts = new ArrayList<AttachmentPart>();
        for (var file : inline) {
            parts.add(file.part(index++, check));
        }
        index += body.calendar() == null ? 0 : 1;
        for (var file : others) {
            parts.add(file.part(index++, check));
        }
        return parts;
    }

    MimePart root() {
        var texts = new ArrayList<MimePart>();
        var files = leaves(others);
        var related = leaves(inline);
        if (body.text() != null) {
            texts.add(text("plain", "text", body.text()));
        }
        if (body.html() != null) {
            related.addFirst(text("html", "html", body.html()));
            texts.add(join("related", related));
        }
        if (body.calendar() != null) {
            texts.add(TextPart.of(body.calendar(), delimiter));
        }
        if (texts.isEmpty() && files.isEmpty()) {
            return TextPart.of("plain", "", delimiter);
        }
        if (!texts.isEmpty()) {
            files.addFirst(join("alternative", texts));
        }
        // A single file still needs the wrapper: as the whole message it would be read as its text.
        return texts.isEmpty() ? new MimePart.Multipart("mixed", List.copyOf(files)) : join("mixed", files);
    }

    private MimePart text(String subtype, String field, String text) {
        SafeText.encodable(field, text);
        boolean alone = (body.text() == null || body.html() == null)
                && body.attachments().isEmpty();
        // A text that is the whole message must end with a line end, as the message does (RFC 5321 §4.1.1.4).
        boolean closed = text.isEmpty() || text.endsWith("\n") || text.endsWith("\r");
        return TextPart.of(subtype, alone && !closed ? text + "\r\n" : text, delimiter);
    }

    private static List<MimePart> leaves(List<FilePart> files) {
        return files.stream().map(FilePart::leaf).collect(Collectors.toCollection(ArrayList::new));
    }

    private static MimePart join(String subtype, List<MimePart> parts) {
        return parts.size() == 1 ? parts.getFirst() : new MimePart.Multipart(subtype, List.copyOf(parts));
    }
}
