package dev.inboxd.mail.message;

import org.jspecify.annotations.Nullable;

/** Decides what an attachment is when its sender does not say, or lies. Called while parsing, so it is quick. */
@FunctionalInterface
public interface MediaTypeCheck {
    /** Takes every sender's word. */
    MediaTypeCheck NONE = (declared, _, _) -> declared;

    /** So many first octets are looked at. */
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
