package dev.inboxd.mailbox.deletion;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.OrganizationMark;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * The mail that people threw away. It has the label {@code trash} like mail that clients put there, and a mark beside
 * it: what has the mark goes for good after 30 days. Whoever takes the label away takes the mark with it.
 */
public final class Trash {
    /** How long a person may have it back. */
    public static final Duration RETENTION = Duration.ofDays(30);

    private static final String IN_TRASH = "(m.restricted & " + RestrictedLabel.TRASH.bit() + ") <> 0";
    /** Each takes at most a hundred and one numbers of the organization's clock. */
    private static final int SLICE = 40;

    /** The rest goes an hour later, so that a run ends and others have their turn. */
    private static final int MOST_SLICES = 500;

    private static final int ORGANIZATIONS = 1_000;
    private static final int MOST = 10_000;

    private final Database database;
    private final Deletions deletions;
    private final BooleanSupplier held;

    /** @param held whether nothing leaves this installation, such as after a restore: then nothing goes either */
    public Trash(Database database, Deletions deletions, BooleanSupplier held) {
        this.database = database;
        this.deletions = deletions;
        this.held = held;
    }

    /**
     * A message with the mark.
     *
     * @param name its public id
     * @param at when it was thrown away
     */
    public record TrashedMessage(UUID thread, String name, Instant at) {
        /** When it goes for good. */
        public Instant until() {
            return at.plus(RETENTION);
        }
    }

    /** Marks some messages of a thread that are in the trash; what has the mark keeps it. */
    public void mark(View view, UUID thread, Collection<String> names, Instant at) {
        database.write(
                view.organization(),
                tx -> tx.sql(
                                view,
                                "update message m set trashed_at = :at where {m} and m.thread_id = :thread"
                                        + " and m.name = any (:names) and " + IN_TRASH + " and m.trashed_at is null")
                        .bind("at", at)
                        .bind("thread", thread)
                        .bind("names", names.toArray(String[]::new))
                        .run());
    }

    /** The messages of some threads that have the mark, the newest ten thousand. */
    public List<TrashedMessage> of(View view, Collection<UUID> threads) {
        return database.read(tx -> tx.sql(
                        view,
                        "select m.thread_id, m.name, m.trashed_at from message m"
                                + " where {m} and m.thread_id = any (:threads) and m.trashed_at is not null and "
                                + IN_TRASH
                                + " order by m.created_at desc limit " + MOST)
                .bind("threads", threads.toArray(UUID[]::new))
                .list(row -> new TrashedMessage(row.uuid("thread_id"), row.text("name"), row.instant("trashed_at"))));
    }

    /** Deletes what has been in the trash for longer than it is kept; run now and then on every node. */
    public void sweep() {
        List<UUID> organizations =
                database.read(tx -> tx.sqlAcrossTenants("select distinct d.organization_id from message d"
                                + " where d.trashed_at < {now} - make_interval(secs => :kept) and (d.restricted & "
                                + RestrictedLabel.TRASH.bit() + ") <> 0 and"
                                + OrganizationMark.noneAt("d") + " limit " + ORGANIZATIONS)
                        .bind("kept", (double) RETENTION.toSeconds())
                        .list(row -> row.uuid("organization_id")));
        for (UUID organization : organizations) {
            for (int slice = 0; slice < MOST_SLICES && isOpen(organization); slice++) {
                if (deletions.trashed(organization, RETENTION, SLICE) < SLICE) {
                    break;
                }
            }
        }
    }

    private boolean isOpen(UUID organization) {
        return !held.getAsBoolean() && database.gate().isOpen(organization);
    }
}
