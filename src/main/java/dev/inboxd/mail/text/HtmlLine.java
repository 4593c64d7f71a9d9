package dev.inboxd.mail.text;

import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * A line of HTML as it is seen.
 *
 * @param text without spaces around it
 * @param node where its first word stands; null for an empty line
 * @param offset of that word in the node's whole text
 */
public record HtmlLine(String text, @Nullable TextNode node, int offset) {}
