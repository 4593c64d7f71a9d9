package dev.inboxd.mail.markdown;

import dev.inboxd.mail.reply.MailKind;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of a mail.
 *
 * @param subject of the mail; null when there is none
 * @param text the text/plain body; null when there is none
 * @param flowed the same with its lines joined (RFC 3676), where its format says so; null otherwise
 * @param html the text/html body; null when there is none
 * @param kind what the mail is in its conversation
 * @param files the names of the mail's files by their Content-ID without brackets
 */
public record MarkdownSource(
        @Nullable String subject,
        @Nullable String text,
        @Nullable String flowed,
        @Nullable String html,
        MailKind kind,
        Map<String, String> files) {
    /** Copies the map. */
    public MarkdownSource {
        files = Map.copyOf(files);
    }

    /** The text body as it is shown: with joined lines, where its format says so; empty when there is none. */
    String shownText() {
        String joined = flowed;
        return joined != null ? joined : Objects.requireNonNullElse(text, "");
    }
}
