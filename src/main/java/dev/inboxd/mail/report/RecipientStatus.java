package dev.inboxd.mail.report;

import dev.inboxd.mail.smtp.EnhancedStatus;
import org.jspecify.annotations.Nullable;

/**
 * How one recipient fared.
 *
 * @param address as the sender wrote it, where the report says that; null when it names nobody
 * @param status why (RFC 3463); null when neither a code nor the words say
 * @param diagnostic what the other server said, at most 1,000 characters, perhaps empty
 */
public record RecipientStatus(
        @Nullable String address,
        DsnAction action,
        @Nullable EnhancedStatus status,
        String diagnostic) {
    private static final int MAX_DIAGNOSTIC = 1_000;

    public RecipientStatus {
        diagnostic = diagnostic.substring(0, Math.min(diagnostic.length(), MAX_DIAGNOSTIC));
    }
}
