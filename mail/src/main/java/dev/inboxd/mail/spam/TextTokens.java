package dev.inboxd.mail.spam;

import java.util.function.IntConsumer;

/** Hashes the words of texts, pairs of words, and the hosts of links. */
final class TextTokens {
    /** Longest word; longer runs of letters are no words. */
    private static final int LONGEST = 32;

    private static final int PAIR = 0x5bd1e995;
    /** The neighbour of the first word. */
    private static final int NONE = 0;

    private static final String LINK = "://";
    /** The ASCII characters of words. */
    private static final boolean[] PLAIN = plain();

    private final IntConsumer taker;
    private boolean ledToNumbers;

    TextTokens(IntConsumer taker) {
        this.taker = taker;
    }

    /** Adds a feature of some kind. */
    void feature(String kind, String value) {
        taker.accept(mixed(seed(kind) + 31 * lowered(value, 0, value.length())));
    }

    /** Adds a feature of some kind, with its case. */
    void asWritten(String kind, String value) {
        taker.accept(mixed(seed(kind) + 31 * value.hashCode()));
    }

    /** Adds a domain, and the domains above it. */
    void domain(String kind, String domain) {
        int seed = seed(kind) * 17;
        int labels = 0;
        int end = domain.length();
        taker.accept(mixed(seed + lowered(domain, 0, end)));
        for (int at = domain.lastIndexOf('.'); at > 0 && labels < 3; at = domain.lastIndexOf('.', at - 1)) {
            taker.accept(mixed(seed + lowered(domain, at + 1, end)));
            labels++;
        }
    }

    /** Adds all words of a text, all pairs of neighbours, and the hosts of its links. */
    void words(String kind, CharSequence text) {
        char[] characters = text.toString().toCharArray(); // each character is read several times
        int seed = seed(kind);
        int before = NONE;
        int i = 0;
        while (i < characters.length) {
            if (!isPart(characters[i])) {
                i++;
                continue;
            }
            int start = i;
            int hash = seed;
            do {
                hash = 31 * hash + lower(characters[i++]);
            } while (i < characters.length
                    && isPart(characters[i])
                    && !isUnspaced(characters[i - 1])
                    && !isUnspaced(characters[i]));
            before = word(hash, i - start, before);
            if (isLink(characters, i)) {
                i = host(text, i + LINK.length());
                before = NONE;
            }
        }
    }

    private static boolean isLink(char[] text, int at) {
        return at + 2 < text.length && text[at] == ':' && text[at + 1] == '/' && text[at + 2] == '/';
    }

    /**
     * Adds one word.
     *
     * @return the hash to pair with the next word
     */
    private int word(int hash, int length, int before) {
        if (length > LONGEST) {
            return NONE;
        }
        if (length > 1) {
            taker.accept(mixed(hash));
        }
        if (before != NONE) {
            taker.accept(mixed(PAIR * before + hash));
        }
        return hash;
    }

    /**
     * Adds the host of a link.
     *
     * @return its end
     */
    int host(CharSequence text, int start) {
        int end = start;
        while (end < text.length() && end - start < 253 && isHost(text.charAt(end))) {
            end++;
        }
        if (end > start) {
            String host = text.subSequence(start, end).toString();
            domain("link", host);
            ledToNumbers |= host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
        }
        return end;
    }

    /** Whether a link has a numeric address. */
    boolean ledToNumbers() {
        return ledToNumbers;
    }

    private static int seed(String kind) {
        return kind.isEmpty() ? 7 : kind.hashCode();
    }

    private static int lowered(String text, int from, int to) {
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + lower(text.charAt(i));
        }
        return hash;
    }

    private static int lower(char c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c < 0x80 ? c : Character.toLowerCase(c);
    }

    /** The finalizer of MurmurHash3: every bit of the input changes half of the output's. */
    private static int mixed(int hash) {
        int h = hash;
        h = (h ^ (h >>> 16)) * 0x85ebca6b;
        h = (h ^ (h >>> 13)) * 0xc2b2ae35;
        return h ^ (h >>> 16);
    }

    private static boolean[] plain() {
        boolean[] plain = new boolean[0x80];
        for (char c = 0; c < plain.length; c++) {
            plain[c] = Character.isLetterOrDigit(c) || "$'!".indexOf(c) >= 0;
        }
        return plain;
    }

    private static boolean isPart(char c) {
        return c < 0x80 ? PLAIN[c] : Character.isLetterOrDigit(c);
    }

    /** Whether a character may be part of a host name. */
    static boolean isHost(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    }

    /** Whether the script has no spaces: each character counts as a word, and pairs cover most real words. */
    private static boolean isUnspaced(char c) {
        return c >= 0x0E00 && (c < 0x0F00 || (c >= 0x2E80 && c < 0xD7A4));
    }
}
