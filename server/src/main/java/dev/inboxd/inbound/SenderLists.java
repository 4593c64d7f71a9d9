package dev.inboxd.inbound;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.Identification;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import dev.inboxd.tenant.list.ListType;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Applies the allow and block lists to received messages (identity.md §12, mail.md §12.10 and §16). */
final class SenderLists {
    /** Maximum number of authors that are checked; further authors are shown nowhere. */
    private static final int MOST_AUTHORS = 20;

    private final ListLookup lookup = new ListLookup();

    /** The Message-IDs that make a message a reply, if the inbox sent one of them. */
    static List<String> correspondents(IncomingMessage message) {
        Identification identification = message.parsed().identification();
        if (!identification.inReplyTo().isEmpty() || identification.references().isEmpty()) {
            return identification.inReplyTo();
        }
        return List.of(identification.references().getLast());
    }

    /** Requires the list entries for a message and an inbox. */
    void require(UUID inbox, IncomingMessage message) {
        List<String> senders = new ArrayList<>(authors(message));
        senders.add(message.reversePath());
        lookup.require(inbox, senders);
    }

    /** Adds the query of the lists to the round trip that locks the organization's clock. */
    void prefetch(RoundTrip opening, View view) {
        lookup.prefetch(opening, view, Direction.RECEIVE, Direction.REPLY);
    }

    /**
     * Whether the lists block the message's senders. Where there is an allow list, every author must be on it, and be
     * the author for certain: a name that anybody could write lets nobody in. The reverse-path, which is often a
     * machine's address, need only not be on a block list.
     *
     * @param reply whether the message is a reply to the inbox: then the allow list for replies counts, and both block
     *     lists
     */
    boolean areBlocked(UUID inbox, IncomingMessage message, boolean reply) {
        Direction direction = reply ? Direction.REPLY : Direction.RECEIVE;
        boolean certain = reply || message.author() != null;
        List<String> authors = authors(message);
        return Stream.concat(authors.stream(), Stream.of(message.reversePath()))
                        .anyMatch(sender -> isOnBlockList(inbox, sender, direction))
                || (!certain && lookup.hasAllowList(inbox, direction))
                || authors.stream()
                        .anyMatch(author ->
                                lookup.verdict(inbox, direction, author).isBlocked());
    }

    private boolean isOnBlockList(UUID inbox, String sender, Direction direction) {
        return lookup.isListed(inbox, Direction.RECEIVE, ListType.BLOCK, sender)
                || lookup.isListed(inbox, direction, ListType.BLOCK, sender);
    }

    /** Whether the author is on an allow list, and is the author for certain. */
    boolean areTrusted(UUID inbox, IncomingMessage message) {
        String author = message.author();
        return author != null && lookup.isListed(inbox, Direction.RECEIVE, ListType.ALLOW, author);
    }

    /** The authors: the one that was authenticated, or the addresses in From, or the reverse-path without any. */
    private static List<String> authors(IncomingMessage message) {
        String author = message.author();
        if (author != null) {
            return List.of(author);
        }
        List<MailAddress> from = message.parsed().addresses().from();
        return from.isEmpty()
                ? List.of(message.reversePath())
                : from.stream().limit(MOST_AUTHORS).map(MailAddress::address).toList();
    }
}
