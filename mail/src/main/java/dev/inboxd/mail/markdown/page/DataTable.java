package dev.inboxd.mail.markdown.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Node;
import org.jspecify.annotations.Nullable;

/** A table whose cells belong together by rows and columns, and do not only stand beside each other. */
public final class DataTable {
    /** With more of them it stands as lines. */
    public static final int MOST_COLUMNS = 40;

    private static final int MOST_ELEMENTS = 20_000;
    private static final int LONGEST_CELL = 200;
    private static final int MOST_SPAN = 1_000;

    private final SeenNodes nodes;
    private final int table;
    private final List<Row> rows = new ArrayList<>();
    private final List<Integer> captions = new ArrayList<>();
    private boolean headed;
    private boolean named;
    private boolean nested;
    private boolean blocks;
    private boolean longCells;

    /** A row; those of the head come first, those of the foot last. */
    private record Row(int section, List<Cell> cells) {
        /** Whether all that is seen of it, two cells at least, is head. */
        boolean isHead() {
            return filled() >= 2 && cells.stream().allMatch(cell -> cell.isHead || !cell.isFilled);
        }

        int filled() {
            int filled = 0;
            for (Cell cell : cells) {
                filled += cell.isFilled ? 1 : 0;
            }
            return filled;
        }
    }

    /**
     * A cell.
     *
     * @param columns how many it spans
     * @param rows how many it spans
     */
    private record Cell(int node, int columns, int rows, boolean isFilled, boolean isHead) {}

    private DataTable(SeenNodes nodes, int table) {
        this.nodes = nodes;
        this.table = table;
        read();
    }

    /** The table of data that an element is; null when it is layout. */
    public static @Nullable DataTable of(SeenNodes nodes, int table) {
        nodes.work().spend(nodes.end(table) - table);
        if (isTooLarge(nodes, table)) {
            return null;
        }
        DataTable read = new DataTable(nodes, table);
        return read.isData() ? read : null;
    }

    private static boolean isTooLarge(SeenNodes nodes, int table) {
        int elements = 0;
        if (nodes.end(table) - table > MOST_ELEMENTS) {
            for (int i = table + 1; i < nodes.end(table); i++) {
                elements += nodes.name(i).isEmpty() ? 0 : 1;
            }
        }
        return elements > MOST_ELEMENTS;
    }

    private void read() {
        int section = 1;
        int sectionEnd = 0;
        Row row = null;
        for (int i = table + 1; i < nodes.end(table); ) {
            section = i >= sectionEnd ? 1 : section;
            int next = i + 1;
            switch (nodes.name(i)) {
                case "table" -> next = nodes.end(i);
                case "caption" -> {
                    captions.add(i);
                    named = true;
                    next = nodes.end(i);
                }
                case "thead", "tfoot" -> {
                    section = nodes.name(i).equals("thead") ? 0 : 2;
                    sectionEnd = nodes.end(i);
                    named = true;
                }
                case "tr" -> {
                    row = new Row(section, new ArrayList<>());
                    rows.add(row);
                }
                case "td", "th" -> {
                    if (row == null) {
                        row = new Row(section, new ArrayList<>());
                        rows.add(row);
                    }
                    row.cells.add(cell(i));
                    next = nodes.end(i);
                }
                default -> {}
            }
            i = next;
        }
        rows.sort(Comparator.comparingInt(Row::section));
    }

    private Cell cell(int node) {
        int length = 0;
        boolean filled = false;
        for (int i = node + 1; i < nodes.end(node); i++) {
            switch (nodes.name(i)) {
                case "table" -> nested = true;
                case "ul", "ol", "dl", "h1", "h2", "h3", "h4", "h5", "h6" -> blocks = true;
                default -> {}
            }
            filled = filled || nodes.isWord(i) || Pictures.isSeen(nodes, i);
            length += length > LONGEST_CELL ? 0 : nodes.text(i).strip().length();
        }
        longCells |= length > LONGEST_CELL;
        boolean head = nodes.name(node).equals("th");
        headed |= head;
        return new Cell(node, span(node, "colspan"), span(node, "rowspan"), filled, head);
    }

    private int span(int node, String name) {
        return Math.clamp(nodes.number(node, name, 1), 1, MOST_SPAN);
    }

    private boolean isData() {
        String role = nodes.attribute(table, "role").strip();
        boolean presented = role.equalsIgnoreCase("presentation") || role.equalsIgnoreCase("none");
        List<Row> filledRows = rows.stream().filter(row -> row.filled() > 0).toList();
        if (filledRows.isEmpty() || (presented && !headed)) {
            return false;
        }
        boolean block = nested || blocks || longCells;
        if (headed || named) {
            return !(filledRows.size() == 1 && block); // a head without anything below holds a layout
        }
        return !block && isRegular(filledRows) && !isBulleted(filledRows) && !isMail();
    }

    /** Whether two thirds of the rows have as many cells with content, two at least. */
    private static boolean isRegular(List<Row> rows) {
        Map<Integer, Integer> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(row.filled(), 1, Integer::sum));
        int most = 0;
        for (Map.Entry<Integer, Integer> count : counts.entrySet()) {
            most = count.getKey() >= 2 ? Math.max(most, count.getValue()) : most;
        }
        return rows.size() >= 2 && 3 * most >= 2 * rows.size();
    }

    /** Whether the first cells are the bullets of a list. */
    private boolean isBulleted(List<Row> rows) {
        return rows.stream().allMatch(row -> {
            int first = row.cells.getFirst().node;
            StringBuilder words = new StringBuilder();
            for (int i = first; i < nodes.end(first) && words.length() < LONGEST_CELL; i++) {
                words.append(nodes.text(i));
            }
            String bare = words.toString().replace('\u00A0', ' ').strip();
            return bare.length() == 1 && !Character.isLetterOrDigit(bare.charAt(0)) && bare.charAt(0) >= 0xA7;
        });
    }

    /** Whether it is the outermost table, as wide as the mail, and all that the mail has. */
    private boolean isMail() {
        if (!nodes.is(table, SeenNodes.WIDE) || !nodes.hasAllWords(table)) {
            return false;
        }
        for (Node around = nodes.node(table).parent(); around != null; around = around.parent()) {
            if (around.nameIs("table")) {
                return false;
            }
        }
        return true;
    }

    /** What stands above the head: the captions, and the cells of rows in front of the one that is the head. */
    public List<Integer> titles() {
        List<Integer> titles = new ArrayList<>(captions);
        grid().subList(0, aboveHead()).forEach(titles::addAll);
        titles.removeIf(cell -> cell < 0);
        return titles;
    }

    /** The cells by their rows and columns; -1 where none begins. The head comes first. Rows without words are none. */
    public List<List<Integer>> rows() {
        List<List<Integer>> grid = grid();
        List<List<Integer>> filledRows = new ArrayList<>(grid.subList(aboveHead(), grid.size()));
        filledRows.removeIf(List::isEmpty);
        return filledRows;
    }

    /** How many rows stand above the one that is the head. */
    private int aboveHead() {
        boolean has = rows.getFirst().section > 0 && rows.stream().anyMatch(Row::isHead);
        int above = 0;
        while (has && !rows.get(above).isHead()) {
            if (rows.get(above).filled() > 1) {
                return 0;
            }
            above++;
        }
        return above;
    }

    /** The cells by their columns; a row without words is empty. */
    private List<List<Integer>> grid() {
        List<List<Integer>> grid = new ArrayList<>(rows.size());
        List<Integer> busy = List.of();
        int section = 0;
        for (Row row : rows) {
            busy = row.section() == section ? busy : List.of(); // no cell spans into another section
            section = row.section();
            List<Integer> columns = new ArrayList<>();
            List<Integer> following = new ArrayList<>();
            for (Cell cell : row.cells()) {
                while (columns.size() < busy.size() && busy.get(columns.size()) > 0) {
                    following.add(busy.get(columns.size()) - 1);
                    columns.add(-1);
                }
                boolean within = columns.size() <= MOST_COLUMNS;
                for (int i = 0; i < cell.columns() && columns.size() <= MOST_COLUMNS; i++) {
                    columns.add(i == 0 ? cell.node() : -1);
                    following.add(cell.rows() - 1);
                }
                if (!within) {
                    columns.add(cell.node());
                    following.add(0);
                }
            }
            while (columns.size() < busy.size() && busy.get(columns.size()) > 0) {
                following.add(busy.get(columns.size()) - 1);
                columns.add(-1);
            }
            grid.add(row.cells().stream().anyMatch(Cell::isFilled) ? columns : List.of());
            busy = following;
        }
        return grid;
    }
}
