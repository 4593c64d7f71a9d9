package dev.inboxd.mailbox.markdown;

import dev.inboxd.mail.markdown.MarkdownSink;
import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.inline.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * The stored text of a workbook as Markdown: a heading and a table for each sheet (markdown.md §8). In that text the
 * name of a sheet is a line without a tab, and a row is a line with a tab behind each cell.
 */
final class SheetMarkdown {
    private static final int MOST_COLUMNS = 40;

    private final MarkdownSink sink;
    private final InlineText inline = new InlineText();
    private final List<String[]> rows = new ArrayList<>();
    private boolean isBegun;

    private SheetMarkdown(MarkdownSink sink) {
        this.sink = sink;
    }

    static void write(String text, MarkdownSink sink) {
        SheetMarkdown sheets = new SheetMarkdown(sink);
        int start = 0;
        while (start < text.length()) {
            int lineFeed = text.indexOf('\n', start);
            int end = lineFeed < 0 ? text.length() : lineFeed;
            String line = text.substring(start, end);
            if (line.indexOf('\t') >= 0 || (lineFeed < 0 && sheets.isBegun)) { // the last row may be cut
                sheets.rows.add((line.endsWith("\t") ? line.substring(0, line.length() - 1) : line).split("\t", -1));
            } else if (!line.isBlank()) {
                sheets.endTable();
                sheets.block("## " + sheets.written(line, Place.HEADING));
            }
            start = end + 1;
        }
        sheets.endTable();
    }

    private void endTable() {
        int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
        if (columns == 0) {
            return;
        }
        StringBuilder line = new StringBuilder();
        begin();
        for (int i = 0; i < rows.size(); i++) {
            line.setLength(0);
            line.append(i == 0 ? "" : "\n");
            if (columns > MOST_COLUMNS) {
                loose(rows.get(i), line);
            } else {
                cells(rows.get(i), columns, line);
                line.append(i == 0 ? "\n" + "| --- ".repeat(columns) + "|" : "");
            }
            sink.text(line);
        }
        sink.blockEnd();
        rows.clear();
    }

    private void cells(String[] row, int columns, StringBuilder line) {
        for (int column = 0; column < columns; column++) {
            String cell = column < row.length ? written(row[column], Place.CELL) : "";
            line.append(cell.isEmpty() ? "| " : "| " + cell + " ");
        }
        line.append('|');
    }

    /** Too many columns for a table: the cells of a row in a line. */
    private void loose(String[] row, StringBuilder line) {
        String separator = "";
        for (String each : row) {
            String cell = written(each, separator.isEmpty() ? Place.ITEM : Place.CELL);
            line.append(cell.isEmpty() ? "" : separator + cell);
            separator = cell.isEmpty() ? separator : " | ";
        }
    }

    private void block(String text) {
        begin();
        sink.text(text);
        sink.blockEnd();
    }

    private void begin() {
        if (isBegun) {
            sink.text("\n\n");
        }
        isBegun = true;
    }

    private String written(String text, Place place) {
        inline.clear();
        inline.append(text, 0);
        return inline.isEmpty() ? "" : inline.write(place).text();
    }
}
