package dev.inboxd.mail.message;

import dev.inboxd.mail.charset.Charsets;
import dev.inboxd.mail.charset.Iso2022Jp;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Decodes raw header octets to readable text: unfolded (RFC 5322 §2.2.3), in UTF-8 (RFC 6532) or else windows-1252,
 * encoded words decoded.
 */
final class HeaderText {
    private HeaderText() {}

    static String decode(byte[] bytes, int from, int to, Set<Defect> defects) {
        var text = unfold(bytes, from, to);
        return text.contains("=?") ? EncodedWords.decode(text, defects) : text;
    }

    /**
     * A raw value as readable text in which each fold is one line feed before its white space, with encoded words
     * decoded; for identification fields.
     *
     * @param raw one character per raw byte, as it came
     */
    static String folded(String raw, Set<Defect> defects) {
        var octets = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i) == '\r' ? '\n' : raw.charAt(i);
            if (c != '\n' || length == 0 || octets[length - 1] != '\n') {
                octets[length++] = (byte) c;
            }
        }
        var text = Charsets.decodeUnlabelled(octets, length);
        return text.contains("=?") ? EncodedWords.decode(text, defects) : text;
    }

    static String unfold(byte[] bytes, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && isSpace(bytes[start])) {
            start++;
        }
        while (end > start && isSpace(bytes[end - 1])) {
            end--;
        }
        if (isPlain(bytes, start, end)) {
            return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
        }
        var unfolded = new byte[end - start];
        int length = 0;
        for (int i = start; i < end; i++) {
            if (bytes[i] != '\r' && bytes[i] != '\n') {
                unfolded[length++] = bytes[i];
            } else if (!isLineBreakBeforeSpace(bytes, i, end)) {
                unfolded[length++] = ' ';
            }
        }
        var read = Iso2022Jp.inUtf8(new String(unfolded, 0, length, StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1);
        return clean(Charsets.decodeUnlabelled(read, read.length));
    }

    /** Removes control characters of encoded words and raw bytes, which must never become line breaks again. */
    static String clean(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == 0x7F || c >= 0xFFFE || (Character.isSurrogate(c) && !isPaired(text, i))) {
                return cleaned(text);
            }
        }
        return text;
    }

    private static String cleaned(String text) {
        var cleaned = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || c >= 0xFFFE || (Character.isSurrogate(c) && !isPaired(text, i))) {
                cleaned.append('\uFFFD');
            } else {
                cleaned.append(c < ' ' || c == 0x7F ? ' ' : c);
            }
        }
        return cleaned.toString();
    }

    private static boolean isPaired(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }

    private static boolean isPlain(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] < ' ' || bytes[i] == 0x7F) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLineBreakBeforeSpace(byte[] bytes, int i, int end) {
        int next = i + 1;
        while (next < end && (bytes[next] == '\r' || bytes[next] == '\n')) {
            next++;
        }
        return next < end && (bytes[next] == ' ' || bytes[next] == '\t');
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}
