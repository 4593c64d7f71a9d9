package dev.inboxd.mail.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identification fields of a message (RFC 5322 §3.6.4): ids as their senders wrote them, in angle brackets, without
 * the message's own id in References. They may have spaces or characters beyond ASCII.
 *
 * @param messageId null when absent, malformed or longer than 998 octets
 * @param inReplyTo the messages that this one answers, mostly one or none
 * @param references at most 50: the first and the last 49
 */
public record Identification(@Nullable String messageId, List<String> inReplyTo, List<String> references) {
    public Identification {
        inReplyTo = List.copyOf(inReplyTo);
        references = List.copyOf(references);
    }

    /** Whether an id has the form of RFC 5322 §3.6.4: visible ASCII in brackets, which may be a public id. */
    public static boolean isPlain(String id) {
        return id.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }
}
