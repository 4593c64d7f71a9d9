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
 * @param local whether its recipients were inboxes of this server when it was queued
 * @param until when all attempts to hand it over must be over, by {@link System#nanoTime}
 */
record Parcel(UUID organization, UUID submission, @Nullable UUID message, String reversePath, Instant queuedAt,
        String destination, boolean local, long until, List<Recipient> recipients) {
    Parcel {
        recipients = List.copyOf(recipients);
    }

    /**
     * A recipient of it.
     *
     * @param attempts how often it was claimed, this time included
     * @param held how many of those never got as far as another server, through our own doing
     */
    record Recipient(int position, String address, int attempts, int held) {
        /** Which attempt this is of those that count in the schedule, from 1. */
        int attempt() {
            return attempts - held;
        }
    }

    View view() {
        return View.of(organization);
    }
}
