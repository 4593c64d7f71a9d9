package dev.inboxd.mail.message;

/**
 * One header field for display.
 *
 * @param name as written in the message
 * @param value unfolded, encoded words decoded (RFC 2047), without control characters
 */
public record HeaderField(String name, String value) {}
