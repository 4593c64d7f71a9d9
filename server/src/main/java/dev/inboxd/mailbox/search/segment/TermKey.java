package dev.inboxd.mailbox.search.segment;

/**
 * The key of a term: a number of 62 bits. The top two are the kind, twelve each are the first two characters, and 36
 * are of a hash. So terms with the same beginning are next to each other. An attacker with a dictionary can read words
 * from keys, so the terms of a deleted message leave the index within a day (promise P19).
 */
public final class TermKey {
    private static final int HASH_BITS = 36;
    private static final int CHARACTER_BITS = 12;
    private static final long HASH_MASK = (1L << HASH_BITS) - 1;
    private static final int PLAIN_CHARACTERS = 1 << (CHARACTER_BITS - 1);

    private TermKey() {}

    /** The place of a term in a message. */
    public enum Kind {
        /** A word of the body, or one or two characters of a script without spaces. */
        BODY(0),
        /** A word of the sender, the recipients or the subject. */
        HEADER(1),
        /** Three characters that follow one another in such a word, or up to two of a script without spaces. */
        HEADER_PART(2);

        private final long number;

        Kind(long number) {
            this.number = number;
        }
    }

    /**
     * A range of keys.
     *
     * @param low the first
     * @param high the last; the same for a single term
     */
    public record Range(long low, long high) {}

    /** The key of a folded term. */
    static long of(Kind kind, CharSequence term) {
        return of(kind, term, 0, term.length());
    }

    /** The key of a part of a folded text. */
    static long of(Kind kind, CharSequence text, int start, int end) {
        long hash = 0;
        for (int i = start; i < end; i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        hash *= 0xBF58476D1CE4E5B9L;
        return head(kind, text, start, end) | ((hash >>> 28) & HASH_MASK);
    }

    /** The range of one term. */
    public static Range only(Kind kind, CharSequence term) {
        long key = of(kind, term);
        return new Range(key, key);
    }

    /** The range of all terms that begin with these one or two characters. */
    public static Range startingWith(Kind kind, CharSequence start) {
        long low = head(kind, start, 0, start.length());
        int open = start.length() == 1 ? CHARACTER_BITS + HASH_BITS : HASH_BITS;
        return new Range(low, low | ((1L << open) - 1));
    }

    private static long head(Kind kind, CharSequence text, int start, int end) {
        long head = kind.number << CHARACTER_BITS;
        head = (head | (start < end ? small(text.charAt(start)) : 0)) << CHARACTER_BITS;
        head |= start + 1 < end ? small(text.charAt(start + 1)) : 0;
        return head << HASH_BITS;
    }

    /** Alphabets are below U+0800. Of other characters only a remainder is used, which suffices for the order. */
    private static int small(char c) {
        return c < PLAIN_CHARACTERS ? c : PLAIN_CHARACTERS | (c & (PLAIN_CHARACTERS - 1));
    }
}
