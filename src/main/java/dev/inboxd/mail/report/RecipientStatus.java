package dev.inboxd.mail.report;

import dev.inboxd.mail.smtp.EnhancedStatus;
import org.jspecify.annotations.Nullable;

/**
 * Status of one recipient in a report.
 *
 * @param address as the sender wrote it, if the report contains that; null when it names none
 * @param status the reason (RFC 3463); null when neither a code nor the words give it
 * @param diagnostic reply of the other server, at most 1,000 characters, perhaps empty
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
