package dev.inboxd.mail.address;

/**
 * Where an encoded word (RFC 2047 §2) ends. Its text may hold characters that Q should have encoded, such as brackets,
 * commas and spaces: none of them has a meaning for the field around it (ruling 132).
 */
public final class EncodedWord {
    /** RFC 2047 §2 allows 75 octets; much longer words are sent. The bound keeps a field of openings harmless. */
    private static final int LONGEST = 4 * 1024;

    private static final int LONGEST_CHARSET = 80;

    private EncodedWord() {}

    /**
     * The end of the word that begins at an index.
     *
     * @param start the index of a {@code =?}
     * @return -1 when none begins there
     */
    static int end(String text, int start) {
        int charset = start + 2;
        while (charset < text.length() && charset - start <= LONGEST_CHARSET && isOfCharset(text.charAt(charset))) {
            charset++;
        }
        int begin = charset + 3;
        boolean begins = charset > start + 2
                && begin <= text.length()
                && text.charAt(charset) == '?'
                && "QqBb".indexOf(text.charAt(charset + 1)) >= 0
                && text.charAt(charset + 2) == '?';
        int end = begins ? endOfText(text, begin) : -1;
        return end < 0 ? -1 : end + 2;
    }

    /**
     * The index of the {@code ?=} that ends the text of a word.
     *
     * @param begin where the text begins
     * @return -1 when another word begins before it, or none of its end is near
     */
    public static int endOfText(String text, int begin) {
        int most = Math.min(text.length(), begin + LONGEST);
        int end = text.indexOf("?=", begin, most);
        // "=?utf-8?q??= =?utf-8?q?=41?=": a Q text may begin with the = of an escape right after the question mark
        int next = end < 0 ? -1 : text.indexOf("=?", begin, end);
        return end >= 0 && (next < 0 || end <= next + 1) ? end : -1;
    }

    private static boolean isOfCharset(char c) {
        return c > ' ' && c != '?' && "<>()@,;:\"".indexOf(c) < 0;
    }
}
