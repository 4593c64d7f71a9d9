package dev.inboxd.mail.compose;

/** Builds one header field, on lines of at most 76 characters where there are spaces to fold at. */
final class FoldedField {
    private static final int LINE = 76; // RFC 2047 §2 requires 76, RFC 5322 §2.1.1 recommends 78
    private static final int HARD_LINE = 998; // RFC 5322 §2.1.1

    private final StringBuilder text = new StringBuilder();
    private final int start;
    private int column;

    FoldedField(String name) {
        text.append(name).append(':');
        start = text.length();
        column = start;
    }

    /** Adds a word after one space. */
    FoldedField add(String word) {
        return add(" ", word);
    }

    /** Adds a word after white space. A line breaks before white space, so unfolding restores the text. */
    FoldedField add(String space, String word) {
        int needed = space.length() + word.length();
        boolean first = column == start && text.length() == start;
        // A new line does not help a first word that is too long for any line.
        boolean breaks = first ? needed <= LINE || column + needed > HARD_LINE : !word.isEmpty();
        if (column + needed > LINE && breaks) {
            text.append("\r\n");
            column = 0;
        }
        text.append(space).append(word);
        column += needed;
        return this;
    }

    /** Characters left on this line after one space. */
    int room() {
        return LINE - column - 1;
    }

    /** The field with its final CRLF. */
    @Override
    public String toString() {
        return text + "\r\n";
    }
}
