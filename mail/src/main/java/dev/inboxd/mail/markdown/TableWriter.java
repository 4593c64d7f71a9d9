package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.InlineMarkdown;
import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.inline.Place;
import dev.inboxd.mail.markdown.page.DataTable;
import dev.inboxd.mail.markdown.page.HtmlMail;
import dev.inboxd.mail.markdown.page.RenderWork;
import java.util.List;

/** Writes tables of data, a row at a time (GFM §4.10). */
final class TableWriter {
    private static final int STEPS_OF_A_CELL = 8;

    private final MarkdownBlocks blocks;
    private final RenderWork work;
    private final InlineText inline = new InlineText();
    private final HtmlWalk walk;

    TableWriter(HtmlMail mail, MarkdownBlocks blocks) {
        this.blocks = blocks;
        work = mail.nodes().work();
        walk = HtmlWalk.ofLine(mail, inline);
    }

    void write(DataTable table) {
        for (int title : table.titles()) {
            fill(title);
            if (!inline.isEmpty()) {
                blocks.paragraph(inline.write(blocks.place()));
            }
        }
        List<List<Integer>> rows = table.rows();
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        if (columns > DataTable.MOST_COLUMNS) {
            lines(rows);
            return;
        }
        blocks.begin();
        for (int i = 0; i < rows.size() && !work.isOver(); i++) {
            row(rows.get(i), columns);
            if (i == 0) {
                blocks.line("| --- ".repeat(columns) + "|");
            }
        }
        blocks.end(false);
    }

    private void row(List<Integer> row, int columns) {
        blocks.beginRow();
        for (int column = 0; column < columns; column++) {
            int cell = column < row.size() ? row.get(column) : -1;
            fill(cell);
            blocks.cell(inline.isEmpty() ? InlineMarkdown.EMPTY : inline.write(Place.CELL));
            work.spend(STEPS_OF_A_CELL);
        }
        blocks.endRow();
    }

    private void fill(int cell) {
        inline.clear();
        if (cell >= 0) {
            walk.line(cell);
        }
    }

    /** Too many columns for a table: a line each, as one paragraph, in which signs of one cell may meet another's. */
    private void lines(List<List<Integer>> rows) {
        inline.clear();
        for (List<Integer> row : rows) {
            inline.lineBreak();
            for (int cell : row) {
                inline.beginPart(" | ");
                if (cell >= 0) {
                    walk.line(cell);
                }
            }
        }
        inline.beginPart("");
        if (!inline.isEmpty()) {
            blocks.paragraph(inline.write(blocks.place()));
        }
    }
}
