package dev.inboxd.sending.feedback;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a believed report says about one recipient of one message.
 *
 * @param organization the organization that sent the message
 * @param recipient the recipient's row in the submission queue
 * @param mail the message
 * @param outcome a failure, a delay or a complaint
 * @param proven whether it came to the recipient's own return path, which only the servers that handled that copy know
 */
public record RecipientReport(
        UUID organization, Recipient recipient, SentMessage mail, ReportedOutcome outcome, boolean proven) {
    /**
     * The row of a recipient.
     *
     * @param position its place in the submission
     */
    record Recipient(UUID submission, int position, String address) {}

    /**
     * The sent message.
     *
     * @param id its internal id, null for mail of the service itself
     * @param name its Message-ID, null when it was deleted since
     * @param inbox the inbox that sent it, null when that was deleted, or for mail of the service itself
     * @param wantsReports whether reports about it are stored in that inbox
     */
    record SentMessage(
            @Nullable UUID id,
            @Nullable String name,
            @Nullable UUID inbox,
            boolean wantsReports) {}

    /** Whether it is about a message of this inbox. */
    public boolean isAbout(UUID inbox) {
        return inbox.equals(mail.inbox);
    }

    /** The Message-ID of the reported message; null when it was deleted. */
    public @Nullable String about() {
        return mail.name;
    }
}
