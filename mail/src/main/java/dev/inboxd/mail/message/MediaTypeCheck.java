package dev.inboxd.mail.message;

import org.jspecify.annotations.Nullable;

/**
 * Detects the media type of an attachment whose sender gives none, or a wrong one. Called while parsing, so it must be
 * quick.
 */
@FunctionalInterface
public interface MediaTypeCheck {
    /** Accepts the declared type. */
    MediaTypeCheck NONE = (declared, _, _) -> declared;

    /** Octets at the start of the content that are examined. */
    int START = 1024;

    /**
     * The media type to show.
     *
     * @param declared in lower case without parameters
     * @param filename cleaned, or null
     * @param start the first octets of the content, at most {@link #START}
     */
    String mediaType(String declared, @Nullable String filename, byte[] start);
}
