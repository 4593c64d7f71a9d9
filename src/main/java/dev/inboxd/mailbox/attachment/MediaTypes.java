package dev.inboxd.mailbox.attachment;

import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mail.message.MediaTypeCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLConnection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.mime.MimeTypes;
import org.jspecify.annotations.Nullable;

/**
 * Which media type a file is sent and shown with (mail.md §9.1). What is declared wins, unless it says
 * nothing, or calls a program something else: then the first bytes decide, with the name's help.
 */
public final class MediaTypes {
    private static final String UNKNOWN = "application/octet-stream";
    /** What senders and servers say when they do not know either. */
    private static final Set<String> SAYS_NOTHING = Set.of(
            UNKNOWN, "binary/octet-stream", "application/binary", "application/unknown", "application/x-unknown");
    /** The registered name (RFC 7763) for the one that the library calls otherwise. */
    private static final Map<String, String> REGISTERED = Map.of("text/x-web-markdown", "text/markdown");

    private MediaTypes() {}

    /** What is known of types, read from the library at the first need only: it takes a quarter of a second. */
    private static final class TypeRegistry {
        static final MimeTypes TYPES = MimeTypes.getDefaultMimeTypes();
    }

    /** The type of an attachment of a message that is parsed; see {@link MediaTypeCheck}. */
    public static String received(String declared, @Nullable String filename, byte[] start) {
        return SAYS_NOTHING.contains(declared)
                        || (ExecutableTypes.startOne(start) && !declared.startsWith("application/x-"))
                ? detected(filename, start)
                : declared;
    }

    /**
     * The type of a file that is to be sent.
     *
     * @param wanted by the caller, who decides when not null
     * @param answered what the server said that it came from, unchecked; null when it came from none
     * @throws UncheckedIOException when the content cannot be read
     */
    public static String sent(
            @Nullable String wanted, @Nullable String answered, String filename, AttachmentContent content) {
        if (wanted != null) {
            return wanted;
        }
        String usable = answered == null ? null : usable(answered);
        String named = usable == null ? URLConnection.guessContentTypeFromName(filename) : usable;
        return named != null ? named : detected(filename, start(content));
    }

    /** The server's word with its parameters if they can stand in a message, without them, or not at all. */
    private static @Nullable String usable(String answered) {
        int semicolon = answered.indexOf(';');
        String type = (semicolon < 0 ? answered : answered.substring(0, semicolon)).strip();
        if (!OutgoingAttachment.isMediaType(type) || SAYS_NOTHING.contains(type.toLowerCase(Locale.ROOT))) {
            return null;
        }
        return OutgoingAttachment.isMediaType(answered) ? answered : type;
    }

    private static byte[] start(AttachmentContent content) {
        try (InputStream in = content.open()) {
            return in.readNBytes(MediaTypeCheck.START);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String detected(@Nullable String filename, byte[] start) {
        Metadata hints = new Metadata();
        if (filename != null) {
            hints.set(TikaCoreProperties.RESOURCE_NAME_KEY, filename);
        }
        try {
            String type = TypeRegistry.TYPES
                    .detect(new ByteArrayInputStream(start), hints)
                    .getBaseType()
                    .toString();
            return REGISTERED.getOrDefault(type, type);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
