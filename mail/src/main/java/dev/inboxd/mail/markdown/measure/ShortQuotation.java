package dev.inboxd.mail.markdown.measure;

/** A quotation that stays open where the author's own words follow it (markdown.md §4). */
public final class ShortQuotation {
    private static final int MOST_LINES = 5;
    private static final int MOST_CHARACTERS = 400;

    private ShortQuotation() {}

    /** Whether one of so many lines and code points is short. */
    public static boolean is(int lines, int characters) {
        return lines <= MOST_LINES && characters <= MOST_CHARACTERS;
    }
}
