package dev.inboxd.inbound;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import dev.inboxd.tenant.list.ListType;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Whom the lists keep out of an inbox (identity.md §12, mail.md §12.10 and §16). */
final class SenderLists {
    /** Of a mail that names more authors, the others are shown nowhere. */
    private static final int MOST_AUTHORS = 20;

    private final ListLookup screening = new ListLookup();

    /** The ids of which one must be of a message that the inbox sent, for the mail to be a reply. */
    static List<String> correspondents(InboundItem.Mail mail) {
        Identification identification = mail.parsed().identification();
        if (!identification.inReplyTo().isEmpty() || identification.references().isEmpty()) {
            return identification.inReplyTo();
        }
        return List.of(identification.references().getLast());
    }

    /** Notes a mail that is to be stored in that inbox. */
    void require(UUID inbox, InboundItem.Mail mail) {
        List<String> senders = new ArrayList<>(authors(mail));
        senders.add(mail.reversePath());
        screening.require(inbox, senders);
    }

    /** Adds the look at the lists to the round trip that takes the organization's clock. */
    void prefetch(RoundTrip opening, View view) {
        screening.prefetch(opening, view, Direction.RECEIVE, Direction.REPLY);
    }

    /**
     * Whether the lists keep the mail's senders out. Every author must be welcome; the envelope's sender, which is
     * often a machine's, need only not be on a block list.
     *
     * @param reply whether it answers what the inbox sent, so that the lists for replies alone count
     */
    boolean areBlocked(UUID inbox, InboundItem.Mail mail, boolean reply) {
        Direction direction = reply ? Direction.REPLY : Direction.RECEIVE;
        return authors(mail).stream()
                        .anyMatch(author ->
                                screening.verdict(inbox, direction, author).isBlocked())
                || screening.isListed(inbox, direction, ListType.BLOCK, mail.reversePath());
    }

    /** Whether every author is on an allow list, and somebody vouches for the mail being theirs. */
    boolean areTrusted(UUID inbox, InboundItem.Mail mail) {
        return !mail.labels().contains(Labels.UNAUTHENTICATED)
                && authors(mail).stream()
                        .allMatch(author -> screening.isListed(inbox, Direction.RECEIVE, ListType.ALLOW, author));
    }

    /** Who the mail says has written it; the envelope's sender when it says nothing. */
    private static List<String> authors(InboundItem.Mail mail) {
        List<MailAddress> from = mail.parsed().addresses().from();
        return from.isEmpty()
                ? List.of(mail.reversePath())
                : from.stream().limit(MOST_AUTHORS).map(MailAddress::address).toList();
    }
}
