package dev.inboxd.mail.message;

import dev.inboxd.mail.format.FlowedText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Content of a message. Shown text has LF line ends, no U+0000, no lone surrogates, and at most 1 MiB of source
 * octets.
 *
 * @param text the text/plain body, null when there is none or none that can be seen beside HTML
 * @param flowed the same as {@link FlowedText} reads it, null when no part of it is format=flowed
 * @param html the text/html body, null when there is none
 * @param attachments all other leaves in order
 */
public record Body(
        @Nullable String text,
        @Nullable String flowed,
        @Nullable String html,
        List<AttachmentPart> attachments) {
    public Body {
        attachments = List.copyOf(attachments);
    }
}
