package dev.inboxd.event;

import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.TextArray;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The event and delivery rows as they are made. */
final class EventSql {
    private EventSql() {}

    record Line(Event event, Tx.Stamp stamp) {}

    record Match(long seq, String webhookId) {}

    private static final String INSERT = """
            insert into event (organization_id, seq, at, type, pod_id, inbox_id, thread_id, message_id, message_name,
                               labels, restricted, details)
            select {organization}, e.seq, e.at, e.type, e.pod_id, e.inbox_id, e.thread_id, e.message_id, e.message_name,
                   e.labels::text[], e.restricted, e.details::jsonb
            from unnest(:seqs::bigint[], :ats::timestamptz[], :types::text[], :pods::uuid[], :inboxes::uuid[],
                        :threads::uuid[], :messages::uuid[], :names::text[], :labels::text[], :restricted::int[],
                        :details::text[])
                 as e (seq, at, type, pod_id, inbox_id, thread_id, message_id, message_name, labels, restricted, details)
            """;

    /**
     * One row for each enabled webhook that wants the event, in the owner's scope and in its lists (events.md §4.1).
     * Due a little later: the committing node delivers at once from memory, and whoever finds the row then takes over.
     */
    private static final String FAN_OUT = """
            insert into delivery (organization_id, seq, webhook_id, due_at, message_id, created_at)
            select e.organization_id, e.seq, w.webhook_id, {now} + make_interval(secs => :lease), e.message_id, e.at
            from event e join webhook w on w.organization_id = e.organization_id
            where {e} and e.seq between :first and :last
              and w.enabled and e.type = any (w.event_types)
              and (w.pod_id is null or w.pod_id = e.pod_id) and (w.inbox_id is null or w.inbox_id = e.inbox_id)
              and (w.pod_ids is null and w.inbox_ids is null
                   or e.pod_id = any (w.pod_ids) or e.inbox_id = any (w.inbox_ids))
            returning seq, webhook_id""";

    static void insert(RoundTrip trip, View view, List<Line> lines) {
        trip.change(view, INSERT,
                "seqs", lines.stream().map(line -> line.stamp.number()).toArray(Long[]::new),
                "ats", lines.stream().map(line -> line.stamp.at()).toArray(Instant[]::new),
                "types", texts(lines, line -> line.event.type().wire()),
                "pods", ids(lines, subject -> subject.pod()),
                "inboxes", ids(lines, subject -> subject.inbox()),
                "threads", ids(lines, subject -> subject.thread()),
                "messages", ids(lines, subject -> subject.message()),
                "names", texts(lines, line -> line.event.subject().messageName()),
                "labels", texts(lines, line -> line.event.labels().isEmpty() ? null : TextArray.literal(line.event.labels())),
                "restricted", lines.stream().map(line -> line.event.subject().restricted()).toArray(Integer[]::new),
                "details", texts(lines, line -> line.event.details()));
    }

    static RoundTrip.Pending<Match> fanOut(RoundTrip trip, View view, long first, long last) {
        return trip.look(View.of(view.organization()), FAN_OUT,
                row -> new Match(row.longer("seq"), row.text("webhook_id")),
                "first", first, "last", last, "lease", (double) EventLog.LEASE.toSeconds());
    }

    private interface Part<T, R> {
        @Nullable R of(T whole);
    }

    private static @Nullable String[] texts(List<Line> lines, Part<Line, String> part) {
        @Nullable String[] texts = new String[lines.size()];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = part.of(lines.get(i));
        }
        return texts;
    }

    private static @Nullable UUID[] ids(List<Line> lines, Part<Event.Subject, UUID> part) {
        @Nullable UUID[] ids = new UUID[lines.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = part.of(lines.get(i).event.subject());
        }
        return ids;
    }
}
