package dev.inboxd.attachment;

import dev.inboxd.mail.compose.Attachment;
import java.net.URLConnection;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which media type a file is sent and shown with (contract: mail.md §9.1). */
final class MediaTypes {
    private static final String UNKNOWN = "application/octet-stream";
    /** What servers say when they do not know either. */
    private static final Set<String> SAYS_NOTHING =
            Set.of(UNKNOWN, "binary/octet-stream", "application/binary", "application/unknown");

    private MediaTypes() {}

    /**
     * The type of a file that is to be sent.
     *
     * @param wanted by the caller, who decides when not null
     * @param answered what the server said that it came from, unchecked; null when it came from none
     */
    static String of(@Nullable String wanted, @Nullable String answered, String filename) {
        if (wanted != null) {
            return wanted;
        }
        String usable = answered == null ? null : usable(answered);
        return usable != null ? usable : byName(filename);
    }

    /** The server's word with its parameters if they can stand in a message, without them, or not at all. */
    private static @Nullable String usable(String answered) {
        int semicolon = answered.indexOf(';');
        String type = (semicolon < 0 ? answered : answered.substring(0, semicolon)).strip();
        if (!Attachment.isMediaType(type) || SAYS_NOTHING.contains(type.toLowerCase(Locale.ROOT))) {
            return null;
        }
        return Attachment.isMediaType(answered) ? answered : type;
    }

    private static String byName(String filename) {
        String guessed = URLConnection.guessContentTypeFromName(filename);
        return guessed == null ? UNKNOWN : guessed;
    }
}
