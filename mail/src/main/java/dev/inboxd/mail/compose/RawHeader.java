package dev.inboxd.mail.compose;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The header of a message composed elsewhere, field by field, octet for octet. Octets are stored as ISO 8859-1
 * characters.
 *
 * @param fields each with its folds and its final CRLF
 * @param length octets of the original section, without the empty line behind it
 */
public record RawHeader(List<String> fields, int length) {
    /** Larger than any header composed here; the parser reads no further either. */
    private static final int LARGEST = 100 * 1024;

    private static final String LINE_END = "\r\n";

    /** Copies the list. */
    public RawHeader {
        fields = List.copyOf(fields);
    }

    /** The header of a message whose lines end in CRLF; null when it has over 100 KiB. */
    public static @Nullable RawHeader read(AttachmentContent message) throws IOException {
        try (InputStream in = message.open()) {
            String beginning = new String(in.readNBytes(LARGEST + 4), StandardCharsets.ISO_8859_1);
            int end = beginning.startsWith(LINE_END) ? 0 : beginning.indexOf("\r\n\r\n") + 2;
            if (end == 1) { // no empty line: all of it is header
                end = beginning.length();
            }
            return end > LARGEST ? null : new RawHeader(fields(beginning.substring(0, end)), end);
        }
    }

    private static List<String> fields(String section) {
        List<String> fields = new ArrayList<>();
        int start = 0;
        while (start < section.length()) {
            int end = section.indexOf(LINE_END, start);
            while (end >= 0 && end + 2 < section.length() && " \t".indexOf(section.charAt(end + 2)) >= 0) {
                end = section.indexOf(LINE_END, end + 2); // RFC 5322 §2.2.3: a folded line continues the field
            }
            int next = end < 0 ? section.length() : end + 2;
            String field = section.substring(start, next);
            fields.add(end < 0 ? field + LINE_END : field);
            start = next;
        }
        return fields;
    }

    /**
     * Whether every program reads the same fields: each has a name directly followed by a colon (RFC 5322 §2.2,
     * §3.6.8), no line is blank (§3.2.2), and there is no CR, LF or NUL inside.
     */
    public boolean isSound() {
        return fields.stream().allMatch(RawHeader::isSound);
    }

    private static boolean isSound(String field) {
        int colon = field.indexOf(':');
        boolean named = colon > 0 && field.substring(0, colon).chars().allMatch(c -> c > ' ' && c < 0x7f);
        boolean lines = field.replace(LINE_END, "").chars().noneMatch(c -> c == '\r' || c == '\n' || c == 0);
        return named
                && lines
                && field.lines().skip(1).noneMatch(line -> line.chars().allMatch(c -> c == ' ' || c == '\t'));
    }

    /** The bodies of all fields of that name (in lower case), unfolded, with encoded words left encoded. */
    public List<String> bodies(String name) {
        return fields.stream()
                .filter(field -> name(field).equals(name))
                .map(field -> new String(
                        field.substring(field.indexOf(':') + 1)
                                .replace(LINE_END, "")
                                .getBytes(StandardCharsets.ISO_8859_1),
                        StandardCharsets.UTF_8))
                .toList();
    }

    /** The section with the empty line behind it. */
    public byte[] octets() {
        return (String.join("", fields) + LINE_END).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** This header without the fields of these names (in lower case). */
    public RawHeader without(Set<String> names) {
        return new RawHeader(
                fields.stream().filter(field -> !names.contains(name(field))).toList(), length);
    }

    private static String name(String field) {
        int colon = field.indexOf(':');
        return colon < 0 ? "" : field.substring(0, colon).strip().toLowerCase(Locale.ROOT);
    }

    /** This header with a Message-ID at its end. */
    public RawHeader withMessageId(String id) {
        return with("Message-ID: " + IdentificationFields.own(id) + LINE_END);
    }

    /** This header with a Date at its end. */
    public RawHeader withDate(Instant date) {
        return with("Date: " + Composer.date(date) + LINE_END);
    }

    private RawHeader with(String field) {
        List<String> more = new ArrayList<>(fields);
        more.add(field);
        return new RawHeader(more, length);
    }

    /**
     * The message with this header in place of its original header.
     *
     * @param trace fields to put on top
     */
    public ComposedMessage before(byte[] trace, AttachmentContent message) {
        byte[] header = octets();
        boolean ascii = true;
        for (byte octet : header) {
            ascii &= octet >= 0;
        }
        long from = Math.min(message.length(), length + 2L);
        return new ComposedMessage(
                List.of(
                        new ComposedMessage.Section(AttachmentContent.of(trace), false),
                        new ComposedMessage.Section(AttachmentContent.of(header), false),
                        new ComposedMessage.Section(tail(message, from), false)),
                !ascii);
    }

    private static AttachmentContent tail(AttachmentContent message, long from) {
        return new AttachmentContent() {
            @Override
            public long length() {
                return message.length() - from;
            }

            @Override
            public InputStream open() throws IOException {
                InputStream in = message.open();
                in.skipNBytes(from);
                return in;
            }
        };
    }
}
