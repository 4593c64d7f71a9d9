package dev.inboxd.mail.markdown.inline;

/** What a character is beside a delimiter run (CommonMark 0.31 §6.2). */
enum CharKind {
    SPACE,
    /** Punctuation in every version. */
    PUNCTUATION,
    /** A symbol: punctuation since version 0.31. */
    SYMBOL,
    WORD;

    static CharKind of(int c) {
        if (c <= ' ' || Character.isSpaceChar(c)) {
            return SPACE;
        }
        return switch (Character.getType(c)) {
            case Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION -> PUNCTUATION;
            case Character.CURRENCY_SYMBOL, Character.MATH_SYMBOL, Character.MODIFIER_SYMBOL, Character.OTHER_SYMBOL ->
                c < 0x80 ? PUNCTUATION : SYMBOL;
            default -> WORD;
        };
    }

    /** Whether a delimiter run is left-flanking for every reader. */
    static boolean isSurelyLeft(CharKind before, CharKind after) {
        return after != SPACE && (after == WORD || before == SPACE || before == PUNCTUATION);
    }

    /** Whether a delimiter run is right-flanking for every reader. */
    static boolean isSurelyRight(CharKind before, CharKind after) {
        return before != SPACE && (before == WORD || after == SPACE || after == PUNCTUATION);
    }

    /** Whether a delimiter run is left-flanking for some reader. */
    static boolean isLeft(CharKind before, CharKind after) {
        return after != SPACE && (after != PUNCTUATION || before != WORD);
    }

    /** Whether a delimiter run is right-flanking for some reader. */
    static boolean isRight(CharKind before, CharKind after) {
        return before != SPACE && (before != PUNCTUATION || after != WORD);
    }

    boolean isPunctuation() {
        return this == PUNCTUATION || this == SYMBOL;
    }
}
