package dev.inboxd.tenant.review;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * That something waits of which not everybody was told.
 *
 * @param since when the newest of it began to wait
 * @param dueAt when it is looked whom to tell
 */
public record ReviewNotice(Instant since, Instant dueAt) {
    /** When the next look at an organization is due. */
    public static final String NEXT = "select n.due_at from review_notice n where n.organization_id = {organization}";

    /** Whoever is at the console sees it before a mail comes. */
    private static final Duration WAIT = Duration.ofMinutes(1);

    private static final String NOTE = """
            insert into review_notice as n (organization_id, since, due_at)
            values ({organization}, {now}, {now} + make_interval(secs => :wait))
            on conflict (organization_id) do update
            set since = excluded.since, due_at = least(n.due_at, excluded.due_at)""";

    /** Notes that something begins to wait, in the caller's transaction. */
    public static void note(Tx tx, View all) {
        RoundTrip trip = tx.roundTrip();
        appendTo(trip, all);
        trip.run();
    }

    /** The same as a part of the caller's round trip. */
    public static void appendTo(RoundTrip trip, View all) {
        trip.change(all, NOTE, "wait", (double) WAIT.toSeconds());
    }

    /** That of an organization. */
    public static Optional<ReviewNotice> find(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), "select n.since, n.due_at from review_notice n where {n}")
                .first(row -> new ReviewNotice(row.instant("since"), row.instant("due_at")));
    }

    /** Everybody was told, or nothing waits any more. */
    public static void remove(Tx tx, UUID organization) {
        tx.sql(View.of(organization), "delete from review_notice n where {n}").run();
    }

    /** Looks again at a time. */
    public static void delay(Tx tx, UUID organization, Instant until) {
        tx.sql(View.of(organization), "update review_notice n set due_at = :until where {n}")
                .bind("until", until)
                .run();
    }
}
