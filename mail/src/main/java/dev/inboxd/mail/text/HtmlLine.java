package dev.inboxd.mail.text;

import org.jsoup.nodes.Node;
import org.jspecify.annotations.Nullable;

/**
 * A visible line of HTML.
 *
 * @param text without spaces behind it, and without spaces before it unless it is preformatted
 * @param node the text node of its first word, or the picture whose words these are; null for an empty line
 * @param offset of that word in the node's whole text
 */
public record HtmlLine(String text, @Nullable Node node, int offset) {
    static final HtmlLine EMPTY = new HtmlLine("", null, 0);
}
