package dev.inboxd.mail.link;

/**
 * A link with a web address, as a person sees it.
 *
 * @param url as it is written
 * @param words those that are shown, else those of its first picture; the address itself where it stands in a text; at
 *     most 300 characters
 * @param start where it begins in its line
 * @param end where it ends there
 */
public record SeenLink(String url, String words, int start, int end) {
    /** Longest words. */
    static final int LONGEST_WORDS = 300;

    /** Longest address. */
    static final int LONGEST_URL = 16_000;

    /** Whether the words are the address. */
    boolean isBare() {
        return !words.isEmpty() && url.startsWith(words);
    }

    /** Whether an address is one of the web. */
    static boolean isWeb(String url) {
        return url.length() <= LONGEST_URL
                && (url.regionMatches(true, 0, "http://", 0, 7) || url.regionMatches(true, 0, "https://", 0, 8))
                && url.length() > 8;
    }
}
