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
}
