package dev.inboxd.mailbox.thread;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.label.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Computes the aggregates of threads again after their messages have changed (mail.md §10.4). The database aggregates,
 * so that a thread of thousands of messages costs one scan of its index.
 */
public final class ThreadTotalsQuery {
    private static final int LABEL = 0;
    private static final int SENDER = 1;
    /** Addresses of a thread that are looked at; its row has at most a thousand distinct ones. */
    private static final int MOST_ADDRESSES = 20_000;
    /** What their texts have together; its row has half as much, with each address once in whatever spelling. */
    private static final int MOST_OCTETS = 256 << 10;

    /** The messages that count: the clean ones; else the others that are not held; else all of them. */
    private static final String COUNTED = """
            with s as materialized (
                select w.thread_id,
                       case when exists (select 1 from message c where c.organization_id = {organization}
                                         and c.thread_id = w.thread_id and c.restricted = 0) then -1
                            when exists (select 1 from message c where c.organization_id = {organization}
                                         and c.thread_id = w.thread_id and c.restricted & HELD = 0) then HELD
                            else 0 end as excluded
                from unnest(:threads::uuid[]) as w (thread_id))
            """.replace("HELD", String.valueOf(RestrictedLabel.HELD.bit()));

    private static final String SUMS = COUNTED + """
            select a.*, f.subject, l.preview, l.name as last_message
            from (select s.thread_id, bit_or(m.restricted) as restricted,
                         exists (select 1 from message h where h.organization_id = {organization}
                                 and h.thread_id = s.thread_id and h.restricted & HELD <> 0) as held,
                         count(*) as n, sum(m.size)::bigint as size, sum(m.attachments)::integer as attachments,
                         min(m.created_at) as first_at, max(m.created_at) as last_at,
                         max(m.created_at) filter (where not m.outgoing) as received_at,
                         max(m.created_at) filter (where m.outgoing) as sent_at
                  from s join message m on m.organization_id = {organization} and m.thread_id = s.thread_id
                                       and m.restricted & s.excluded = 0
                  group by s.thread_id) a
            join message f on f.organization_id = {organization} and f.thread_id = a.thread_id
                          and f.created_at = a.first_at
            join message l on l.organization_id = {organization} and l.thread_id = a.thread_id
                          and l.created_at = a.last_at
            """.replace("HELD", String.valueOf(RestrictedLabel.HELD.bit()));

    private static final String LABELS = COUNTED + """
            select x.thread_id, 0 as kind, x.said
            from (select d.*, row_number() over (partition by d.thread_id
                                                 order by d.said <> all (:service::text[]), d.created_at, d.place) as n
                  from (select distinct on (s.thread_id, u.said) s.thread_id, u.said, m.created_at, u.place
                        from s join message m on m.organization_id = {organization} and m.thread_id = s.thread_id
                                             and m.restricted & s.excluded = 0
                        cross join lateral unnest(m.labels) with ordinality as u (said, place)
                        order by s.thread_id, u.said, m.created_at, u.place) d) x
            where x.n <= :most
            order by x.thread_id, x.created_at, x.place""";

    /** The labels, of those removed from messages of a thread, that other messages in it still carry. */
    private static final String REMAINING = COUNTED + """
            select w.thread_id, 0 as kind, w.label as said
            from unnest(:labelled::uuid[], :labels::text[]) as w (thread_id, label) join s on s.thread_id = w.thread_id
            where exists (select 1 from message m where m.organization_id = {organization}
                          and m.thread_id = w.thread_id and m.labels @> array[w.label]
                          and m.restricted & s.excluded = 0)""";

    private static final String ADDRESSES = COUNTED + """
            select x.thread_id, x.kind, x.said
            from (select d.*, sum(octet_length(d.said)) over (partition by d.thread_id, d.kind
                                                              order by d.created_at, d.place, d.said) as octets
                  from (select distinct on (s.thread_id, a.kind, a.said)
                               s.thread_id, a.kind, a.said, a.created_at, a.place
                        from s cross join lateral (
                            select v.kind, v.said, m.created_at, v.place
                            from message m cross join lateral (
                                select 1 as kind, m.sender as said, 0::bigint as place
                                union all
                                select 2, u.said, u.place
                                from unnest(m.recipients_to || m.recipients_cc || m.recipients_bcc)
                                    with ordinality as u (said, place)) v
                            where m.organization_id = {organization} and m.thread_id = s.thread_id
                              and m.restricted & s.excluded = 0
                            order by m.created_at limit :most) a
                        where octet_length(a.said) <= :octets
                        order by s.thread_id, a.kind, a.said, a.created_at, a.place) d) x
            where x.octets <= :octets
            order by x.thread_id, x.created_at, x.place""";

    private final View all;
    private RoundTrip.Result<MailThread> threads = RoundTrip.Result.none();
    private RoundTrip.Result<Sum> sums = RoundTrip.Result.none();
    private RoundTrip.Result<ThreadText> labels = RoundTrip.Result.none();
    private RoundTrip.Result<ThreadText> addresses = RoundTrip.Result.none();
    private RoundTrip.Result<ThreadText> remainingLabels = RoundTrip.Result.none();

    public ThreadTotalsQuery(View all) {
        this.all = all;
    }

    /** @param held whether any message of the thread is held, counted or not */
    private record Sum(UUID thread, ThreadTotals totals, boolean held) {
        static Sum read(Row row) {
            return new Sum(
                    row.uuid("thread_id"),
                    new ThreadTotals(
                            List.of(),
                            row.integer("restricted"),
                            List.of(),
                            List.of(),
                            row.textOrNull("subject"),
                            row.textOrNull("preview"),
                            row.text("last_message"),
                            row.integer("n"),
                            row.longer("size"),
                            row.integer("attachments"),
                            row.instant("last_at"),
                            row.instantOrNull("received_at"),
                            row.instantOrNull("sent_at"),
                            row.instant("first_at")),
                    row.flag("held"));
        }
    }

    private record ThreadText(UUID thread, int kind, String text) {
        static ThreadText read(Row row) {
            return new ThreadText(row.uuid("thread_id"), row.integer("kind"), row.text("said"));
        }
    }

    /** Adds the look-ups to a round trip, after the changes of the messages. */
    public void prefetch(RoundTrip trip, Collection<UUID> changed) {
        if (changed.isEmpty()) {
            return;
        }
        UUID[] ids = changed.toArray(UUID[]::new);
        threads = Threads.prefetch(trip, all, changed);
        sums = trip.query(all, SUMS, Sum::read, "threads", ids);
        labels = trip.query(
                all,
                LABELS,
                ThreadText::read,
                "threads",
                ids,
                "service",
                Labels.ofService().toArray(String[]::new),
                "most",
                ThreadTotals.MOST_LABELS);
        addresses = trip.query(
                all, ADDRESSES, ThreadText::read, "threads", ids, "most", MOST_ADDRESSES, "octets", MOST_OCTETS);
    }

    /** Whether a thread has no message left. */
    public boolean isEmpty(UUID thread) {
        return sums.rows().stream().noneMatch(sum -> sum.thread.equals(thread));
    }

    /**
     * Adds a look-up of the labels, of those removed from messages of a thread, that other messages in it still carry.
     */
    public void prefetchRemaining(RoundTrip trip, Map<UUID, Set<String>> removed) {
        List<UUID> labelled = new ArrayList<>();
        List<String> labelNames = new ArrayList<>();
        removed.forEach((thread, all) -> all.forEach(label -> {
            labelled.add(thread);
            labelNames.add(label);
        }));
        if (!labelNames.isEmpty()) {
            remainingLabels = trip.query(
                    all,
                    REMAINING,
                    ThreadText::read,
                    "threads",
                    labelled.stream().distinct().toArray(UUID[]::new),
                    "labelled",
                    labelled.toArray(UUID[]::new),
                    "labels",
                    labelNames.toArray(String[]::new));
        }
    }

    /** The labels that messages of a thread still carry. */
    public Set<String> remainingLabels(UUID thread) {
        return remainingLabels.rows().stream()
                .filter(text -> text.thread.equals(thread))
                .map(ThreadText::text)
                .collect(Collectors.toSet());
    }

    /** The threads whose aggregates have changed. Adds the removal of threads without messages to the round trip. */
    public List<MailThread> changed(RoundTrip trip, Instant now) {
        Map<UUID, Sum> totals = new HashMap<>();
        sums.rows().forEach(sum -> totals.put(sum.thread, sum));
        List<MailThread> changed = new ArrayList<>();
        for (MailThread thread : threads.rows()) {
            Sum sum = totals.get(thread.id());
            if (sum == null) {
                Threads.appendDelete(trip, all, thread.id());
                continue;
            }
            MailThread after = thread.withTotals(
                    sum.totals.with(
                            labels(thread, sum.held),
                            texts(thread, addresses, SENDER),
                            texts(thread, addresses, SENDER + 1)),
                    now);
            if (!after.equals(thread)) {
                changed.add(after);
            }
        }
        return changed;
    }

    private List<String> labels(MailThread thread, boolean held) {
        List<String> counted = new ArrayList<>(texts(thread, labels, LABEL));
        if (held && !counted.contains(Labels.HELD)) {
            counted.add(Labels.HELD);
        }
        return counted;
    }

    private static List<String> texts(MailThread thread, RoundTrip.Result<ThreadText> all, int kind) {
        return all.rows().stream()
                .filter(text -> text.kind == kind && text.thread.equals(thread.id()) && !text.text.isEmpty())
                .map(ThreadText::text)
                .toList();
    }
}
