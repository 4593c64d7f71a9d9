package dev.inboxd.mail.message;

import dev.inboxd.mail.charset.Charsets;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The Content-* fields of one entity (RFC 2045 §3, RFC 2183).
 *
 * @param mediaType in lower case without parameters
 * @param boundary one octet per character, null when there is none
 * @param encoding the transfer encoding in lower case
 * @param disposition in lower case, null when absent
 * @param file the name of the file, null when there is none
 * @param type what else the media type says
 */
record Entity(
        String mediaType,
        @Nullable String boundary,
        @Nullable String charset,
        String encoding,
        @Nullable String disposition,
        @Nullable FileName file,
        @Nullable String contentId,
        Type type) {
    private static final String TEXT_PLAIN = "text/plain";
    private static final int MAX_ID = 998;

    /**
     * Parameters of some media types.
     *
     * @param start of a multipart/related, without brackets (RFC 2387 §3.2)
     * @param format of text/plain (RFC 3676 §4), in lower case
     * @param delSp of text/plain (RFC 3676 §4), in lower case
     * @param others all parameters but those that belong to the place in the message, by their names
     */
    record Type(
            @Nullable String start,
            @Nullable String format,
            @Nullable String delSp,
            Map<String, String> others) {
        private static final Type NONE = new Type(null, null, null, Map.of());

        private static Type of(Parameters typed) {
            String start = typed.octets("start");
            return new Type(
                    start == null ? null : Entity.contentId(start),
                    lower(typed.octets("format")),
                    lower(typed.octets("delsp")),
                    typed.plain());
        }

        private static @Nullable String lower(@Nullable String value) {
            return value == null ? null : value.strip().toLowerCase(Locale.ROOT);
        }
    }

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
        return new Entity(
                typed == null ? defaultType : mediaType(typed.value()),
                typed == null ? null : boundary(typed.octets("boundary")),
                typed == null ? null : typed.octets("charset"),
                encoding < 0 ? "" : token(header.raw(encoding)),
                disposed == null ? null : disposed.value(),
                file(disposed, typed),
                id < 0 ? null : contentId(header.text(id)),
                typed == null ? Type.NONE : Type.of(typed));
    }

    /**
     * The name of a file.
     *
     * @param name safe to show, read without a charset
     * @param octets as they came, one per character, when they name no charset; else null
     */
    record FileName(String name, @Nullable String octets) {}

    /** The name of the file, in all places where senders write it (RFC 2183 §2.3 knows one, RFC 2046 another). */
    private static @Nullable FileName file(@Nullable Parameters disposed, @Nullable Parameters typed) {
        var file = file(disposed, "filename");
        file = file != null ? file : file(typed, "name");
        file = file != null ? file : file(typed, "filename");
        return file != null ? file : file(disposed, "name");
    }

    private static @Nullable FileName file(@Nullable Parameters parameters, String parameter) {
        var name = parameters == null ? null : FileNames.clean(parameters.text(parameter));
        return parameters == null || name == null ? null : new FileName(name, parameters.unlabelled(parameter));
    }

    /** The name of the file, safe to show; null when the part has none. */
    @Nullable
    String filename() {
        return file == null ? null : file.name;
    }

    /**
     * The name of the file. Octets that name no charset are read in that of the part, or else of the message (ruling
     * 137).
     *
     * @param charsets labels of the message's texts
     */
    @Nullable
    String filename(Collection<String> charsets) {
        if (file == null || file.octets == null) {
            return filename();
        }
        var octets = file.octets.getBytes(StandardCharsets.ISO_8859_1);
        var read = charset == null ? octets : Charsets.toUtf8(octets, charset, true);
        for (String label : charsets) {
            read = Charsets.toUtf8(read, label, true);
        }
        return FileNames.clean(HeaderText.decode(read, 0, read.length, EnumSet.noneOf(Defect.class)));
    }

    /** An entity of type text/plain without encoding. */
    static Entity plainText() {
        return new Entity(TEXT_PLAIN, null, null, "", null, null, null, Type.NONE);
    }

    /** The Content-ID of the root of a multipart/related, null when it names none. */
    @Nullable
    String start() {
        return type.start;
    }

    /** Whether lines that end with a space go on (RFC 3676). */
    boolean isFlowed() {
        return mediaType.equals(TEXT_PLAIN) && "flowed".equals(type.format);
    }

    /** Whether the space at which a line is broken is no part of the text (RFC 3676 §4). */
    boolean isDelSp() {
        return "yes".equals(type.delSp);
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
        int index = -1;
        for (int i = 0; i < header.size(); i++) {
            if (header.is(i, name)) {
                if (index >= 0) {
                    defects.add(Defect.DUPLICATE_CONTENT_FIELD);
                } else {
                    index = i;
                }
            }
        }
        return index;
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
