package dev.inboxd.mail.text;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.ShownHtml;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/** Two visitors in one visit: each gets what it would get alone. */
public final class VisitorPair implements ShownHtml.Visitor {
    private final ShownHtml.Visitor first;
    private final ShownHtml.Visitor second;

    /** The element whose nodes the first visitor does not want; null while it wants them. */
    private @Nullable Element leftByFirst;

    private @Nullable Element leftBySecond;

    public VisitorPair(ShownHtml.Visitor first, ShownHtml.Visitor second) {
        this.first = first;
        this.second = second;
    }

    @Override
    public boolean open(Element element, Appearance appearance) {
        if (leftByFirst == null && !first.open(element, appearance)) {
            leftByFirst = element;
        }
        if (leftBySecond == null && !second.open(element, appearance)) {
            leftBySecond = element;
        }
        boolean visited = leftByFirst == null || leftBySecond == null;
        if (!visited) {
            comeBack(element);
        }
        return visited;
    }

    @Override
    public void text(TextNode text, Appearance appearance) {
        if (leftByFirst == null) {
            first.text(text, appearance);
        }
        if (leftBySecond == null) {
            second.text(text, appearance);
        }
    }

    @Override
    public void leaf(Node node, Appearance appearance) {
        if (leftByFirst == null) {
            first.leaf(node, appearance);
        }
        if (leftBySecond == null) {
            second.leaf(node, appearance);
        }
    }

    @Override
    public void close(Element element, Appearance appearance) {
        if (leftByFirst == null) {
            first.close(element, appearance);
        }
        if (leftBySecond == null) {
            second.close(element, appearance);
        }
        comeBack(element);
    }

    private void comeBack(Element element) {
        leftByFirst = element.equals(leftByFirst) ? null : leftByFirst;
        leftBySecond = element.equals(leftBySecond) ? null : leftBySecond;
    }
}
