package dev.inboxd.outbound;

import dev.inboxd.base.database.View;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A claimed part of a submission: one recipient at another server, or all due recipients with inboxes of this server.
 *
 * @param message the stored message, or null for mail of the service itself
 * @param inbox the sending inbox, or the inbox that a report is for; null for other mail of the service itself
 * @param queuedAt when the submission was accepted
 * @param dsn the delivery status notifications that the sender requested
 * @param destination the recipient's domain, in lower case; of one of them where several have inboxes of this server
 * @param local whether the recipients had inboxes of this server when the submission was queued
 * @param until the deadline of all attempts of this claim, by {@link System#nanoTime}
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
     * A recipient.
     *
     * @param attempts number of claims, this one included
     * @param held number of those claims that reached no other server because of this server
     * @param dsn the notifications requested for this recipient
     * @param delayReported whether the delay was reported to the sender by mail
     */
    record Recipient(int position, String address, int attempts, int held, RecipientDsn dsn, boolean delayReported) {
        /** The number of this attempt in the retry schedule, from 1. */
        int attempt() {
            return attempts - held;
        }
    }

    /** Whether the message is a report of this server, on which no report is sent. */
    boolean isReport() {
        return message == null && reversePath.isEmpty();
    }

    View view() {
        return View.of(organization);
    }
}
