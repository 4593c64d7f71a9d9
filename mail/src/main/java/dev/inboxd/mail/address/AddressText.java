package dev.inboxd.mail.address;

/** What programs and people leave around an address: blanks, characters that nobody sees, and quotes (ruling 130). */
public final class AddressText {
    private static final String OPENING = "'\"`\u2018\u201C\u201E\u00AB";
    private static final String CLOSING = "'\"`\u2019\u201D\u201C\u00BB";

    /** Longer texts are no addresses; taking off their quotes would cost the square of their number. */
    private static final int MAX_QUOTED = 2_000;

    private AddressText() {}

    /** The text without the blanks and the invisible characters at its ends, such as U+200B, U+00A0 and U+202A. */
    public static String trimmed(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isUnseen(text.charAt(start))) {
            start++;
        }
        while (end > start && isUnseen(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    /**
     * The address without what stands around it, quotes around the whole of it included. A quoted local part and an
     * apostrophe in one stay: no domain ends with a quote.
     */
    static String bare(String text) {
        String bare = trimmed(text);
        while (bare.length() > 2 && bare.length() <= MAX_QUOTED && isQuoted(bare)) {
            bare = trimmed(bare.substring(1, bare.length() - 1));
        }
        int quote = bare.indexOf('"');
        boolean isAlone = quote >= 0 && quote == bare.lastIndexOf('"') && (quote == 0 || quote == bare.length() - 1);
        return isAlone ? trimmed(bare.replace("\"", "")) : bare;
    }

    private static boolean isQuoted(String text) {
        int quote = OPENING.indexOf(text.charAt(0));
        return quote >= 0 && CLOSING.charAt(quote) == text.charAt(text.length() - 1) && text.indexOf('@') > 0;
    }

    /** Whether a reader sees nothing of the character but a blank. */
    static boolean isUnseen(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.getType(c) == Character.FORMAT;
    }
}
