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

    ResultCut withBody(int most) {
        return new ResultCut(listFrom, listMost, textMost, most);
    }
}
