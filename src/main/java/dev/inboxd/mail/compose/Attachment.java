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
public record Attachment(@Nullable String filename, String mediaType, boolean inline, @Nullable String contentId,
        Content content) {

    /** Whether a text can be the {@code mediaType} of an attachment. */
    public static boolean isMediaType(String text) {
        try {
            return !MediaType.parse("content_type", text).type().isEmpty();
        } catch (MalformedFieldException malformed) {
            return false;
        }
    }

    /** Whether a text can be the {@code contentId} of an attachment. */
    public static boolean isContentId(String text) {
        boolean bracketed = text.startsWith("<") && text.endsWith(">") && text.length() > 2;
        return MessageId.isIdText(bracketed ? text.substring(1, text.length() - 1) : text);
    }
}
