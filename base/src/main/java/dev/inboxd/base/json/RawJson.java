package dev.inboxd.base.json;

/**
 * JSON that is text already, such as a stored column; written unchanged.
 *
 * @param text one whole JSON value, trusted
 */
public record RawJson(String text) {}
