package dev.inboxd.mail.challenge;

/**
 * What looks like a code.
 *
 * @param start of it in its line
 * @param end behind it
 * @param code what is typed
 * @param shape of what it consists
 */
record CodeToken(int start, int end, String code, Shape shape) {
    enum Shape {
        /** Digits, perhaps in groups. */
        DIGITS,
        /** Four digits that may be a year, or digits in groups that may be a date. */
        DATED,
        /** Digits behind capitals and a hyphen. */
        PREFIXED,
        /** Capitals and digits. */
        MIXED,
        /** Letters of either case and digits. */
        LOOSE,
        /** Capitals. */
        CAPITALS,
        /** One word in small letters, or a name. */
        WORD,
        /** Words with hyphens between. */
        PHRASE
    }

    boolean isDigits() {
        return shape == Shape.DIGITS || shape == Shape.DATED || shape == Shape.PREFIXED;
    }

    /** Whether it may be any word. */
    boolean isWeak() {
        return shape == Shape.CAPITALS || shape == Shape.WORD || shape == Shape.PHRASE;
    }

    /** Without the letters in front. */
    String digits() {
        return code.substring(code.indexOf('-') + 1);
    }
}
