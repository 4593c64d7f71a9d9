package dev.inboxd.base.http.syntax;

import org.jspecify.annotations.Nullable;

/**
 * The range of bytes that a request asks for (RFC 9110 §14.1.2). Only a single range counts. Several ranges, other
 * units and malformed fields are ignored, as §14.2 allows, and the answer is the whole.
 *
 * @param first offset of the first octet, from 0
 * @param length number of octets; 0 when the range cannot be satisfied
 */
public record ByteRange(long first, long length) {
    private static final int MOST_DIGITS = 18;
    private static final ByteRange NOTHING = new ByteRange(0, 0);

    /**
     * Parses a Range field.
     *
     * @param field the field's value, or null
     * @param size octets of the whole representation
     * @return null for the whole; a range of length 0 when it cannot be satisfied (§15.5.17)
     */
    public static @Nullable ByteRange of(@Nullable String field, long size) {
        if (field == null || !field.regionMatches(true, 0, "bytes=", 0, 6)) {
            return null;
        }
        String range = field.substring(6).strip();
        int dash = range.indexOf('-');
        if (dash < 0) {
            return null;
        }
        String from = range.substring(0, dash);
        String to = range.substring(dash + 1);
        if (!isNumber(from) || !isNumber(to) || (from.isEmpty() && to.isEmpty())) {
            return null;
        }
        if (from.isEmpty()) {
            long last = Math.min(Long.parseLong(to), size);
            return last == 0 ? NOTHING : new ByteRange(size - last, last);
        }
        long first = Long.parseLong(from);
        long last = to.isEmpty() ? Long.MAX_VALUE : Long.parseLong(to);
        if (last < first) {
            return null;
        }
        return first >= size ? NOTHING : new ByteRange(first, Math.min(last, size - 1) - first + 1);
    }

    private static boolean isNumber(String text) {
        return text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
