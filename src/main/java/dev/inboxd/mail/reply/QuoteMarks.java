package dev.inboxd.mail.reply;

import dev.inboxd.mail.text.HtmlLine;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeVisitor;
import org.jspecify.annotations.Nullable;

/** The marks of the lines of an HTML text: what its markup and its words tell together. */
final class QuoteMarks {
    private QuoteMarks() {}

    static Mark[] of(Document document, List<HtmlLine> seen, List<Line> lines) {
        @Nullable Mark[] given = given(document, seen);
        int last = lastIn(seen, given);
        Mark[] marks = Marks.of(lines, given);
        quoteBelowAttributions(seen, marks);
        if (last >= 0) {
            fill(seen, marks, last);
        }
        return marks;
    }

    /** Whether an element stands in one that is quoted. */
    static boolean isQuoted(Element element) {
        for (Element at = element; at != null; at = at.parent()) {
            if (at.nameIs("blockquote") || Markup.of(at) == Mark.QUOTE) {
                return true;
            }
        }
        return false;
    }

    /** What the markup tells of each line. */
    private static @Nullable Mark[] given(Document document, List<HtmlLine> seen) {
        IdentityHashMap<Node, Mark> own = new IdentityHashMap<>();
        Walk walk = new Walk(own);
        document.body().traverse(walk);
        @Nullable Mark[] given = new @Nullable Mark[seen.size()];
        for (int i = 0; i < given.length; i++) {
            TextNode node = seen.get(i).node();
            given[i] = node == null ? null : own.get(node);
        }
        return given;
    }

    /** Notes for each text what the nearest element around it tells, and the first text below a divider. */
    private static final class Walk implements NodeVisitor {
        private final IdentityHashMap<Node, Mark> own;
        private final List<Mark> around = new ArrayList<>();
        private boolean divided;

        Walk(IdentityHashMap<Node, Mark> own) {
            this.own = own;
        }

        @Override
        public void head(Node node, int depth) {
            if (node instanceof Element element) {
                Mark outer = around.isEmpty() ? Mark.TEXT : around.getLast();
                Mark mark = Markup.of(element);
                divided |= mark == Mark.ORIGINAL;
                around.add(mark == null || mark == Mark.ORIGINAL ? outer : mark);
            } else if (node instanceof TextNode text && !text.isBlank()) {
                Mark mark = divided ? Mark.ORIGINAL : around.isEmpty() ? Mark.TEXT : around.getLast();
                divided = false;
                if (mark != Mark.TEXT) {
                    own.put(text, mark);
                }
            }
        }

        @Override
        public void tail(Node node, int depth) {
            if (node instanceof Element) {
                around.removeLast();
            }
        }
    }

    /** A plain blockquote is one after an attribution; otherwise it may be a citation. */
    private static void quoteBelowAttributions(List<HtmlLine> seen, Mark[] marks) {
        for (int i = 1; i < marks.length; i++) {
            int before = marks[i - 1] == Mark.EMPTY && i > 1 ? i - 2 : i - 1;
            if (marks[i] == Mark.TEXT && marks[before] == Mark.ATTRIBUTION && blockquote(seen.get(i)) != null) {
                fill(seen, marks, i);
            }
        }
    }

    /** The last line, when it stands in a plain blockquote. */
    private static int lastIn(List<HtmlLine> seen, @Nullable Mark[] given) {
        int last = seen.size() - 1;
        return last >= 0 && given[last] == null && blockquote(seen.get(last)) != null ? last : -1;
    }

    /** Marks all lines that are in the same blockquote. */
    private static void fill(List<HtmlLine> seen, Mark[] marks, int line) {
        Element quote = blockquote(seen.get(line));
        for (int i = line; i >= 0 && isSame(seen.get(i), quote); i--) {
            marks[i] = marks[i] == Mark.EMPTY ? Mark.EMPTY : Mark.QUOTE;
        }
        for (int i = line; i < marks.length && isSame(seen.get(i), quote); i++) {
            marks[i] = marks[i] == Mark.EMPTY ? Mark.EMPTY : Mark.QUOTE;
        }
    }

    private static boolean isSame(HtmlLine line, @Nullable Element quote) {
        return line.node() == null || Objects.equals(blockquote(line), quote);
    }

    /** The outermost blockquote around a line. */
    private static @Nullable Element blockquote(HtmlLine line) {
        Element outermost = null;
        TextNode node = line.node();
        for (Node at = node == null ? null : node.parent(); at != null; at = at.parent()) {
            outermost = at instanceof Element element && element.nameIs("blockquote") ? element : outermost;
        }
        return outermost;
    }
}
