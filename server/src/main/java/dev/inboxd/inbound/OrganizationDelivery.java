package dev.inboxd.inbound;

import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.inbound.authentication.MessageBytes;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.screening.MessageScreen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;

/** Stores a message in the inboxes of one organization: its content, then its rows in one commit. */
final class OrganizationDelivery {
    private final LargeMessages blobs;
    private final InboundCommits commits;
    private final InboundLimits inflow;
    private final MessageScreen screen;

    OrganizationDelivery(LargeMessages blobs, InboundCommits commits, InboundLimits inflow, MessageScreen screen) {
        this.blobs = blobs;
        this.commits = commits;
        this.inflow = inflow;
        this.screen = screen;
    }

    /**
     * Stores a message.
     *
     * @param deadline by {@link System#nanoTime()}
     * @return false when there is no room for it
     * @throws InboundCommits.CommitTimeoutException when it is not committed by then
     */
    boolean store(UUID organization, InboundItem.Mail mail, long deadline) {
        if (screen.isLikelyOn(organization)) {
            mail.message().verdict().reach(); // nobody waits for it in a transaction
        }
        try {
            return store(organization, mail, deadline, true);
        } catch (LargeMessages.ChunkGoneException deleted) {
            return store(organization, mail, deadline, false);
        }
    }

    private boolean store(UUID organization, InboundItem.Mail mail, long deadline, boolean sharing) {
        long size = mail.message().summary().size();
        if (size > StoredContent.LARGEST_IN_DATABASE
                && !inflow.hasRoom(
                        organization,
                        StoredUsage.message(size),
                        mail.inboxes().stream()
                                .map(inbox -> DuplicateFilter.digest(inbox, mail.message()))
                                .toList())) {
            return false;
        }
        StoredContent content = content(organization, mail, sharing);
        boolean committed;
        InboundItem item;
        do {
            item = new InboundItem(mail, content);
            committed = commits.commit(organization, item, Duration.ofNanos(deadline - System.nanoTime()));
            if (item.isUnjudged().get()) { // its organization began to judge mail a moment ago: at most once
                mail.message().verdict().reach();
            }
        } while (item.isUnjudged().get());
        if (!committed) {
            inflow.isFullNow(organization);
        }
        return committed;
    }

    private StoredContent content(UUID organization, InboundItem.Mail mail, boolean sharing) {
        MessageBytes octets = mail.message().content();
        byte[] sha256 = HexFormat.of().parseHex(octets.sha256());
        try {
            if (octets.size() <= StoredContent.LARGEST_IN_DATABASE) {
                return StoredContent.ofRaw(octets.bytes(), sha256);
            }
            ReadableContent.StoredForm readable =
                    mail.message().summary().readable().stored();
            LargeMessages.NewContent content =
                    new LargeMessages.NewContent(octets::open, octets.size(), readable, sha256);
            return blobs.store(organization, content, sharing);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
