package dev.inboxd.mail.reply;

import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.reply.line.LineKind;
import dev.inboxd.mail.reply.line.TextLine;
import dev.inboxd.mail.text.HtmlLine;
import dev.inboxd.mail.text.HtmlText;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * The sender's own part of an HTML text. The visible lines are classified like those of plain text, together with
 * their markup; then everything from the first quote on is removed from the tree.
 */
final class ReplyHtml {
    private static final int MAX_SIGNATURES = 2;

    private final String source;
    private final ShownHtml shown;
    private final Document document;
    private final List<HtmlLine> htmlLines;
    private final List<@Nullable TextContext> around;
    private final List<TextLine> lines;
    private final LineKind[] marks;
    private boolean changed;

    /** Reads HTML of any quality. */
    ReplyHtml(String html) {
        source = html;
        shown = ShownHtml.of(html);
        document = shown.document();
        htmlLines = HtmlText.lines(shown);
        around = TextContext.contexts(shown, htmlLines);
        lines = new ArrayList<>(htmlLines.size());
        htmlLines.forEach(line -> lines.add(TextLine.of(line.text(), line.signHolder())));
        marks = HtmlLineClassifier.of(around, lines);
    }

    /** Whether the whole has words that a person does not see; asked before anything is extracted. */
    boolean hidesWords() {
        return shown.hidesWords();
    }

    /** What a person sees of it; of its own part, once that was extracted. */
    ShownHtml shown() {
        return shown;
    }

    /**
     * Extracts the sender's own part, once.
     *
     * @return the HTML itself when nothing is cut; null when nothing remains
     */
    @Nullable
    Own own() {
        return cut() ? new Own(this::html, shown, !changed) : null;
    }

    /**
     * The own part.
     *
     * @param source its HTML
     * @param shown what a person sees of it by the style sheets of the whole mail
     * @param isAll whether nothing was cut
     */
    record Own(Supplier<String> source, ShownHtml shown, boolean isAll) {
        String html() {
            return source.get();
        }

        String text() {
            return HtmlText.render(shown);
        }
    }

    private boolean cut() {
        QuoteCutter cutter = QuoteCutter.of(lines, marks);
        BitSet keptLines = cutter.keptLines();
        int quote = QuoteCutter.firstQuote(lines, marks);
        boolean isWhole = keptLines.cardinality() == lines.size() && quote == lines.size();
        if (cutter.isForward() || isWhole) {
            return hasContent();
        }
        if (keptLines.isEmpty()) {
            return false;
        }
        int first = keptLines.nextSetBit(0);
        boolean beginsWithQuote = marks[0] == LineKind.QUOTE || marks[0].isSplitter();
        if (beginsWithQuote && keepsQuote(keptLines)) {
            return true; // answers between quotes: the whole text stays
        }
        int end = beginsWithQuote ? keptLines.length() : ownEnd(quote);
        List<Element> signatures = quote < marks.length ? signaturesBelow(quote) : List.of();
        removeFrom(end);
        removeBefore(beginsWithQuote ? first : 0);
        signatures.forEach(document.body()::appendChild);
        return hasContent();
    }

    private boolean keepsQuote(BitSet keptLines) {
        return keptLines.stream().anyMatch(i -> marks[i] == LineKind.QUOTE);
    }

    /** The end of the sender's own lines above a quote. */
    private int ownEnd(int quote) {
        LineKind[] above = new LineKind[quote];
        System.arraycopy(marks, 0, above, 0, quote);
        return QuoteCutter.of(lines.subList(0, quote), above).keptLines().length();
    }

    private boolean hasContent() {
        Element body = document.body();
        return body.nodeStream(TextNode.class).anyMatch(text -> !isBlank(text.getWholeText()))
                || body.selectFirst("img") != null;
    }

    private static boolean isBlank(String text) {
        return text.chars().allMatch(c -> c <= ' ' || c == '\u00A0' || c == '\u200B');
    }

    private String html() {
        if (!changed) {
            return source;
        }
        document.outputSettings().prettyPrint(false);
        return document.body().html().strip();
    }

    /** Copies of the signatures below the quote and outside it. */
    private List<Element> signaturesBelow(int quote) {
        Set<Element> signatures = new LinkedHashSet<>();
        for (int i = quote; i < around.size() && signatures.size() < MAX_SIGNATURES; i++) {
            TextContext line = around.get(i);
            if (line != null && line.signature() != null) {
                signatures.add(line.signature());
            }
        }
        return signatures.stream().map(Element::clone).toList();
    }

    private @Nullable HtmlLine nodeFrom(int line) {
        for (int i = line; i < htmlLines.size(); i++) {
            if (htmlLines.get(i).node() != null) {
                return htmlLines.get(i);
            }
        }
        return null;
    }

    /** Removes a line and everything behind it. */
    private void removeFrom(int line) {
        HtmlLine first = nodeFrom(line);
        if (first == null || first.node() == null) {
            return;
        }
        changed = true;
        removeAfter(endBefore(first.node(), first.offset()));
        // Elements without content at the end are removed as well.
        Node last = lastContent(document.body());
        if (last == null) {
            document.body().empty();
        } else {
            removeAfter(last);
        }
    }

    /** A node that ends where a line begins. */
    private static Node endBefore(Node node, int offset) {
        if (node instanceof TextNode text) {
            text.text(text.getWholeText().substring(0, offset).stripTrailing());
            return text;
        }
        TextNode end = new TextNode("");
        node.before(end);
        return end;
    }

    /** Removes everything behind a node. Not one node at a time: each removal renumbers all remaining ones. */
    private void removeAfter(Node last) {
        for (Node at = last; at.parent() instanceof Element parent && !at.equals(document.body()); at = parent) {
            int keptCount = at.siblingIndex() + 1;
            if (keptCount < parent.childNodeSize()) {
                List<Node> children = List.copyOf(parent.childNodes().subList(0, keptCount));
                parent.empty();
                parent.appendChildren(children);
            }
        }
    }

    /** Removes everything before a line. */
    private void removeBefore(int line) {
        HtmlLine first = nodeFrom(line);
        if (line == 0 || first == null || first.node() == null) {
            return;
        }
        changed = true;
        if (first.node() instanceof TextNode text) {
            text.text(text.getWholeText().substring(first.offset()));
        }
        for (Node at = first.node();
                at.parent() instanceof Element parent && !at.equals(document.body());
                at = parent) {
            List<Node> children = List.copyOf(parent.childNodes());
            parent.empty();
            parent.appendChildren(children.subList(at.siblingIndex(), children.size()));
        }
    }

    /** The last leaf with content; null when there is none. Every node is visited once. */
    private static @Nullable Node lastContent(Element root) {
        Node leaf = lastLeaf(root);
        while (!saysSomething(leaf)) {
            Node at = leaf;
            while (at != null && !at.equals(root) && at.previousSibling() == null) {
                at = at.parent();
            }
            Node before = at == null || at.equals(root) ? null : at.previousSibling();
            if (before == null) {
                return null;
            }
            leaf = lastLeaf(before);
        }
        return leaf;
    }

    private static boolean saysSomething(Node leaf) {
        return leaf instanceof TextNode text ? !isBlank(text.getWholeText()) : leaf.nameIs("img");
    }

    private static Node lastLeaf(Node root) {
        Node leaf = root;
        for (Node child = leaf.lastChild(); child != null; child = leaf.lastChild()) {
            leaf = child;
        }
        return leaf;
    }
}
