package dev.inboxd.mail.screen;

/**
 * An attachment with text, or a calendar part, as the screen reads it.
 *
 * @param name the file name, empty when it has none
 * @param contentType the media type, such as {@code text/plain}
 * @param text decoded by the caller; the screen reads the first 256 KiB of it, and 640 KiB of all attachments
 */
public record ScreenAttachment(String name, String contentType, String text) {}
