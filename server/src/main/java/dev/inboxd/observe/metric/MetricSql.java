package dev.inboxd.observe.metric;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of totals, and the queries of the event rows that they are computed from. */
final class MetricSql {
    /** An event whose message was deleted has no recipients any more, and counts as one. */
    private static final String LINE = """
            select e.seq, e.at, e.type, e.pod_id, e.inbox_id, coalesce(e.messages, 0) as messages,
                   coalesce(e.bytes, 0) as bytes, coalesce(e.threads, 0) as threads,
                   coalesce(jsonb_array_length(coalesce(e.details -> 'send', e.details -> 'bounce',
                                                        e.details -> 'complaint') -> 'recipients'), 1) as recipients
            from event e""";

    private static final RowStatement<Sum> PUT = RowStatement.of(
            """
            insert into metric_total (organization_id, scope_id, minute, totals)
            select {organization}, s.scope_id, s.minute, s.totals::bigint[] from {rows} as s
            on conflict (organization_id, scope_id, minute) do update set totals = excluded.totals""",
            RowStatement.uuid("scope_id", Sum::scope),
            RowStatement.time("minute", Sum::minute),
            RowStatement.texts("totals", sum -> sum.totals.stored()));

    private MetricSql() {}

    /** The values of an event that are counted. */
    record Line(
            long seq,
            Instant at,
            String type,
            @Nullable UUID pod,
            @Nullable UUID inbox,
            int messages,
            long bytes,
            int threads,
            int recipients) {
        static Line read(Row row) {
            return new Line(
                    row.longer("seq"),
                    row.instant("at"),
                    row.text("type"),
                    row.uuidOrNull("pod_id"),
                    row.uuidOrNull("inbox_id"),
                    row.integer("messages"),
                    row.longer("bytes"),
                    row.integer("threads"),
                    row.integer("recipients"));
        }
    }

    /** The totals of a scope at the end of a minute. */
    record Sum(UUID scope, Instant minute, CounterTotals totals) {}

    /** A deleted inbox, pod or domain. */
    record RemovedResource(long seq, String resourceId, UUID pod, Instant at) {}

    /** The progress of the totals and the clock of an organization. */
    record Progress(long seq, long clock) {}

    static Progress progress(Tx tx, View all) {
        return tx.sql(
                        all,
                        "select coalesce((select p.seq from metric_progress p where {p}), 0) as seq, k.event_seq"
                                + " from organization_clock k where {k}")
                .single(row -> new Progress(row.longer("seq"), row.longer("event_seq")));
    }

    /** Now, when an organization has events that are not in its totals. */
    static final String NEXT = "select {now} from organization_clock c where c.organization_id = {organization}"
            + " and c.event_seq > coalesce((select p.seq from metric_progress p"
            + " where p.organization_id = {organization}), 0)";

    /**
     * Moves the progress on, unless another node has. When all events were added up, the present end of the clock is
     * used.
     */
    static boolean advance(Tx tx, View all, long from, long to, boolean isComplete) {
        return tx.sql(all, """
                insert into metric_progress as p (organization_id, seq)
                select k.organization_id, case when :whole then k.event_seq else :to::bigint end
                from organization_clock k
                where {k} and coalesce((select q.seq from metric_progress q where {q}), 0) = :from
                on conflict (organization_id) do update set seq = excluded.seq where p.seq = :from""")
                        .bind("whole", isComplete)
                        .bind("to", to)
                        .bind("from", from)
                        .run()
                == 1;
    }

    static List<Line> lines(Tx tx, View all, long after, long last, int most) {
        return tx.sql(all, LINE + " where {e} and e.seq > :after and e.seq <= :last order by e.seq limit :most")
                .bind("after", after)
                .bind("last", last)
                .bind("most", most)
                .list(Line::read);
    }

    /** The sums of the events of a scope in ranges of sequence numbers, by the position of the range. */
    static Map<Integer, CounterTotals> sumsOfRanges(Tx tx, View scope, List<Long> after, List<Long> last) {
        Map<Integer, CounterTotals> sums = new HashMap<>();
        tx.sql(scope, """
                select s.place::int as place, e.type, sum(e.messages)::int as messages, sum(e.bytes)::bigint as bytes,
                       sum(e.threads)::int as threads, sum(e.recipients)::int as recipients, count(*)::int as n
                from unnest(:after::bigint[], :last::bigint[]) with ordinality as s (after, last, place)
                cross join lateral (LINE where {e} and e.seq > s.after and e.seq <= s.last) as e
                group by s.place, e.type""".replace("LINE", LINE))
                .bind("after", after.toArray(Long[]::new))
                .bind("last", last.toArray(Long[]::new))
                .list(row -> {
                    CounterTotals sum = sums.computeIfAbsent(row.integer("place") - 1, _ -> CounterTotals.none());
                    CounterType kind = CounterType.ofEvent(row.text("type"));
                    sum.add(kind, row.integer("n"));
                    sum.add(CounterType.recipientsOf(kind), row.integer("recipients"));
                    sum.add(CounterType.MESSAGE_COUNT, row.integer("messages"));
                    sum.add(CounterType.STORAGE_BYTES, row.longer("bytes"));
                    sum.add(CounterType.THREAD_COUNT, row.integer("threads"));
                    return sum;
                });
        return sums;
    }

    /** The newest totals of some scopes. */
    static Map<UUID, CounterTotals> newest(Tx tx, View all, Collection<UUID> scopes) {
        Map<UUID, CounterTotals> totals = new HashMap<>();
        tx.sql(all, """
                select s.scope_id, t.totals::text[] as totals from unnest(:scopes::uuid[]) as s (scope_id)
                cross join lateral (select t.totals from metric_total t where {t} and t.scope_id = s.scope_id
                                    order by t.minute desc limit 1) as t""")
                .bind("scopes", scopes.toArray(UUID[]::new))
                .list(row -> totals.put(row.uuid("scope_id"), CounterTotals.of(row.texts("totals"))) == null);
        return totals;
    }

    /**
     * The totals of a scope at the start of a minute, and how far the log was when they were read.
     *
     * @param isWhole whether all events are in the totals
     * @param lastAt the last time that the organization's clock has given; that of the last event or later
     */
    record MinuteTotals(CounterTotals totals, boolean isWhole, Instant lastAt) {
        static MinuteTotals read(Row row) {
            return new MinuteTotals(
                    CounterTotals.of(row.texts("totals")), row.flag("is_whole"), row.instant("last_at"));
        }
    }

    /** The totals of a scope at the start of each of these minutes, in their order. */
    static List<MinuteTotals> at(Tx tx, View all, UUID scope, List<Instant> minutes) {
        return tx.sql(all, """
                select t.totals::text[] as totals, k.last_at,
                       coalesce((select p.seq from metric_progress p where {p}), 0) >= k.event_seq as is_whole
                from organization_clock k
                cross join unnest(:minutes::timestamptz[]) with ordinality as m (minute, place)
                left join lateral (select t.totals from metric_total t
                                   where {t} and t.scope_id = :scope and t.minute < m.minute
                                   order by t.minute desc limit 1) as t on true
                where {k} order by m.place""")
                .bind("scope", scope)
                .bind("minutes", minutes.toArray(Instant[]::new))
                .list(MinuteTotals::read);
    }

    static void put(RoundTrip trip, View all, List<Sum> sums) {
        trip.change(all, PUT, sums);
    }

    /** The first inbox that was deleted after a sequence number. */
    static Optional<RemovedResource> nextInbox(Tx tx, View all, long after, long last) {
        return tx.sql(
                        all,
                        "select d.seq, d.thing_id, d.pod_id, d.at from departure d where {d} and d.seq > :after"
                                + " and d.seq <= :last and d.kind = 'inbox' order by d.seq limit 1")
                .bind("after", after)
                .bind("last", last)
                .first(row -> new RemovedResource(
                        row.longer("seq"), row.text("thing_id"), row.uuid("pod_id"), row.instant("at")));
    }

    /** Those of the inboxes that were deleted. */
    static List<UUID> removedInboxes(Tx tx, View all, Collection<UUID> inboxes, long before) {
        return tx.sql(
                        all,
                        "select i.id from unnest(:inboxes::uuid[]) as i (id) where exists (select 1 from departure d"
                                + " where {d} and d.kind = 'inbox' and d.thing_id = i.id::text and d.seq <= :before)")
                .bind("inboxes", inboxes.toArray(UUID[]::new))
                .bind("before", before)
                .list(row -> row.uuid("id"));
    }

    /**
     * Stores the totals of a deleted inbox with its deletion, and deletes its own totals, which cannot be queried any
     * more.
     */
    static void subtractRemoved(Tx tx, View all, RemovedResource inbox, CounterTotals held) {
        tx.sql(
                        all,
                        "update departure d set messages = :messages, bytes = :bytes, threads = :threads"
                                + " where {d} and d.seq = :seq and d.kind = 'inbox' and d.thing_id = :thing")
                .bind("messages", held.get(CounterType.MESSAGE_COUNT))
                .bind("bytes", held.get(CounterType.STORAGE_BYTES))
                .bind("threads", held.get(CounterType.THREAD_COUNT))
                .bind("seq", inbox.seq)
                .bind("thing", inbox.resourceId)
                .run();
        tx.sql(all, "delete from metric_total t where {t} and t.scope_id = :scope::uuid")
                .bind("scope", inbox.resourceId)
                .run();
    }

    /** The totals of deleted inboxes of a scope in ranges of time, by the position of the range. */
    static Map<Integer, CounterTotals> removedResources(Tx tx, View scope, List<Instant> from, List<Instant> to) {
        Map<Integer, CounterTotals> sums = new HashMap<>();
        tx.sql(scope, """
                select s.place::int as place, d.messages, d.bytes, d.threads
                from unnest(:from::timestamptz[], :to::timestamptz[]) with ordinality as s (since, until, place)
                join departure d on d.kind = 'inbox' and d.at >= s.since and d.at < s.until
                where {d}""")
                .bind("from", from.toArray(Instant[]::new))
                .bind("to", to.toArray(Instant[]::new))
                .list(row -> {
                    CounterTotals sum = sums.computeIfAbsent(row.integer("place") - 1, _ -> CounterTotals.none());
                    sum.add(CounterType.MESSAGE_COUNT, -row.longer("messages"));
                    sum.add(CounterType.STORAGE_BYTES, -row.longer("bytes"));
                    sum.add(CounterType.THREAD_COUNT, -row.longer("threads"));
                    return sum;
                });
        return sums;
    }

    /** The times of the events of one type in a scope. */
    static List<Instant> times(Tx tx, View scope, CounterType kind, EventRange range) {
        return tx.sql(
                        scope,
                        "select e.at from event e where {e} and e.seq > :after and e.seq <= :last"
                                + " and e.type = :type order by e.seq " + (range.descending ? "desc" : "asc")
                                + " limit :most")
                .bind("after", range.after)
                .bind("last", range.last)
                .bind("type", kind.wireName())
                .bind("most", range.most)
                .list(row -> row.instant("at"));
    }

    /**
     * A range of events.
     *
     * @param after the sequence number before the first
     * @param last the last sequence number
     * @param most the largest number of events
     */
    record EventRange(long after, long last, long most, boolean descending) {}
}
