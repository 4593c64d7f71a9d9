package dev.inboxd.mail.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identification fields of a message (RFC 5322 §3.6.4), ids with their angle brackets.
 *
 * @param messageId null when absent, malformed or longer than 998 octets
 * @param references at most 50: the first and the last 49
 */
public record Identification(@Nullable String messageId, List<String> inReplyTo, List<String> references) {
    public Identification {
        inReplyTo = List.copyOf(inReplyTo);
        references = List.copyOf(references);
    }
}
