package dev.inboxd.outbound;

import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.platform.database.View;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One recipient of a submission that is due, or several who are inboxes of this server, claimed by this node.
 *
 * @param message the stored message, or null for mail of the service itself
 * @param inbox the inbox that sends, or that is told; null for other mail of the service itself
 * @param queuedAt when it was accepted
 * @param dsn what its sender wants of reports by mail
 * @param destination the domain of its recipient, in lower case; of one of them where several are inboxes of this server
 * @param local whether its recipients were inboxes of this server when it was queued
 * @param until when all attempts to hand it over must be over, by {@link System#nanoTime}
 */
record QueueItem(
        UUID organization,
        UUID submission,
        @Nullable UUID message,
        @Nullable UUID inbox,
        String reversePath,
        Instant queuedAt,
        MailDsn dsn,
        String destination,
        boolean local,
        long until,
        List<Recipient> recipients) {
    QueueItem {
        recipients = List.copyOf(recipients);
    }

    /**
     * A recipient of it.
     *
     * @param attempts how often it was claimed, this time included
     * @param held how many of those never got as far as another server, through our own doing
     * @param dsn what its sender wants to be told of it by mail
     * @param delayReported whether its sender was told of the delay
     */
    record Recipient(int position, String address, int attempts, int held, RecipientDsn dsn, boolean delayReported) {
        /** Which attempt this is of those that count in the schedule, from 1. */
        int attempt() {
            return attempts - held;
        }
    }

    /** Whether it is one of our own reports, which nobody reports on. */
    boolean isReport() {
        return message == null && reversePath.isEmpty();
    }

    View view() {
        return View.of(organization);
    }
}
