package dev.inboxd.inbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.View;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.ClientNetwork;
import dev.inboxd.base.rate.Rates;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.Peer;
import dev.inboxd.smtp.server.Recipient;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits of incoming mail: the rate, and the storage of the recipient's organization (promises.md A43). Checked at each
 * RCPT, so that other recipients of the same transaction are not affected. Only the commit checks storage exactly; the
 * check here spares a client from sending content that would be refused then.
 */
public final class InboundLimits {
    private static final SmtpReply NETWORK_LIMIT =
            SmtpReply.of(450, "4.7.1", "Too much mail from your network now, try again later");
    /** RFC 5321 §4.2.3: 450, mailbox busy. */
    private static final SmtpReply MAILBOX_BUSY =
            SmtpReply.of(450, "4.2.1", "The mailbox gets too much mail now, try again later");

    /**
     * How long a known usage of an organization is trusted for small messages. When it has no room left, or the message
     * is large, usage is read from the database each time.
     */
    private static final long LIFETIME_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int MAX_SNAPSHOTS = 20_000;

    private final Database database;
    private final Budgets budgets;
    private final Rates.Mail rates;
    private final StorageQuota quota;
    private final Map<SmtpReply, LongConsumer> refusals;
    /** The last known usage of organizations that had room. */
    private final Map<UUID, UsageSnapshot> snapshots = new ConcurrentHashMap<>();

    /** The usage at a time of {@link System#nanoTime}. */
    private record UsageSnapshot(StoredUsage usage, long at) {}

    /** The configured limits. */
    public record Limits(Rates.Mail rates, StorageQuota quota) {}

    /** Limits for mail into the inboxes of a database. */
    public InboundLimits(Database database, Budgets budgets, Limits bounds, Metrics metrics) {
        this.database = database;
        this.budgets = budgets;
        this.rates = bounds.rates;
        this.quota = bounds.quota;
        this.refusals = Map.of(
                NETWORK_LIMIT,
                meter(metrics, "network"),
                MAILBOX_BUSY,
                meter(metrics, "mailbox"),
                SmtpReply.MAILBOX_FULL,
                meter(metrics, "full"));
    }

    private static LongConsumer meter(Metrics metrics, String reason) {
        return metrics.counter(
                "inboxd.recipients.refused",
                "Recipients refused temporarily because of too much mail",
                Map.entry("why", reason));
    }

    /**
     * The given verdict, or a refusal when a limit of the recipient or of the client's network is reached.
     *
     * @param peer null for mail that came over no network
     * @param size octets declared with SIZE (RFC 1870 §6.2); -1 when none were declared
     */
    MailHandler.Verdict admit(@Nullable Peer peer, MailHandler.Verdict verdict, long size) {
        Recipient recipient = verdict.destination();
        AddressDirectory.Destination to = recipient == null ? null : InboxRecipient.of(recipient);
        if (to != null && database.gate().refusal(to.organization()) != null) {
            return MailHandler.Verdict.refused(SmtpReply.MAILBOX_AWAY); // it moves to another installation, or has
        }
        if (to != null && database.gate().isPaused(to.organization())) {
            return MailHandler.Verdict.refused(SmtpReply.TRY_LATER);
        }
        SmtpReply refusal = to == null ? null : refusal(peer, to, size);
        if (refusal == null) {
            return verdict;
        }
        count(refusal);
        return MailHandler.Verdict.refused(refusal);
    }

    /**
     * Whether there is room for a large message. Asked before its bytes are written, so that nothing stays when it
     * cannot be stored.
     *
     * @param more storage of the message
     * @param digests of its copies: the repetition of a stored message needs no room
     */
    boolean hasRoom(UUID organization, StoredUsage more, List<byte[]> digests) {
        return quota.isNone()
                || quota.allows(usage(organization).plus(more))
                || database.read(tx -> DuplicateFilter.areKnown(tx, View.of(organization), digests));
    }

    /** The reply to a message that the commit found to exceed the quota; counts it. */
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

    private @Nullable SmtpReply refusal(@Nullable Peer peer, AddressDirectory.Destination to, long size) {
        if (isFull(to.organization(), StoredUsage.message(Math.max(1, size)))) {
            return SmtpReply.MAILBOX_FULL;
        }
        if (peer != null
                && !budgets.take(rates.perAddress(), ClientNetwork.of(peer.address()))
                        .isAllowed()) {
            return NETWORK_LIMIT;
        }
        return budgets.take(rates.perInbox(), to.inbox().toString()).isAllowed()
                        && budgets.take(
                                        rates.perOrganization(),
                                        to.organization().toString())
                                .isAllowed()
                ? null
                : MAILBOX_BUSY;
    }

    private boolean isFull(UUID organization, StoredUsage more) {
        if (quota.isNone()) {
            return false;
        }
        UsageSnapshot snapshot = snapshots.get(organization);
        long now = System.nanoTime();
        if (snapshot != null
                && now - snapshot.at < LIFETIME_NANOS
                && more.bytes() <= StoredContent.LARGEST_IN_DATABASE
                && quota.allows(snapshot.usage.plus(more))) {
            return false;
        }
        StoredUsage usage = usage(organization);
        boolean full = !quota.allows(usage.plus(more));
        if (full) {
            snapshots.remove(organization);
        } else {
            if (snapshots.size() >= MAX_SNAPSHOTS) {
                snapshots.clear();
            }
            snapshots.put(organization, new UsageSnapshot(usage, now));
        }
        return full;
    }

    /** Discards the known usage of an organization, which a commit has found to be full. */
    void isFullNow(UUID organization) {
        snapshots.remove(organization);
    }

    private StoredUsage usage(UUID organization) {
        return database.read(tx -> StorageQuota.usage(tx, organization));
    }
}
