package dev.inboxd.mail.markdown.inline;

/** Where a text stands, which decides what a reader would take for structure. */
public enum Place {
    /** A paragraph, of one or more lines. */
    PARAGRAPH,
    /** The first paragraph of a list item. */
    ITEM,
    /** A heading, which is one line. */
    HEADING,
    /** A cell of a table, which is one line. */
    CELL;

    /** Whether lines begin with what may open a block. */
    boolean hasLines() {
        return this == PARAGRAPH || this == ITEM;
    }

    /** Whether controls of direction that are left open are closed at its end. */
    boolean closesDirections() {
        return this != PARAGRAPH;
    }
}
