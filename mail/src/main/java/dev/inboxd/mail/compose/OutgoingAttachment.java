package dev.inboxd.mail.compose;

import org.jspecify.annotations.Nullable;

/**
 * A file to attach to a message. The receiver gets its bytes unchanged.
 *
 * @param filename the suggested name (RFC 2183 §2.3), any Unicode text without CR, LF and NUL, or null
 * @param mediaType type and subtype with optional parameters (RFC 2045 §5.1)
 * @param inline whether it is shown within the body; with a content id and an HTML body it becomes part of
 *     multipart/related
 * @param contentId the id in {@code cid:} links (RFC 2392), with or without angle brackets, or null
 * @param content the bytes
 */
public record OutgoingAttachment(
        @Nullable String filename,
        String mediaType,
        boolean inline,
        @Nullable String contentId,
        AttachmentContent content) {

    /**
     * A file out of a received message. Values that are not possible in a field are left out, because every file may
     * be forwarded.
     */
    public static OutgoingAttachment ofOthers(OutgoingAttachment file) {
        String name = file.filename;
        String id = file.contentId;
        boolean fits =
                name != null && name.length() <= FilePart.MAX_NAME && stands(() -> SafeText.header("name", name));
        return new OutgoingAttachment(
                fits ? name : null,
                stands(() -> MediaType.parse("type", file.mediaType))
                        ? file.mediaType
                        : MediaType.OCTET_STREAM.toString(),
                file.inline,
                id != null && IdentificationFields.isIdText(id) ? id : null,
                file.content);
    }

    /** Whether the text is a valid {@code mediaType}. */
    public static boolean isMediaType(String text) {
        return stands(() -> MediaType.parse("type", text));
    }

    /** Whether the text is a valid {@code contentId}. */
    public static boolean isContentId(String text) {
        boolean bracketed = text.startsWith("<") && text.endsWith(">") && text.length() > 2;
        return IdentificationFields.isIdText(bracketed ? text.substring(1, text.length() - 1) : text);
    }

    private static boolean stands(Runnable check) {
        try {
            check.run();
            return true;
        } catch (MalformedFieldException unfit) {
            return false;
        }
    }
}
