package dev.inboxd.mail.message;

import dev.inboxd.mail.charset.Charsets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the texts, or the HTML, of a message's parts, decoded and cleaned for display and storage. */
final class DisplayText {
    /** Maximum number of octets shown of one message; the rest is only in the raw message. */
    static final int MAX_OCTETS = 1024 * 1024;
    /** Octets in which HTML may declare its charset (HTML standard, "prescan a byte stream"). */
    private static final int PRESCAN = 1024;

    private static final int FIRST_READ = 4 * 1024;

    private int left = MAX_OCTETS;

    /** Reads a part, as much of it as is still to be shown. */
    String read(InputStream content, Entity leaf, boolean html, Set<Defect> defects) throws IOException {
        var octets = new byte[FIRST_READ];
        int end = 0;
        for (int n = 0; n >= 0 && end <= left; n = content.read(octets, end, octets.length - end)) {
            end += n;
            if (end == octets.length) {
                octets = Arrays.copyOf(octets, Math.min(2 * end, MAX_OCTETS + 1));
            }
        }
        boolean cut = end > left;
        int length = Math.min(end, left);
        left -= length;
        var label = leaf.charset() == null && html ? prescan(octets, length) : leaf.charset();
        if (Charsets.isUnknown(label)) {
            defects.add(Defect.UNKNOWN_CHARSET);
        }
        var decoded = clean(Charsets.decodeBody(octets, length, label));
        if (cut) {
            defects.add(Defect.TEXT_TRUNCATED);
            decoded = withoutCutCharacter(decoded);
        }
        return decoded;
    }

    /** Line ends become LF; characters that the database or a JSON parser refuses become U+FFFD. */
    private static String clean(String text) {
        int start = text.startsWith("\uFEFF") ? 1 : 0;
        int i = start;
        while (i < text.length() && isClean(text.charAt(i))) {
            i++;
        }
        if (i == text.length()) {
            return text.substring(start);
        }
        var cleaned = new StringBuilder(text.length());
        int literal = start;
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isClean(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            cleaned.append(text, literal, i);
            literal = i + 1;
            boolean beforeLineFeed = c == '\r' && literal < text.length() && text.charAt(literal) == '\n';
            if (!beforeLineFeed) {
                cleaned.append(c == '\r' ? '\n' : '\uFFFD');
            }
        }
        return cleaned.append(text, literal, text.length()).toString();
    }

    private static boolean isClean(char c) {
        return c > '\r'
                ? c < Character.MIN_SURROGATE || (c > Character.MAX_SURROGATE && c < 0xFFFE) // Unicode §23.7
                : c != '\r' && c != 0;
    }

    private static String withoutCutCharacter(String text) {
        return text.endsWith("\uFFFD") ? text.substring(0, text.length() - 1) : text;
    }

    private static @Nullable String prescan(byte[] octets, int length) {
        int end = Math.min(length, PRESCAN);
        var head = new String(octets, 0, end, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        int at = head.indexOf("charset=");
        if (at < 0) {
            return null;
        }
        int start = at + 8;
        if (start < head.length() && "\"'".indexOf(head.charAt(start)) >= 0) {
            start++;
        }
        end = start;
        while (end < head.length() && "\"'>;/ \t\r\n".indexOf(head.charAt(end)) < 0) {
            end++;
        }
        var label = head.substring(start, end);
        // A page in UTF-16 could not have been searched for a declaration.
        return label.isEmpty() || label.startsWith("utf-16") ? null : label;
    }
}
