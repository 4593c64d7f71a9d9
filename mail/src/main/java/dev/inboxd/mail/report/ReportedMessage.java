package dev.inboxd.mail.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The message that a report is about, as the report quotes it. It is untrusted: anybody can write anything there.
 *
 * @param messageId with its angle brackets, or null
 * @param returnPath the reverse-path it had when it was reported, or null
 * @param to its recipients, at most 100
 * @param isOfProvider whether a provider has added its own recipient to it, as some do in complaints
 */
public record ReportedMessage(
        @Nullable String messageId, @Nullable String returnPath, List<String> to, boolean isOfProvider) {
    static final ReportedMessage UNKNOWN = new ReportedMessage(null, null, List.of(), false);

    public ReportedMessage {
        to = List.copyOf(to);
    }

    /** This message; members that it lacks are those of the fallback. */
    ReportedMessage or(ReportedMessage fallback) {
        return new ReportedMessage(
                messageId != null ? messageId : fallback.messageId,
                returnPath != null ? returnPath : fallback.returnPath,
                to.isEmpty() ? fallback.to : to,
                isOfProvider || fallback.isOfProvider);
    }
}
