package dev.inboxd.mcp.result;

/**
 * A member of a result that others wrote at any length: the body of a mail, the text of a file. It may be cut.
 *
 * @param text the text
 * @param isFenced whether it stands between fences
 */
public record LongText(String text, boolean isFenced) {}
