package dev.inboxd.base.job;

import dev.inboxd.base.database.ChangeLook;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of due work. */
final class DueWorkSql {
    private static final RowStatement<Map.Entry<String, Instant>> PUT = RowStatement.of(
            "insert into due_work as d (organization_id, kind, due_at) select {organization}, r.* from {rows} as r"
                    + " on conflict (organization_id, kind) do update set due_at = excluded.due_at",
            RowStatement.text("kind", Map.Entry::getKey),
            RowStatement.time("due_at", Map.Entry::getValue));

    private static final String DELETE = "delete from due_work d where {d} and d.kind = any (:done)";

    private DueWorkSql() {}

    /**
     * A row.
     *
     * @param millis milliseconds until it is due; none or less: it is due
     */
    record Row(UUID organization, String kind, long millis) {}

    /**
     * When work is due.
     *
     * @param at the time of the look
     * @param next by kind; a kind without work is not there
     */
    record Dues(Instant at, Map<String, Instant> next) {}

    /**
     * The rows that are due within a time, those of all organizations: the only look that workers take at all.
     *
     * @param kinds all but those that another revision knows
     */
    static List<Row> due(Tx tx, Duration ahead, String[] kinds, int most) {
        return tx.sqlAcrossTenants("""
                select d.organization_id, d.kind,
                       (extract(epoch from d.due_at - {now}) * 1000)::bigint as millis
                from due_work d where d.due_at <= {now} + make_interval(secs => :ahead) and d.kind = any (:kinds)
                order by d.due_at limit :most""")
                .bind("kinds", kinds)
                .bind("ahead", ahead.toMillis() / 1e3)
                .bind("most", most)
                .list(row -> new Row(row.uuid("organization_id"), row.text("kind"), row.longer("millis")));
    }

    /**
     * Claims a row that is due, for the time of a lease. Takes no clock: what makes a row later or removes it has the
     * clock, and reads all work before.
     */
    static boolean claim(Tx tx, UUID organization, String kind, Duration lease) {
        return tx.sql(
                                View.of(organization),
                                "update due_work d set due_at = {now} + make_interval(secs => :lease)"
                                        + " where {d} and d.kind = :kind and d.due_at <= {now}")
                        .bind("lease", (double) lease.toSeconds())
                        .bind("kind", kind)
                        .run()
                > 0;
    }

    /**
     * The organizations with rows that may be due by a time, the earliest first. Those with work that nobody has looked
     * at yet have the row {@link ChangeLook#CHANGE}, and may have any.
     */
    static Map<UUID, Instant> organizations(Tx tx, Instant now, Instant until, int most) {
        Map<UUID, Instant> dueTimes = new LinkedHashMap<>();
        tx.sqlAcrossTenants("""
                select d.organization_id, min(case d.kind when 'change' then :now else d.due_at end) as due_at
                from due_work d where d.due_at <= :until or d.kind = 'change'
                group by d.organization_id order by 2 limit :most""")
                .bind("now", now)
                .bind("until", until)
                .bind("most", most)
                .list(row -> dueTimes.put(row.uuid("organization_id"), row.instant("due_at")));
        return dueTimes;
    }

    /** The statement that asks for the next work of each kind. */
    static String next(List<WorkKind> kinds) {
        return IntStream.range(0, kinds.size())
                .mapToObj(i -> "(" + kinds.get(i).next() + ") as work_" + i)
                .collect(Collectors.joining(",\n", "select {now} as at,\n", "\nfrom organization_clock k where {k}"));
    }

    /** Adds the question for the next work of each kind; no row: there is no such organization. */
    static RoundTrip.Result<Dues> next(RoundTrip trip, View all, String sql, List<WorkKind> kinds) {
        return trip.query(all, sql, row -> {
            Map<String, Instant> next = new HashMap<>();
            for (int i = 0; i < kinds.size(); i++) {
                Instant due = row.instantOrNull("work_" + i);
                if (due != null) {
                    next.put(kinds.get(i).name(), due);
                }
            }
            return new Dues(row.instant("at"), next);
        });
    }

    /**
     * Replaces the rows of an organization, whose clock this transaction has: so nobody writes work between the
     * question and this answer, and whoever comes next notes a change anew.
     *
     * @param kinds all that were asked for; rows of others stay
     */
    static void replace(RoundTrip trip, View all, Map<String, Instant> due, List<WorkKind> kinds) {
        Stream<String> kindNames =
                Stream.concat(Stream.of(ChangeLook.CHANGE), kinds.stream().map(WorkKind::name));
        trip.change(
                all,
                DELETE,
                "done",
                kindNames.filter(kind -> !due.containsKey(kind)).toArray(String[]::new));
        trip.change(all, PUT, new ArrayList<>(due.entrySet()));
        trip.change(all, """
                update organization_clock k set due_at = null, looked_seq = k.event_seq
                where {k} and (k.due_at is not null or k.looked_seq is distinct from k.event_seq)""");
    }

    /** Replaces the row of one kind; the organization's clock is this transaction's. */
    static void replace(RoundTrip trip, View all, WorkKind kind, @Nullable Instant due) {
        if (due == null) {
            trip.change(all, DELETE, "done", new String[] {kind.name()});
        } else {
            trip.change(all, PUT, List.of(Map.entry(kind.name(), due)));
        }
    }
}
