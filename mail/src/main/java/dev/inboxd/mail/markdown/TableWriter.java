package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.InlineMarkdown;
import dev.inboxd.mail.markdown.inline.InlineText;
import dev.inboxd.mail.markdown.inline.Place;
import dev.inboxd.mail.markdown.page.DataTable;
import dev.inboxd.mail.markdown.page.HtmlMail;
import dev.inboxd.mail.markdown.page.RenderWork;
import java.util.ArrayList;
import java.util.List;

/** Writes tables of data, a row at a time (GFM §4.10). */
final class TableWriter {
    private static final int MOST_COLUMNS = 40;
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
        for (int caption : table.captions()) {
            fill(caption);
            if (!inline.isEmpty()) {
                blocks.paragraph(inline.write(Place.PARAGRAPH));
            }
        }
        List<List<Integer>> rows = placed(table.rows());
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        if (columns > MOST_COLUMNS) {
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

    /** Too many columns for a table: a line each, as a paragraph. */
    private void lines(List<List<Integer>> rows) {
        blocks.begin();
        for (List<Integer> row : rows) {
            blocks.beginRow();
            boolean first = true;
            for (int cell : row) {
                fill(cell);
                if (!inline.isEmpty()) {
                    blocks.beside(inline.write(first ? Place.ITEM : Place.CELL), first);
                    first = false;
                }
            }
        }
        blocks.end(true);
    }

    /** The cells by their columns; -1 where none begins. */
    private static List<List<Integer>> placed(List<DataTable.Row> rows) {
        List<List<Integer>> placed = new ArrayList<>(rows.size());
        List<Integer> busy = new ArrayList<>();
        for (DataTable.Row row : rows) {
            List<Integer> columns = new ArrayList<>();
            List<Integer> following = new ArrayList<>();
            for (DataTable.Cell cell : row.cells()) {
                while (columns.size() < busy.size() && busy.get(columns.size()) > 0) {
                    following.add(busy.get(columns.size()) - 1);
                    columns.add(-1);
                }
                for (int i = 0; i < cell.columns() && columns.size() <= MOST_COLUMNS; i++) {
                    columns.add(i == 0 ? cell.node() : -1);
                    following.add(cell.rows() - 1);
                }
                if (columns.size() > MOST_COLUMNS) {
                    columns.add(cell.node());
                    following.add(0);
                }
            }
            while (columns.size() < busy.size() && busy.get(columns.size()) > 0) {
                following.add(busy.get(columns.size()) - 1);
                columns.add(-1);
            }
            placed.add(columns);
            busy = following;
        }
        return placed;
    }
}
