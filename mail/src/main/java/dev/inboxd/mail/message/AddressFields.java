package dev.inboxd.mail.message;

import dev.inboxd.mail.address.MailAddress;
import java.util.List;

/**
 * The address fields of a message (RFC 5322 §3.6.2 and §3.6.3), groups flattened. A repeated field adds to its list,
 * so that no sender stays hidden.
 */
public record AddressFields(
        List<MailAddress> from,
        List<MailAddress> to,
        List<MailAddress> cc,
        List<MailAddress> bcc,
        List<MailAddress> replyTo) {
    public AddressFields {
        from = List.copyOf(from);
        to = List.copyOf(to);
        cc = List.copyOf(cc);
        bcc = List.copyOf(bcc);
        replyTo = List.copyOf(replyTo);
    }
}
