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
 * The media type with which a file is sent and shown (mail.md §9.1). The declared type wins, unless it is unspecific or
 * disguises a program: then the first octets decide, helped by the file name.
 */
public final class MediaTypes {
    private static final String UNKNOWN = "application/octet-stream";
    /** Types that senders and servers use for files of unknown type. */
    private static final Set<String> UNSPECIFIC = Set.of(
            UNKNOWN, "binary/octet-stream", "application/binary", "application/unknown", "application/x-unknown");
    /** The registered name (RFC 7763) of a type for which the library has another name. */
    private static final Map<String, String> REGISTERED = Map.of("text/x-web-markdown", "text/markdown");

    private MediaTypes() {}

    /** The library's type registry, loaded at the first use only: loading takes a quarter of a second. */
    private static final class TypeRegistry {
        static final MimeTypes TYPES = MimeTypes.getDefaultMimeTypes();
    }

    /**
     * The type of an attachment of a received message; see {@link MediaTypeCheck}.
     *
     * @param declared the type in the message
     * @param start the first octets of the decoded attachment
     */
    public static String received(String declared, @Nullable String filename, byte[] start) {
        return UNSPECIFIC.contains(declared)
                        || (ExecutableTypes.startOne(start) && !declared.startsWith("application/x-"))
                ? detected(filename, start)
                : declared;
    }

    /**
     * The type of an attachment that is to be sent.
     *
     * @param declared the type in the request, which wins when not null
     * @param answered the type in the server's answer, unchecked; null when the attachment was not downloaded
     * @throws UncheckedIOException when the content cannot be read
     */
    public static String sent(
            @Nullable String declared, @Nullable String answered, String filename, AttachmentContent content) {
        if (declared != null) {
            return declared;
        }
        String usable = answered == null ? null : usable(answered);
        String named = usable == null ? URLConnection.guessContentTypeFromName(filename) : usable;
        return named != null ? named : detected(filename, start(content));
    }

    /**
     * The server's type with its parameters if they can stand in a message, else without them; null if it is unusable.
     */
    private static @Nullable String usable(String answered) {
        int semicolon = answered.indexOf(';');
        String type = (semicolon < 0 ? answered : answered.substring(0, semicolon)).strip();
        if (!OutgoingAttachment.isMediaType(type) || UNSPECIFIC.contains(type.toLowerCase(Locale.ROOT))) {
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
