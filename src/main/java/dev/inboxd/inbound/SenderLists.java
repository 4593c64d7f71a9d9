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

/** Applies the allow and block lists to received messages (identity.md §12, mail.md §12.10 and §16). */
final class SenderLists {
    /** Maximum number of authors that are checked; further authors are shown nowhere. */
    private static final int MOST_AUTHORS = 20;

    private final ListLookup lookup = new ListLookup();

    /** The Message-IDs that make a message a reply, if the inbox sent one of them. */
    static List<String> correspondents(InboundItem.Mail mail) {
        Identification identification = mail.parsed().identification();
        if (!identification.inReplyTo().isEmpty() || identification.references().isEmpty()) {
            return identification.inReplyTo();
        }
        return List.of(identification.references().getLast());
    }

    /** Requires the list entries for a message and an inbox. */
    void require(UUID inbox, InboundItem.Mail mail) {
        List<String> senders = new ArrayList<>(authors(mail));
        senders.add(mail.message().reversePath());
        lookup.require(inbox, senders);
    }

    /** Adds the query of the lists to the round trip that locks the organization's clock. */
    void prefetch(RoundTrip opening, View view) {
        lookup.prefetch(opening, view, Direction.RECEIVE, Direction.REPLY);
    }

    /**
     * Whether the lists block the message's senders. Every author must be allowed; the reverse-path, which is often a
     * machine's address, need only not be on a block list.
     *
     * @param reply whether the message is a reply to the inbox, so that only the lists for replies count
     */
    boolean areBlocked(UUID inbox, InboundItem.Mail mail, boolean reply) {
        Direction direction = reply ? Direction.REPLY : Direction.RECEIVE;
        return authors(mail).stream()
                        .anyMatch(author ->
                                lookup.verdict(inbox, direction, author).isBlocked())
                || lookup.isListed(
                        inbox, direction, ListType.BLOCK, mail.message().reversePath());
    }

    /** Whether every author is on an allow list and the message is authenticated. */
    boolean areTrusted(UUID inbox, InboundItem.Mail mail) {
        return !mail.labels().contains(Labels.UNAUTHENTICATED)
                && authors(mail).stream()
                        .allMatch(author -> lookup.isListed(inbox, Direction.RECEIVE, ListType.ALLOW, author));
    }

    /** The authors: the addresses in From, or the reverse-path when there are none. */
    private static List<String> authors(InboundItem.Mail mail) {
        List<MailAddress> from = mail.parsed().addresses().from();
        return from.isEmpty()
                ? List.of(mail.message().reversePath())
                : from.stream().limit(MOST_AUTHORS).map(MailAddress::address).toList();
    }
}
