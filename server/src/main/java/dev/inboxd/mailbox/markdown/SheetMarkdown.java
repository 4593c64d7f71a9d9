package dev.inboxd.mailbox.markdown;

import dev.inboxd.mail.markdown.MarkdownSink;
import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.inline.Place;
import java.util.function.IntConsumer;

/**
 * The stored text of a workbook as Markdown: a heading and a table for each sheet (markdown.md §8). In that text the
 * name of a sheet is a line without a tab, and a row is a line with a tab behind each cell. Empty cells at the end of a
 * row are not written (GFM §4.10), so that the Markdown is at most a few times as long as the text.
 */
final class SheetMarkdown {
    private static final int MOST_COLUMNS = 40;

    private final String text;
    private final MarkdownSink sink;
    private final InlineText inline = new InlineText();
    private boolean isBegun;

    private SheetMarkdown(String text, MarkdownSink sink) {
        this.text = text;
        this.sink = sink;
    }

    static void write(String text, MarkdownSink sink) {
        new SheetMarkdown(text, sink).write();
    }

    private void write() {
        int start = 0;
        while (start < text.length()) {
            if (isRow(start)) {
                start = table(start);
            } else {
                String name = written(text.substring(start, end(start)), Place.HEADING);
                if (!name.isEmpty()) {
                    begin();
                    sink.text("## " + name);
                    sink.blockEnd();
                }
                start = end(start) + 1;
            }
        }
    }

    private int end(int start) {
        int lineFeed = text.indexOf('\n', start);
        return lineFeed < 0 ? text.length() : lineFeed;
    }

    private boolean isRow(int start) {
        int tab = text.indexOf('\t', start);
        boolean isLast = end(start) == text.length();
        return (tab >= 0 && tab < end(start)) || (isLast && isBegun); // the last row may be cut
    }

    /** Writes the rows that begin here; returns where they end. */
    private int table(int start) {
        int[] columns = {0};
        int end = rows(start, row -> columns[0] = Math.max(columns[0], cells(row).length));
        if (columns[0] > 0) {
            begin();
            StringBuilder line = new StringBuilder();
            rows(start, row -> {
                line.setLength(0);
                line.append(row == start ? "" : "\n");
                if (columns[0] > MOST_COLUMNS) {
                    loose(cells(row), line);
                } else {
                    cells(cells(row), row == start ? columns[0] : 1, line);
                    line.append(row == start ? "\n" + "| --- ".repeat(columns[0]) + "|" : "");
                }
                sink.text(line);
            });
            sink.blockEnd();
        }
        return end;
    }

    private int rows(int start, IntConsumer row) {
        int place = start;
        while (place < text.length() && isRow(place)) {
            row.accept(place);
            place = end(place) + 1;
        }
        return place;
    }

    /** The cells of the row that begins here, as far as they have something in them. */
    private String[] cells(int row) {
        String cells = text.substring(row, end(row)).stripTrailing();
        return cells.isEmpty() ? new String[0] : cells.split("\t", -1);
    }

    /** @param least the least number of cells */
    private void cells(String[] row, int least, StringBuilder line) {
        for (int column = 0; column < Math.max(row.length, least); column++) {
            String cell = column < row.length ? written(row[column], Place.CELL) : "";
            line.append(cell.isEmpty() ? "| " : "| " + cell + " ");
        }
        line.append('|');
    }

    /** Too many columns for a table: the cells of a row in a line. */
    private void loose(String[] row, StringBuilder line) {
        boolean isFirst = true;
        for (String value : row) {
            String cell = written(value, isFirst ? Place.PARAGRAPH : Place.CELL);
            if (!cell.isEmpty()) {
                // a line below others: a rule makes a heading of them, or a table
                boolean isRule = isFirst && (cell.charAt(0) == ':' || cell.charAt(0) == '=');
                line.append(isFirst ? "" : " | ").append(isRule ? "\\" : "").append(cell);
                isFirst = false;
            }
        }
    }

    private String written(String words, Place place) {
        inline.clear();
        inline.append(words, 0);
        return inline.write(place).text();
    }

    private void begin() {
        if (isBegun) {
            sink.text("\n\n");
        }
        isBegun = true;
    }
}
