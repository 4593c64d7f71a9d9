package dev.inboxd.inbound;

import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mailbox.message.StoredContent;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.log.Metrics;
import dev.inboxd.platform.rate.Budgets;
import dev.inboxd.platform.rate.ClientNetwork;
import dev.inboxd.platform.rate.Rates;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.Peer;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How much others may bring: so much mail a minute, and no more than there is room for (promises.md A43). Said for each
 * recipient, so that nobody else's mail in the same transaction has to wait. The commit alone is exact; what is asked here
 * keeps a client from sending what would be refused then.
 */
public final class InboundLimits {
    private static final SmtpReply HASTY =
            SmtpReply.of(450, "4.7.1", "Too much mail from your network now, try again later");
    /** RFC 5321 §4.2.3: 450, mailbox busy. */
    private static final SmtpReply BUSY =
            SmtpReply.of(450, "4.2.1", "The mailbox gets too much mail now, try again later");

    /**
     * So long an organization is believed to keep no more than it did, for what is small; that something has no room, and
     * whether something large has, is looked up each time.
     */
    private static final long LIFETIME_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int MOST = 20_000;

    private final Database database;
    private final Budgets budgets;
    private final Rates.Mail rates;
    private final StorageQuota quota;
    private final Map<SmtpReply, LongConsumer> refusals;
    /** What organizations kept that had room. */
    private final Map<UUID, UsageSnapshot> roomy = new ConcurrentHashMap<>();

    /** What was kept at some time of {@link System#nanoTime}. */
    private record UsageSnapshot(StoredUsage usage, long at) {}

    /** What there are bounds for. */
    public record Limits(Rates.Mail rates, StorageQuota quota) {}

    /** Bounds for mail into the inboxes of a database. */
    public InboundLimits(Database database, Budgets budgets, Limits bounds, Metrics metrics) {
        this.database = database;
        this.budgets = budgets;
        this.rates = bounds.rates;
        this.quota = bounds.quota;
        this.refusals = Map.of(
                HASTY,
                meter(metrics, "network"),
                BUSY,
                meter(metrics, "mailbox"),
                SmtpReply.MAILBOX_FULL,
                meter(metrics, "full"));
    }

    private static LongConsumer meter(Metrics metrics, String why) {
        return metrics.counter(
                "inboxd.recipients.refused",
                "Recipients put off because there was too much mail",
                Map.entry("why", why));
    }

    /**
     * The verdict, unless too much comes for that recipient or from that client.
     *
     * @param size octets that were declared, RFC 1870 §6.2; -1 when none were
     */
    MailHandler.Verdict admit(Peer peer, MailHandler.Verdict verdict, long size) {
        AddressDirectory.Destination to = verdict.destination();
        SmtpReply refusal = to == null ? null : refusal(peer, to, size);
        if (refusal == null) {
            return verdict;
        }
        count(refusal);
        return MailHandler.Verdict.refused(refusal);
    }

    /**
     * Whether the bytes of a large message may be written, of which nothing is to be left when it cannot be kept.
     *
     * @param more what is kept of it
     * @param digests of its copies: what a client repeats needs no room
     */
    boolean hasRoom(UUID organization, StoredUsage more, List<byte[]> digests) {
        return quota.isNone()
                || quota.allows(kept(organization).plus(more))
                || database.read(tx -> DuplicateFilter.areKnown(tx, View.of(organization), digests));
    }

    /** A message was refused at its end, which nobody could know before. */
    SmtpReply overLimit() {
        count(SmtpReply.MAILBOX_FULL);
        return SmtpReply.MAILBOX_FULL;
    }

    private void count(SmtpReply refusal) {
        LongConsumer meter = refusals.get(refusal);
        if (meter != null) {
            meter.accept(1);
        }
    }

    private @Nullable SmtpReply refusal(Peer peer, AddressDirectory.Destination to, long size) {
        if (isFull(to.organization(), StoredUsage.message(Math.max(1, size)))) {
            return SmtpReply.MAILBOX_FULL;
        }
        if (!budgets.take(rates.perAddress(), ClientNetwork.of(peer.address())).isAllowed()) {
            return HASTY;
        }
        return budgets.take(rates.perInbox(), to.inbox().toString()).isAllowed()
                        && budgets.take(
                                        rates.perOrganization(),
                                        to.organization().toString())
                                .isAllowed()
                ? null
                : BUSY;
    }

    private boolean isFull(UUID organization, StoredUsage more) {
        if (quota.isNone()) {
            return false;
        }
        UsageSnapshot seen = roomy.get(organization);
        long now = System.nanoTime();
        if (seen != null
                && now - seen.at < LIFETIME_NANOS
                && more.bytes() <= StoredContent.LARGEST_IN_DATABASE
                && quota.allows(seen.usage.plus(more))) {
            return false;
        }
        StoredUsage kept = kept(organization);
        boolean full = !quota.allows(kept.plus(more));
        if (full) {
            roomy.remove(organization);
        } else {
            if (roomy.size() >= MOST) {
                roomy.clear();
            }
            roomy.put(organization, new UsageSnapshot(kept, now));
        }
        return full;
    }

    /** Nobody need ask again what a commit has just found out. */
    void isFullNow(UUID organization) {
        roomy.remove(organization);
    }

    private StoredUsage kept(UUID organization) {
        return database.read(tx -> StorageQuota.usage(tx, organization));
    }
}
