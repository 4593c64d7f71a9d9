package dev.inboxd.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Removes the events that are older than a period, organization by organization, in slices along the key of the log.
 * What somebody still needs stays: events that the search or the totals have not read, those of deliveries that
 * wait, and those of mail that is held, whose arrival is told of at its release.
 */
public final class EventExpiry {
    /** Events of one transaction: mail of the organization waits for it a few milliseconds. */
    private static final int SLICE = 200;

    private static final int ORGANIZATIONS = 500;
    /** From when a horizon is told of until the events behind it go; longer than reading a page takes. */
    private static final Duration GRACE_PERIOD = Duration.ofMinutes(10);
    /** At most so much of a sweep: other kinds of data age as well. The next one goes on. */
    private static final Duration LONGEST = Duration.ofMinutes(20);

    private static final UUID NOBODY = new UUID(0, 0);

    private static final RowStatement<UUID> OLDEST = RowStatement.of(
            "select {tenant}f.at as oldest from {rows} as r"
                    + " cross join lateral (select e.at from event e where {e} order by e.seq limit 1) as f",
            RowStatement.uuid("id", id -> id));

    private static final String NOT_NEEDED = """
            delete from event e where {e} and e.seq = any (:numbers)
              and not exists (select 1 from delivery d where d.organization_id = {organization} and d.seq = e.seq)
              and not exists (select 1 from message m where m.organization_id = {organization}
                              and m.message_id = e.message_id and 'held' = any (m.labels))""";

    private final Database database;
    private final InstantSource clock;
    private final Duration retention;
    private final BooleanSupplier stopping;

    /**
     * The expiry of a database's events.
     *
     * @param retention how long events are kept; at least as long as metrics are asked about
     * @param stopping whether the service stops: then a sweep ends early
     */
    public EventExpiry(Database database, InstantSource clock, Duration retention, BooleanSupplier stopping) {
        this.database = database;
        this.clock = clock;
        this.retention = retention;
        this.stopping = stopping;
    }

    /** Removes what the sweep before has put behind the horizons, and moves those on. */
    public void sweep() {
        Instant end = clock.instant().plus(LONGEST);
        UUID last = NOBODY;
        List<UUID> page;
        do {
            page = organizations(last);
            for (UUID organization : aged(page)) {
                if (isOver(end)) {
                    return;
                }
                if (database.gate().isOpen(organization)) {
                    remove(organization, end);
                    move(organization);
                }
            }
            last = page.isEmpty() ? last : page.getLast();
        } while (page.size() == ORGANIZATIONS && !isOver(end));
    }

    private boolean isOver(Instant end) {
        return stopping.getAsBoolean() || clock.instant().isAfter(end);
    }

    private List<UUID> organizations(UUID after) {
        return database.read(tx -> tx.sqlAcrossTenants("select k.organization_id from organization_clock k"
                        + " where k.organization_id > :after order by k.organization_id limit " + ORGANIZATIONS)
                .bind("after", after)
                .list(row -> row.uuid("organization_id")));
    }

    /** Those whose first event is old: one look-up by key each. */
    private List<UUID> aged(List<UUID> organizations) {
        Instant young = clock.instant().minus(retention);
        Map<UUID, UUID> keys = new LinkedHashMap<>();
        organizations.forEach(id -> keys.put(id, id));
        Map<UUID, RoundTrip.Result<Instant>> oldest = new LinkedHashMap<>();
        database.runReads(tx -> {
            tx.acrossTenants(
                    keys,
                    (trip, view, id) ->
                            oldest.put(id, trip.query(view, OLDEST, List.of(id), row -> row.instant("oldest"))));
        });
        List<UUID> aged = new ArrayList<>();
        oldest.forEach((id, result) -> {
            if (result.rows().stream().anyMatch(young::isAfter)) {
                aged.add(id);
            }
        });
        return aged;
    }

    private void remove(UUID organization, Instant end) {
        View all = View.of(organization);
        long horizon = database.read(tx -> EventHorizon.announcedFor(tx, all, GRACE_PERIOD.toSeconds()));
        long after = -1;
        List<Long> slice;
        do {
            long from = after;
            slice = database.read(tx -> numbers(tx, all, from, horizon));
            if (!slice.isEmpty()) {
                Long[] numbers = slice.toArray(Long[]::new);
                long begin = System.nanoTime();
                // Takes no sequence number: the search and the totals, which follow the clock, would look for an event.
                database.run(organization, 0, (tx, opening) -> {
                    opening.run();
                    remove(tx, all, numbers);
                });
                after = slice.getLast();
                // Whoever waits for the organization's clock has it for half of the time.
                LockSupport.parkNanos(System.nanoTime() - begin);
            }
        } while (slice.size() == SLICE && !isOver(end));
    }

    private static List<Long> numbers(Tx tx, View all, long after, long horizon) {
        return tx.sql(
                        all,
                        "select e.seq from event e where {e} and e.seq > :after and e.seq <= :horizon"
                                + " order by e.seq limit " + SLICE)
                .bind("after", after)
                .bind("horizon", horizon)
                .list(row -> row.longer("seq"));
    }

    private static void remove(Tx tx, View all, Long[] numbers) {
        tx.sql(all, NOT_NEEDED).bind("numbers", numbers).run();
    }

    /** Up to the last event that is old, its labels included, which have numbers of their own. */
    private void move(UUID organization) {
        View all = View.of(organization);
        long to = database.read(tx -> {
            long last = EventTimes.lastBefore(tx, all, clock.instant().minus(retention));
            return tx.sql(all, """
                    select least(e.seq + coalesce(cardinality(e.labels), 0),
                                 coalesce((select p.seq from search_progress p where {p}), 0),
                                 coalesce((select p.seq from metric_progress p where {p}), 0)) as number
                    from event e where {e} and e.seq = :last""")
                    .bind("last", last)
                    .first(row -> row.longer("number"))
                    .orElse(0L);
        });
        if (to > database.read(tx -> EventHorizon.of(tx, all))) {
            database.run(organization, 0, (tx, opening) -> {
                opening.run();
                EventHorizon.move(tx, all, to);
            });
        }
    }
}
