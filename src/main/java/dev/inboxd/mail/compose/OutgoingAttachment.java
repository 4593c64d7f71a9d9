package dev.inboxd.mail.compose;

import org.jspecify.annotations.Nullable;

/**
 * A file that travels with the message. Its bytes arrive unchanged.
 *
 * @param filename the name to suggest (RFC 2183 §2.3), any Unicode text without CR, LF and NUL, or null
 * @param mediaType type and subtype with optional parameters (RFC 2045 §5.1)
 * @param inline whether it is shown in place; with a content id and an HTML body it becomes part of multipart/related
 * @param contentId the id {@code cid:} links name (RFC 2392), with or without angle brackets, or null
 * @param content the bytes
 */
public record OutgoingAttachment(
        @Nullable String filename,
        String mediaType,
        boolean inline,
        @Nullable String contentId,
        AttachmentContent content) {

    /** A file out of somebody else's message: what could not stand in a field is left out, for any may be passed on. */
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

    /** Whether a text can be the {@code mediaType} of an attachment. */
    public static boolean isMediaType(String text) {
        return stands(() -> MediaType.parse("type", text));
    }

    /** Whether a text can be the {@code contentId} of an attachment. */
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
