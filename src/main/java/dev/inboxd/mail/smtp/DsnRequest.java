package dev.inboxd.mail.smtp;

import java.util.List;

/**
 * What the sender of a message wants to be told of it (RFC 3461).
 *
 * @param mail of the message
 * @param recipients of each recipient, in the order of the recipients; empty when nothing was said of any
 */
public record DsnRequest(MailDsn mail, List<RecipientDsn> recipients) {
    /** Nothing was said. */
    public static final DsnRequest NONE = new DsnRequest(MailDsn.NONE, List.of());

    /** Copies the list. */
    public DsnRequest {
        recipients = List.copyOf(recipients);
    }

    /** Of the recipient in that place, counted from 0. */
    public RecipientDsn of(int place) {
        return place < recipients.size() ? recipients.get(place) : RecipientDsn.NONE;
    }
}
