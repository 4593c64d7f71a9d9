package dev.inboxd.mail.text;

import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * A visible line of HTML.
 *
 * @param text without spaces behind it, and without spaces before it unless it is preformatted
 * @param node the text node of its first word, or the picture whose words these are; null for an empty line
 * @param offset of that word in the node's whole text
 */
public record HtmlLine(String text, @Nullable Node node, int offset) {
    private static final int LONGEST_SIGN = 20;
    private static final int MOST_AROUND = 32;
    private static final Set<String> HOLDERS = Set.of("a", "pre", "listing", "xmp", "code", "samp", "kbd", "tt");
    static final HtmlLine EMPTY = new HtmlLine("", null, 0);

    /**
     * The link or the code of which a {@code >} before its words is a part, or may be: then it need not say that the
     * line is quoted.
     *
     * @return null when there is none, and when no such sign stands there
     */
    public @Nullable Element signHolder() {
        if (!text.stripLeading().startsWith(">")) {
            return null;
        }
        if (node instanceof TextNode words && isSign(words.getWholeText(), offset)) {
            Element link = linkBehind(words);
            if (link != null) {
                return link;
            }
        }
        Node around = node;
        for (int i = 0; i < MOST_AROUND && around != null; i++) {
            if (around instanceof Element element && HOLDERS.contains(element.normalName())) {
                return element;
            }
            around = around.parent();
        }
        return null;
    }

    /** Whether a text has nothing but signs from a place on. */
    private static boolean isSign(String words, int from) {
        return words.length() - from <= LONGEST_SIGN
                && isBlank(words.substring(from).replace('>', ' '));
    }

    /** The link that follows a text and ends its line; null when there is none. */
    private static @Nullable Element linkBehind(Node text) {
        Node next = behind(text);
        return next instanceof Element link && link.nameIs("a") && behind(link) == null ? link : null;
    }

    /** The link or the text that follows in the same line, blanks left out. */
    private static @Nullable Node behind(Node node) {
        Node at = node;
        boolean inside = false;
        for (int i = 0; i < MOST_AROUND; i++) {
            Node next = inside && at.childNodeSize() > 0 ? at.childNode(0) : at.nextSibling();
            inside = next != null;
            if (next == null && at.parent() instanceof Element parent && isWithinLine(parent)) {
                at = parent;
            } else if (next == null || (next instanceof Element element && !isWithinLine(element))) {
                return null;
            } else if (next.nameIs("a") || (next instanceof TextNode words && !isBlank(words.getWholeText()))) {
                return next;
            } else {
                at = next;
            }
        }
        return null;
    }

    /** Whether a line goes on before and behind an element: the cells of a row stand in one. */
    private static boolean isWithinLine(Element element) {
        return !element.nameIs("br") && (!element.isBlock() || element.nameIs("td") || element.nameIs("th"));
    }

    private static boolean isBlank(String words) {
        return words.chars().allMatch(c -> c <= ' ' || c == '\u00A0');
    }
}
