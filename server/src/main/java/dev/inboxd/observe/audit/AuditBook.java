package dev.inboxd.observe.audit;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

/**
 * Adds entries to the audit log, which grows with what callers do and so has bounds: an actor has so many entries a
 * day, entries count in the storage of the organization, and what is deleted one by one is one entry a minute.
 */
final class AuditBook {
    /** Entries that one key or session has on a day (UTC); further ones are counted in one. */
    static final int MOST_A_DAY = 10_000;

    private AuditBook() {}

    /** Adds an entry, in the transaction that wrote the organization's clock. */
    static void add(Tx tx, UUID organization, AuditEntry entry) {
        View all = View.of(organization);
        UUID actor = entry.actor().id();
        if (actor == null) {
            store(tx, all, entry);
            return;
        }
        LocalDate day = LocalDate.ofInstant(entry.at(), ZoneOffset.UTC);
        AuditSql.ActorDay so = AuditSql.enter(tx, all, actor, day);
        if (so.entries() <= MOST_A_DAY) {
            store(tx, all, entry);
        } else if (so.limited() == null || AuditSql.countUp(tx, all, so.limited()) == 0) {
            AuditEntry limited = AuditEntry.of(
                            entry.at(), entry.actor(), AuditChange.of(AuditAction.AUDIT_LOG_LIMITED, null))
                    .counted(entry.id(), entry.at());
            store(tx, all, limited);
            AuditSql.limit(tx, all, new AuditSql.Limit(actor, day, limited.id()));
        }
    }

    /** Adds an entry to the one that stands for all of the same actor, action and target in a minute. */
    static void addCounted(Tx tx, UUID organization, AuditEntry entry) {
        Instant minute = entry.at().truncatedTo(ChronoUnit.MINUTES);
        UUID id = id(minute, entry);
        if (AuditSql.countUp(tx, View.of(organization), id) == 0) {
            add(tx, organization, entry.counted(id, minute));
        }
    }

    /** The id of such an entry: a UUID of version 7, whose random bits are what it is about (RFC 9562 §5.7). */
    private static UUID id(Instant minute, AuditEntry entry) {
        String about = entry.actor().type() + "\n" + entry.actor().id() + "\n" + entry.action() + "\n" + entry.target();
        UUID digest = UUID.nameUUIDFromBytes(about.getBytes(StandardCharsets.UTF_8));
        return new UUID(
                minute.toEpochMilli() << 16 | 0x7000 | (digest.getMostSignificantBits() & 0x0FFF),
                (digest.getLeastSignificantBits() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L);
    }

    private static void store(Tx tx, View all, AuditEntry entry) {
        AuditSql.insert(tx, all, entry);
        RoundTrip trip = tx.roundTrip();
        tx.recordUsage(trip, all, new StoredUsage(0, entry.size()));
        trip.run();
    }
}
