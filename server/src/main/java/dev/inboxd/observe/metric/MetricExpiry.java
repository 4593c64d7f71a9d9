package dev.inboxd.observe.metric;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Removes the running totals of minutes that no question reaches any more, and the departures of before. Of each scope
 * the last total before then stays, which is its value until the next.
 */
public final class MetricExpiry {
    private static final int SLICE = 500;
    private static final int ORGANIZATIONS = 500;
    private static final UUID NOBODY = new UUID(0, 0);

    private final Database database;
    private final InstantSource clock;
    private final Duration retention;
    private final BooleanSupplier stopping;

    /**
     * The expiry of a database's totals.
     *
     * @param retention how long they are kept; at least as long as metrics are asked about
     * @param stopping whether the service stops: then a sweep ends early
     */
    public MetricExpiry(Database database, InstantSource clock, Duration retention, BooleanSupplier stopping) {
        this.database = database;
        this.clock = clock;
        this.retention = retention;
        this.stopping = stopping;
    }

    /** An organization that may have something old, and the time before which it is. */
    private record Visited(UUID id, Instant young) {}

    /**
     * Whether anything is old: two look-ups by key. Each minute that a scope has a total of, the organization has one
     * of, too; its own totals go last.
     */
    private static final String OLD_OF = """
            select {tenant}(o.minute is not null or f.at < r.young) as old from {rows} as r
            left join lateral (select t.minute from metric_total t
                               where {t} and t.scope_id = r.id and t.minute <= r.young
                               order by t.minute desc offset 1 limit 1) as o on true
            left join lateral (select d.at from departure d where {d} order by d.seq limit 1) as f on true""";

    private static final RowStatement<Visited> OLD =
            RowStatement.of(OLD_OF, RowStatement.uuid("id", Visited::id), RowStatement.time("young", Visited::young));

    /** A scope with totals that go, and the minute of the first that stays. */
    private record Aged(UUID scope, Instant first) {}

    /** Removes what is old, of every organization. */
    public void sweep() {
        Instant young = clock.instant().minus(retention);
        UUID last = NOBODY;
        List<UUID> page;
        do {
            page = organizations(last);
            for (UUID organization : old(page, young)) {
                if (!stopping.getAsBoolean() && database.gate().isOpen(organization)) {
                    sweep(organization, young);
                }
            }
            last = page.isEmpty() ? last : page.getLast();
        } while (page.size() == ORGANIZATIONS && !stopping.getAsBoolean());
    }

    private List<UUID> organizations(UUID after) {
        return database.read(tx -> tx.sqlAcrossTenants("select p.organization_id from metric_progress p"
                        + " where p.organization_id > :after order by p.organization_id limit " + ORGANIZATIONS)
                .bind("after", after)
                .list(row -> row.uuid("organization_id")));
    }

    private List<UUID> old(List<UUID> organizations, Instant young) {
        Map<UUID, Visited> visits = new LinkedHashMap<>();
        organizations.forEach(id -> visits.put(id, new Visited(id, young)));
        Map<UUID, RoundTrip.Result<Boolean>> results = new LinkedHashMap<>();
        database.runReads(tx -> {
            tx.acrossTenants(
                    visits,
                    (trip, view, visited) ->
                            results.put(visited.id, trip.query(view, OLD, List.of(visited), row -> row.flag("old"))));
        });
        return results.entrySet().stream()
                .filter(result -> result.getValue().rows().contains(true))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void sweep(UUID organization, Instant young) {
        View all = View.of(organization);
        List<Aged> aged;
        do {
            aged = database.read(tx -> aged(tx, all, young));
            aged.stream().filter(scope -> !scope.scope.equals(organization)).forEach(scope -> remove(all, scope));
        } while (aged.size() == SLICE && !stopping.getAsBoolean());
        // By these the organization is found, so that a sweep that is stopped leaves them.
        if (!stopping.getAsBoolean()) {
            aged.stream().filter(scope -> scope.scope.equals(organization)).forEach(scope -> remove(all, scope));
        }
        if (database.read(tx -> departed(tx, all, young))) {
            database.run(organization, 0, (tx, opening) -> {
                opening.run();
                tx.sql(all, "delete from departure d where {d} and d.at < :young")
                        .bind("young", young)
                        .run();
            });
        }
    }

    private void remove(View all, Aged scope) {
        int removed;
        do {
            // Takes no sequence number: the search and the totals themselves, which follow the clock, would look for
            // an event.
            removed = database.write(all.organization(), 0, (tx, opening) -> {
                opening.run();
                return remove(tx, all, scope);
            });
        } while (removed == SLICE && !stopping.getAsBoolean());
    }

    /** Two or three look-ups by key for each inbox and pod. */
    private static List<Aged> aged(Tx tx, View all, Instant young) {
        return tx.sql(all, """
                select s.scope_id, k.first from (
                    select i.inbox_id as scope_id from inbox i where {i}
                    union all select p.pod_id from pod p where p.organization_id = {organization}
                    union all select {organization}::uuid) as s
                cross join lateral (
                    select t.minute as first from metric_total t
                    where t.organization_id = {organization} and t.scope_id = s.scope_id and t.minute <= :young
                    order by t.minute desc limit 1) as k
                where exists (
                    select 1 from metric_total o
                    where o.organization_id = {organization} and o.scope_id = s.scope_id and o.minute < k.first)
                limit :most""")
                .bind("young", young)
                .bind("most", SLICE)
                .list(row -> new Aged(row.uuid("scope_id"), row.instant("first")));
    }

    private static int remove(Tx tx, View all, Aged scope) {
        return tx.sql(all, """
                delete from metric_total t where {t} and t.scope_id = :scope and t.minute in (
                    select o.minute from metric_total o
                    where o.organization_id = {organization} and o.scope_id = :scope and o.minute < :first
                    order by o.minute limit :most)""")
                .bind("scope", scope.scope)
                .bind("first", scope.first)
                .bind("most", SLICE)
                .run();
    }

    private static boolean departed(Tx tx, View all, Instant young) {
        return tx.sql(all, "select 1 as one from departure d where {d} and d.at < :young order by d.seq limit 1")
                .bind("young", young)
                .exists();
    }
}
