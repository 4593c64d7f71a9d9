package dev.inboxd.submit;

import dev.inboxd.database.View;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A submission with those of its recipients that are due, claimed by this node.
 *
 * @param message the stored message, or null for mail of the service itself
 * @param queuedAt when it was accepted
 * @param destination the domain of all its recipients, in lower case; of one of them where one server takes all mail
 */
record Parcel(UUID organization, UUID submission, @Nullable UUID message, String reversePath, Instant queuedAt,
        String destination, List<Recipient> recipients) {
    Parcel {
        recipients = List.copyOf(recipients);
    }

    /** A recipient of it. */
    record Recipient(int position, String address, int attempts) {}

    View view() {
        return View.of(organization);
    }
}
