package dev.inboxd.platform.json;

/**
 * JSON that is already text, such as a stored column; written as it is.
 *
 * @param text one whole JSON value, trusted
 */
public record RawJson(String text) {}
