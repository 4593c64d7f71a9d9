package dev.inboxd.sending.feedback;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a report that is believed says about one recipient of one message.
 *
 * @param organization whose message it was
 * @param recipient the recipient's place in the queue
 * @param mail the message
 * @param outcome what became of it
 * @param proven whether the recipient's own return path shows that it is from the server that took the mail
 */
public record RecipientReport(
        UUID organization, Recipient recipient, SentMessage mail, ReportedOutcome outcome, boolean proven) {
    /**
     * A recipient's row.
     *
     * @param position its place in the submission
     */
    record Recipient(UUID submission, int position, String address) {}

    /**
     * A message that was sent.
     *
     * @param id its key, null for mail of the service itself
     * @param name its Message-ID, null when it was deleted since
     * @param inbox the inbox that sent it, null when that is gone, or for mail of the service itself
     * @param wantsReports whether reports about it are to be put into that inbox
     */
    record SentMessage(
            @Nullable UUID id,
            @Nullable String name,
            @Nullable UUID inbox,
            boolean wantsReports) {}

    /** Whether it is about a message of that inbox. */
    public boolean isAbout(UUID inbox) {
        return inbox.equals(mail.inbox);
    }

    /** The Message-ID of the message reported on, which the report answers; null when it is gone. */
    public @Nullable String about() {
        return mail.name;
    }
}
