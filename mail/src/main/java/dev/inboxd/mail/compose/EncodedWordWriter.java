package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/** Encoded words (RFC 2047) in UTF-8: no word over 75 characters, no character split. */
final class EncodedWordWriter {
    private static final int MAX = 75; // RFC 2047 §2
    private static final int FRAME = "=?utf-8?Q??=".length();
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private EncodedWordWriter() {}

    /**
     * Encodes the text in words that decode to exactly this text when they are written side by side.
     *
     * @param room characters left on the first line; with too little room the first word goes to a new line
     */
    static List<String> encode(String text, int room) {
        var alone = shorter(text, MAX);
        if (alone.size() == 1 || room < FRAME + 12) {
            return alone;
        }
        return shorter(text, Math.min(room, MAX));
    }

    private static List<String> shorter(String text, int firstRoom) {
        var q = words(text, firstRoom, false);
        var b = words(text, firstRoom, true);
        return length(q) <= length(b) ? q : b;
    }

    private static List<String> words(String text, int firstRoom, boolean base64) {
        var words = new ArrayList<String>();
        int room = firstRoom;
        int start = 0;
        int size = 0;
        int end = 0;
        while (end < text.length()) {
            int next = text.offsetByCodePoints(end, 1);
            int cost =
                    base64 ? utf8(text, end, next).length : q(text, end, next).length();
            int total = FRAME + (base64 ? (size + cost + 2) / 3 * 4 : size + cost);
            if (total > room && end > start) {
                words.add(word(text, start, end, base64));
                start = end;
                size = 0;
                room = MAX;
            }
            size += cost;
            end = next;
        }
        words.add(word(text, start, end, base64));
        return words;
    }

    private static String word(String text, int start, int end, boolean base64) {
        return base64
                ? "=?utf-8?B?" + Base64.getEncoder().encodeToString(utf8(text, start, end)) + "?="
                : "=?utf-8?Q?" + q(text, start, end) + "?=";
    }

    /** RFC 2047 §4.2, with the narrow alphabet of §5 (3), which is safe in a phrase too. */
    private static String q(String text, int start, int end) {
        var out = new StringBuilder();
        for (byte octet : utf8(text, start, end)) {
            if (octet == ' ') {
                out.append('_');
            } else if (SafeText.isAlphanumeric(octet) || "!*+-/".indexOf(octet) >= 0) {
                out.append((char) octet);
            } else {
                out.append('=');
                HEX.toHexDigits(out, octet);
            }
        }
        return out.toString();
    }

    private static byte[] utf8(String text, int start, int end) {
        return text.substring(start, end).getBytes(StandardCharsets.UTF_8);
    }

    private static int length(List<String> words) {
        return words.stream().mapToInt(String::length).sum() + words.size();
    }
}
