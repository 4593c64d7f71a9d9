package dev.inboxd.mail.calendar;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The octets of a calendar as text, its folded lines joined (RFC 5545 §3.1). */
final class CalendarText {
    private static final int MAX_OCTETS = 1024 * 1024;
    private static final int MAX_LABEL = 40;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final Charset ASCII = StandardCharsets.US_ASCII;
    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");

    /** Programs that do not write UTF-8 and say so. Whoever says ISO 8859-1 may have quotes of windows-1252. */
    private static final Map<String, Charset> WESTERN = Map.ofEntries(
            Map.entry("us-ascii", ASCII),
            Map.entry("ascii", ASCII),
            Map.entry("ansi_x3.4-1968", ASCII),
            Map.entry("iso-8859-1", WINDOWS_1252),
            Map.entry("iso8859-1", WINDOWS_1252),
            Map.entry("iso_8859-1", WINDOWS_1252),
            Map.entry("latin1", WINDOWS_1252),
            Map.entry("latin-1", WINDOWS_1252),
            Map.entry("windows-1252", WINDOWS_1252),
            Map.entry("cp1252", WINDOWS_1252),
            Map.entry("cp-1252", WINDOWS_1252),
            Map.entry("iso-8859-15", Charset.forName("ISO-8859-15")));

    private CalendarText() {}

    /**
     * Reads the text.
     *
     * @param charset as the MIME part names it, or null
     * @return lines that each end in a line feed, the last one perhaps not
     */
    static String read(byte[] octets, @Nullable String charset) throws CalendarSyntaxException {
        CalendarSyntaxException.checkSize(octets.length <= MAX_OCTETS, "It has more than 1 MiB");
        ByteBuffer unfolded = unfolded(octets);
        Charset label = charset == null || charset.length() > MAX_LABEL
                ? null
                : WESTERN.get(charset.strip().toLowerCase(Locale.ROOT));
        if (label == null) {
            return decoded(unfolded, StandardCharsets.UTF_8);
        }
        if (!ASCII.equals(label)) {
            return decoded(unfolded, label);
        }
        try {
            // What is called ASCII and is not is mostly UTF-8 from a program that forgot its charset.
            return decoded(unfolded.duplicate(), StandardCharsets.UTF_8);
        } catch (CalendarSyntaxException notUtf8) {
            return decoded(unfolded, WINDOWS_1252);
        }
    }

    private static ByteBuffer unfolded(byte[] octets) throws CalendarSyntaxException {
        boolean hasLineEnd = false;
        for (byte octet : octets) {
            CalendarSyntaxException.check(octet != 0, "It has a NUL");
            hasLineEnd |= isLineEnd(octet);
        }
        CalendarSyntaxException.check(hasLineEnd, "It has no line ends");
        return ByteBuffer.wrap(joined(octets));
    }

    /**
     * Joins the lines while they are octets, as a fold may lie within a character. Line ends that follow one another
     * are one: blank lines say nothing, and some gateways double a carriage return.
     */
    static byte[] joined(byte[] octets) {
        byte[] joined = new byte[octets.length];
        int size = 0;
        int at = beginsWithMark(octets) ? BYTE_ORDER_MARK.length : 0;
        while (at < octets.length) {
            byte octet = octets[at++];
            if (!isLineEnd(octet)) {
                joined[size++] = octet;
                continue;
            }
            while (at < octets.length && isLineEnd(octets[at])) {
                at++;
            }
            if (at < octets.length && (octets[at] == ' ' || octets[at] == '\t')) {
                at++;
            } else {
                joined[size++] = '\n';
            }
        }
        return Arrays.copyOf(joined, size);
    }

    /** A value of vCalendar with its escapes of octets undone (RFC 2045 §6.7). */
    static String quotedPrintable(String value) {
        return escaped(value, '=');
    }

    /** A URI with its escapes of octets undone (RFC 3986 §2.1). */
    static String percent(String value) {
        return escaped(value, '%');
    }

    private static String escaped(String value, char sign) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(value.length());
        for (int i = 0; i < value.length(); ) {
            boolean escape = value.charAt(i) == sign && i + 2 < value.length();
            int high = escape ? Character.digit(value.charAt(i + 1), 16) : -1;
            int low = escape ? Character.digit(value.charAt(i + 2), 16) : -1;
            if (high >= 0 && low >= 0) {
                octets.write(high * 16 + low);
                i += 3;
            } else {
                int point = value.codePointAt(i);
                octets.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(point);
            }
        }
        return octets.toString(StandardCharsets.UTF_8);
    }

    private static boolean beginsWithMark(byte[] octets) {
        return octets.length >= BYTE_ORDER_MARK.length
                && octets[0] == BYTE_ORDER_MARK[0]
                && octets[1] == BYTE_ORDER_MARK[1]
                && octets[2] == BYTE_ORDER_MARK[2];
    }

    private static boolean isLineEnd(byte octet) {
        return octet == '\r' || octet == '\n';
    }

    private static String decoded(ByteBuffer octets, Charset charset) throws CalendarSyntaxException {
        try {
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(octets)
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new CalendarSyntaxException("It is not in " + charset.name());
        }
    }
}
