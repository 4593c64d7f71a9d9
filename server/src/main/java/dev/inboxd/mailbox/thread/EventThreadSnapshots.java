package dev.inboxd.mailbox.thread;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Snapshots of threads as a received message left them, by the event of that message. A webhook that is retried later
 * reports the thread as it was. The first message of a thread determines the thread, so it needs no snapshot.
 */
public final class EventThreadSnapshots {
    private static final String INTO =
            "insert into event_thread (organization_id, " + ThreadSql.NAMES + ", seq, attachment_ids, remembered_at)";

    /** The attachments that a thread shows, of messages up to its newest one; the newest thousand. */
    private static final String ATTACHMENTS = """
            case when r.attachments > 0 then array(
                select x.attachment_id from (
                    select a.attachment_id, m.created_at, a.part from attachment a
                    join message m on m.organization_id = a.organization_id and m.message_id = a.message_id
                    where {a} and a.thread_id = r.thread_id and m.created_at <= r.at
                      and m.restricted & (EXCLUDED) = 0
                    order by m.created_at desc, a.part desc limit 1000) as x
                order by x.created_at, x.part) end""".replace("EXCLUDED", RestrictedLabel.excludedBits("r.restricted"));

    private static final RowStatement<ThreadSnapshot> INSERT = RowStatement.of(
            INTO + " select {organization}, r.*, " + ATTACHMENTS
                    + ", {now} from {rows} as r where exists (select 1 from webhook w where {w} and w.enabled)",
            columns());

    private static final RowStatement<Long> OF_EVENTS = RowStatement.of(
            "select t.* from {rows} as w cross join lateral (select t.seq, " + ThreadSql.of("t")
                    + ", t.attachment_ids from event_thread t where {t} and t.seq = w.seq offset 0) as t",
            RowStatement.bigint("seq", event -> event));

    private EventThreadSnapshots() {}

    /**
     * A thread right after a message joined it.
     *
     * @param event sequence number of the message's event
     */
    public record ThreadSnapshot(long event, MailThread thread) {}

    /**
     * A stored snapshot.
     *
     * @param event sequence number of its event
     * @param attachments ids of the attachments that the thread showed, in their order; some may be deleted since
     */
    public record StoredSnapshot(long event, MailThread thread, List<UUID> attachments) {
        public StoredSnapshot {
            attachments = List.copyOf(attachments);
        }
    }

    private static List<RowStatement.Column<ThreadSnapshot>> columns() {
        List<RowStatement.Column<ThreadSnapshot>> columns = new ArrayList<>();
        ThreadSql.ROW.forEach(column -> columns.add(column.of(ThreadSnapshot::thread)));
        columns.add(RowStatement.bigint("seq", ThreadSnapshot::event));
        return columns;
    }

    /** Adds the inserts of snapshots to a round trip, after the inserts of the attachments. */
    public static void appendTo(RoundTrip trip, View view, List<ThreadSnapshot> threads) {
        trip.change(view, INSERT, threads);
    }

    /** Adds a look-up of snapshots by the sequence numbers of their events to a round trip. */
    public static RoundTrip.Result<StoredSnapshot> prefetch(RoundTrip trip, View all, List<Long> events) {
        return trip.query(
                all,
                OF_EVENTS,
                events,
                row -> new StoredSnapshot(row.longer("seq"), ThreadSql.readSnapshot(row), row.uuids("attachment_ids")));
    }

    /** Stores a snapshot of the thread as it is now, for an event that has none. */
    public static void remember(Tx tx, View all, long event, UUID thread) {
        tx.sql(
                        all,
                        INTO + " select r.organization_id, " + ThreadSql.of("r") + ", :event, "
                                + ATTACHMENTS + ", {now} from thread r where {r} and r.thread_id = :thread"
                                + " on conflict (organization_id, seq) do nothing")
                .bind("event", event)
                .bind("thread", thread)
                .run();
    }
}
