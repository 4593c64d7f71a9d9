package dev.inboxd.mcp;

/**
 * How much of the texts of mail one result has: a model reads all that it is given. Used by one thread.
 */
final class ResultBudget {
    /** The most characters of one text. */
    static final int ONE = 20_000;
    /** The most characters of all texts of a result. */
    static final int ALL = 100_000;

    private int left = ALL;
    private boolean cut;

    /** The text, or what of it there is room for. */
    String cut(String text) {
        int most = Math.min(ONE, left);
        cut = text.length() > most;
        int end = cut ? most : text.length();
        if (end > 0 && end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        left -= end;
        return text.substring(0, end);
    }

    /** Whether the last text was cut. */
    boolean isCut() {
        return cut;
    }
}
