package dev.inboxd.submit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to hand over one message.
 *
 * @param host the host that was spoken to, or null when none could be reached
 * @param results one for each recipient, in the envelope's order
 */
public record Delivery(@Nullable SmtpEndpoint host, List<RecipientResult> results) {
    /** Copies the list. */
    public Delivery {
        results = List.copyOf(results);
    }

    /** Whether nobody was there to speak to, or is any more: the session could not be had, was lost, or was ended (421). */
    boolean endsSession() {
        return host == null || results.stream().anyMatch(result -> result instanceof RecipientResult.RefusedTemporarily later
                && (later.reply() == null || later.reply().code() == 421)); // RFC 5321 §3.8
    }
}
