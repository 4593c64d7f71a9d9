package dev.inboxd.mail.screen;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a mail says, decoded. The screen reads the first 256 KiB of each text, and finds by itself what is quoted from
 * earlier mail.
 *
 * @param subject null when there is none
 * @param fromName the display name of the author, null when there is none
 * @param text the text/plain body, null when there is none
 * @param html the text/html body, null when there is none
 * @param attachments attachments with text, calendars, and the texts of messages in the message
 * @param names what people are called whom it shows beside the author, and files
 * @param fields the values of header fields that are shown, a line each
 */
public record ScreenInput(
        @Nullable String subject,
        @Nullable String fromName,
        @Nullable String text,
        @Nullable String html,
        List<ScreenAttachment> attachments,
        List<String> names,
        String fields) {
    public ScreenInput {
        attachments = List.copyOf(attachments);
        names = List.copyOf(names);
    }
}
