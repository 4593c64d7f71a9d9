package dev.inboxd.mail.smtp;

import java.util.List;

/**
 * The delivery status notifications that the sender of a message requests (RFC 3461).
 *
 * @param mail parameters of the message
 * @param recipients parameters of each recipient, in their order; empty when no recipient has any
 */
public record DsnRequest(MailDsn mail, List<RecipientDsn> recipients) {
    /** No parameters. */
    public static final DsnRequest NONE = new DsnRequest(MailDsn.NONE, List.of());

    /** Copies the list. */
    public DsnRequest {
        recipients = List.copyOf(recipients);
    }

    /** The parameters of the recipient at that position, counted from 0. */
    public RecipientDsn of(int place) {
        return place < recipients.size() ? recipients.get(place) : RecipientDsn.NONE;
    }
}
