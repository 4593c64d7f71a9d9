package dev.inboxd.mcp.result;

/**
 * How much of a result is shown.
 *
 * @param listFrom where lists inside it begin
 * @param listMost how many entries of a list inside it are shown
 * @param textMost the most characters of a text that may be cut and is no body
 * @param bodyMost the most code points of a body
 */
record ResultCut(int listFrom, int listMost, int textMost, int bodyMost) {
    static final int ALL = Integer.MAX_VALUE;

    /** The most characters of a text where nothing else is left to cut. */
    static final int LEAST_TEXT = 20;

    private static final int LONGEST_NAME = 998;
    private static final int SHORTEST_NAME = 200;

    /** The most characters of a subject, and of a name with an address. */
    int nameMost() {
        return isLeast() ? SHORTEST_NAME : LONGEST_NAME;
    }

    /** Whether nothing else is left to cut. */
    boolean isLeast() {
        return textMost <= LEAST_TEXT;
    }

    ResultCut withBody(int most) {
        return new ResultCut(listFrom, listMost, textMost, most);
    }
}
