package dev.inboxd.mail.message;

import java.io.InputStream;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Content-* fields of one entity (RFC 2045 §3, RFC 2183).
 *
 * @param mediaType in lower case without parameters
 * @param boundary one octet per character, null when there is none
 * @param encoding the transfer encoding in lower case
 * @param disposition in lower case, null when absent
 */
record Entity(
        String mediaType,
        @Nullable String boundary,
        @Nullable String charset,
        String encoding,
        @Nullable String disposition,
        @Nullable String filename,
        @Nullable String contentId) {
    private static final String TEXT_PLAIN = "text/plain";
    private static final int MAX_ID = 998;
    private static final int MAX_MEDIA_TYPE = 255;

    /**
     * Parses a header.
     *
     * @param defaultType type of an entity without Content-Type: text/plain, in a digest message/rfc822 (RFC 2046
     *     §5.1.5)
     */
    static Entity of(HeaderBlock header, String defaultType, Set<Defect> defects) {
        int type = find(header, "content-type", defects);
        int encoding = find(header, "content-transfer-encoding", defects);
        int disposition = find(header, "content-disposition", defects);
        int id = find(header, "content-id", defects);
        var typed = type < 0 ? null : new Parameters(header.raw(type), defects);
        var disposed = disposition < 0 ? null : new Parameters(header.raw(disposition), defects);
        var filename = disposed == null ? null : disposed.text("filename");
        if (filename == null && typed != null) {
            filename = typed.text("name");
        }
        return new Entity(
                typed == null ? defaultType : mediaType(typed.value()),
                typed == null ? null : boundary(typed.octets("boundary")),
                typed == null ? null : typed.octets("charset"),
                encoding < 0 ? "" : token(header.raw(encoding)),
                disposed == null ? null : disposed.value(),
                FileNames.clean(filename),
                id < 0 ? null : contentId(header.text(id)));
    }

    /** An entity of type text/plain without encoding. */
    static Entity plainText() {
        return new Entity(TEXT_PLAIN, null, null, "", null, null, null);
    }

    boolean isMultipart() {
        return mediaType.startsWith("multipart/");
    }

    boolean isAttachment() {
        return "attachment".equals(disposition);
    }

    /** Decodes the content's transfer encoding. */
    InputStream decode(InputStream content, Set<Defect> defects) {
        return switch (encoding) {
            case "base64" -> new Base64InputStream(content, defects);
            case "quoted-printable" -> new QuotedPrintableInputStream(content, defects);
            case "", "7bit", "8bit", "binary" -> content;
            default -> {
                defects.add(Defect.UNKNOWN_ENCODING);
                yield content;
            }
        };
    }

    private static int find(HeaderBlock header, String name, Set<Defect> defects) {
        int found = -1;
        for (int i = 0; i < header.size(); i++) {
            if (header.is(i, name)) {
                if (found >= 0) {
                    defects.add(Defect.DUPLICATE_CONTENT_FIELD);
                } else {
                    found = i;
                }
            }
        }
        return found;
    }

    // RFC 2045 §5.2: a malformed media type counts as text/plain.
    private static String mediaType(String value) {
        int slash = value.indexOf('/');
        boolean valid = slash > 0
                && slash == value.lastIndexOf('/')
                && slash < value.length() - 1
                && value.length() <= MAX_MEDIA_TYPE;
        for (int i = 0; valid && i < value.length(); i++) {
            char c = value.charAt(i);
            valid = c > ' ' && c < 0x7F && "\"<>@,:[]?=\\".indexOf(c) < 0;
        }
        return valid ? value : TEXT_PLAIN;
    }

    // RFC 2046 §5.1.1: a boundary never ends with a space, and spaces at a line's end of the body do not count.
    private static @Nullable String boundary(@Nullable String octets) {
        return octets == null || octets.isBlank() ? null : octets.stripTrailing();
    }

    private static String token(String raw) {
        var text = raw.strip();
        int end = 0;
        while (end < text.length() && text.charAt(end) > ' ' && ";(".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(0, end).toLowerCase(Locale.ROOT);
    }

    private static @Nullable String contentId(String text) {
        var id = text.strip();
        if (id.startsWith("<") && id.indexOf('>') > 0) {
            id = id.substring(1, id.indexOf('>')).strip();
        }
        return id.isEmpty() || id.length() > MAX_ID ? null : id;
    }
}
