package dev.inboxd.mail.markdown;

import dev.inboxd.mail.markdown.inline.InlineMarkdown;
import dev.inboxd.mail.markdown.inline.Place;
import dev.inboxd.mail.markdown.measure.WordCount;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes blocks with what stands before their lines: the signs of quotations, and the markers and indents of items. */
final class MarkdownBlocks {
    /** Deeper ones are left out: what stands before each line has a bound. */
    private static final int DEEPEST = 16;

    private final MarkdownSink sink;
    private final List<Container> around = new ArrayList<>();
    private List<Container> before = List.of();
    private boolean paragraphBefore;
    private boolean started;
    private boolean firstLine;
    /** What stands before the lines behind the first one; null before the second. */
    private @Nullable String continuationPrefix;

    private int rowCells;
    private int blocks;
    private int lines;
    private int words;
    private int characters;

    MarkdownBlocks(MarkdownSink sink) {
        this.sink = sink;
    }

    void push(Container container) {
        if (around.size() < DEEPEST) {
            around.add(container);
        }
    }

    List<Container> around() {
        return List.copyOf(around);
    }

    /** Puts a container around all but those within which it stands itself. */
    void pushWithin(List<Container> outer, Container container) {
        int at = Container.shared(outer, around);
        breakItems(at);
        around.add(at, container);
    }

    void remove(Container container) {
        int at = around.indexOf(container);
        around.remove(container);
        breakItems(at >= 0 && container.isQuote() ? at : around.size());
    }

    private void breakItems(int from) {
        for (int i = from; i < around.size(); i++) {
            around.get(i).broken |= around.get(i).marked;
        }
    }

    /** How many quotations there are around. */
    int quotes() {
        int quotes = 0;
        for (Container container : around) {
            quotes += container.isQuote() ? 1 : 0;
        }
        return quotes;
    }

    /** The innermost item, when nothing was written in it yet; null otherwise. */
    @Nullable
    Container freshItem() {
        Container last = around.isEmpty() ? null : around.getLast();
        return last != null && !last.isQuote() && last.isFresh() ? last : null;
    }

    /** Where a paragraph would stand that begins here. */
    Place place() {
        return freshItem() == null ? Place.PARAGRAPH : Place.ITEM;
    }

    /** How many blocks were begun. */
    int blocks() {
        return blocks;
    }

    int lines() {
        return lines;
    }

    int words() {
        return words;
    }

    int characters() {
        return characters;
    }

    /** A paragraph. */
    void paragraph(InlineMarkdown text) {
        begin();
        inline("", text);
        end(true);
    }

    /** A heading. */
    void heading(int level, InlineMarkdown text) {
        begin();
        inline("#".repeat(level) + " ", text);
        end(false);
    }

    /** The line in place of a quotation, within the items in which that stands. */
    void folded(int lines, int words) {
        List<Container> all = List.copyOf(around);
        int items = (int) all.stream().takeWhile(item -> !item.isQuote()).count();
        breakItems(items);
        around.subList(items, all.size()).clear();
        around.add(Container.quote(null));
        begin();
        line("[quoted: " + lines + (lines == 1 ? " line, " : " lines, ") + words + (words == 1 ? " word]" : " words]"));
        end(false);
        around.clear();
        around.addAll(all);
    }

    /** A line between blocks. */
    void rule() {
        Container item = freshItem();
        begin();
        String rule = item != null && item.marker.startsWith("-") ? "***" : "---"; // "- ---" would be one rule
        line(rule);
        end(false);
    }

    /** A block of lines of its own, such as a table: {@link #line} and {@link #cell} write them. */
    void begin() {
        int common = 0;
        while (common < around.size()
                && common < before.size()
                && around.get(common).continues(before.get(common))) {
            common++;
        }
        mark(common);
        if (started) {
            put("\n");
            if (!isTight(common)) {
                put(prefix(common).stripTrailing());
                put("\n");
            }
        }
        started = true;
        blocks++;
        firstLine = true;
    }

    /** Chooses the markers of items that begin: another than that of the list just before. */
    private void mark(int common) {
        for (int i = common; i < around.size(); i++) {
            Container item = around.get(i);
            ListKind list = item.list;
            if (list == null || item.marked) {
                continue;
            }
            ListKind last = i == common && i < before.size() ? before.get(i).list : null;
            if (list.switched == null) {
                list.switched = last != null && last.ordered == list.ordered && last.switched != null && !last.switched;
            }
            boolean switched = Boolean.TRUE.equals(list.switched);
            item.marker = list.ordered ? item.number + (switched ? ") " : ". ") : switched ? "* " : "- ";
        }
    }

    /** Whether no empty line stands between the block before and this one. */
    private boolean isTight(int common) {
        if (common >= around.size() || around.get(common).isQuote() || around.get(common).marked) {
            return false;
        }
        Container item = around.get(common);
        if (common < before.size()) {
            Container last = before.get(common);
            return last.list != null && last.list == item.list && !last.broken;
        }
        boolean within = common > 0 && !around.get(common - 1).isQuote() && paragraphBefore;
        return within && (item.list == null || !item.list.ordered || item.number == 1);
    }

    private String prefix(int count) {
        if (count == 0) {
            return "";
        }
        StringBuilder prefix = new StringBuilder();
        for (int i = 0; i < count; i++) {
            Container container = around.get(i);
            String item = container.marked ? " ".repeat(container.marker.length()) : container.marker;
            prefix.append(container.isQuote() ? "> " : container.broken ? "" : item);
        }
        return prefix.toString();
    }

    /** A line of a block. */
    void line(CharSequence line) {
        startLine(line.isEmpty());
        sink.text(line);
        lines += line.isEmpty() ? 0 : 1;
        count(line, 0, line.length());
    }

    private void startLine(boolean empty) {
        String prefix = continuationPrefix;
        if (firstLine || prefix == null) {
            prefix = prefix(around.size());
            continuationPrefix = firstLine ? null : prefix;
        }
        if (firstLine) {
            around.forEach(container -> container.marked = true);
        } else {
            put("\n");
        }
        firstLine = false;
        put(empty ? prefix.stripTrailing() : prefix);
    }

    private void inline(String opening, InlineMarkdown written) {
        String text = written.text();
        int place = 0;
        for (int start = 0; start <= text.length(); ) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            startLine(start == end);
            put(start == 0 ? opening : "");
            place = put(written, start, end, place);
            count(text, start, end);
            lines++;
            start = end + 1;
        }
        words += opening.isEmpty() ? 0 : 1;
        characters += opening.length();
    }

    private int put(InlineMarkdown written, int start, int end, int first) {
        int place = first;
        int from = start;
        while (place < written.places() && written.place(place) <= end) {
            int at = written.place(place);
            if (at > from) {
                sink.text(written.text().substring(from, at));
            }
            if (place % 2 == 0) {
                sink.targetStart();
            } else {
                sink.targetEnd();
            }
            from = at;
            place++;
        }
        put(written.text().substring(from, end));
        return place;
    }

    /** Begins a row of a table. */
    void beginRow() {
        startLine(false);
        rowCells = 0;
    }

    /** A cell of a row. */
    void cell(InlineMarkdown text) {
        put(rowCells++ == 0 ? "| " : " | ");
        put(text, 0, text.text().length(), 0);
        count(text.text(), 0, text.text().length());
    }

    /** Ends a row. */
    void endRow() {
        put(" |");
        words += rowCells + 1;
        lines++;
    }

    /** Ends a block. */
    void end(boolean isParagraph) {
        before = around.isEmpty() ? List.of() : List.copyOf(around);
        paragraphBefore = isParagraph;
        sink.blockEnd();
    }

    private void put(String text) {
        if (!text.isEmpty()) {
            sink.text(text);
        }
    }

    private void count(CharSequence text, int start, int end) {
        words += WordCount.of(text, start, end);
        characters += Character.codePointCount(text, start, end);
    }
}
