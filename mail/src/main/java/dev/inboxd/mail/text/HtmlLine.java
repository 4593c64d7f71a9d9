package dev.inboxd.mail.text;

import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * A visible line of HTML.
 *
 * @param text without spaces around it
 * @param node the text node of its first word; null for an empty line
 * @param offset of that word in the node's whole text
 */
public record HtmlLine(String text, @Nullable TextNode node, int offset) {}
