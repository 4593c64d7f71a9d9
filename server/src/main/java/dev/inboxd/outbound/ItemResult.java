package dev.inboxd.outbound;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an attempt.
 *
 * @param item the attempted item
 * @param outcomes by recipient
 * @param report the report to the sender, composed ahead, if one is due
 */
record ItemResult(
        QueueItem item,
        Map<QueueItem.Recipient, RecipientOutcome> outcomes,
        DsnReports.@Nullable PreparedReport report) {
    ItemResult {
        outcomes = Collections.unmodifiableMap(new LinkedHashMap<>(outcomes)); // in their order
    }
}
