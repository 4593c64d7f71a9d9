package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.claim.ShownClaim;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The thread rows. */
final class ThreadSql {
    /** Of a thread, and of a snapshot of one. */
    static final String NAMES = """
            thread_id, inbox_id, pod_id, labels, restricted, senders, recipients, subject, preview, last_message,
            message_count, size, attachments, at, received_at, sent_at, created_at, updated_at""";

    static final String COLUMNS = of("t") + ", t.waiting, t.waiting_since";

    /** The columns for whoever is shown the thread. */
    static final String SHOWN = of("t") + WaitingSql.SHOWN;

    /** The octets that a thread has on a page, with its attachments. */
    static final String WEIGHT = "(octet_length(array_to_string(t.senders || t.recipients || t.labels, '')) + 1024"
            + " + 640 * least(t.attachments, " + Attachments.MOST_OF_A_THREAD + "))";

    static final String NAMED = "select " + SHOWN + ", " + ShownClaim.OF_THREAD + """
            , i.address as inbox_name
            from thread t join inbox i on i.organization_id = t.organization_id and i.inbox_id = t.inbox_id
            where {t visible} and not i.deleting""";

    private static final List<RowStatement.Column<ThreadTotals>> TOTALS = List.of(
            RowStatement.texts("labels", ThreadTotals::labels),
            RowStatement.integer("restricted", ThreadTotals::restricted),
            RowStatement.texts("senders", ThreadTotals::senders),
            RowStatement.texts("recipients", ThreadTotals::recipients),
            RowStatement.text("subject", ThreadTotals::subject),
            RowStatement.text("preview", ThreadTotals::preview),
            RowStatement.text("last_message", ThreadTotals::lastMessage),
            RowStatement.integer("message_count", ThreadTotals::messageCount),
            RowStatement.bigint("size", ThreadTotals::size),
            RowStatement.integer("attachments", ThreadTotals::attachments),
            RowStatement.time("at", ThreadTotals::at),
            RowStatement.time("received_at", ThreadTotals::receivedAt),
            RowStatement.time("sent_at", ThreadTotals::sentAt),
            RowStatement.time("created_at", ThreadTotals::createdAt));

    static final List<RowStatement.Column<MailThread>> ROW = Stream.of(
                    Stream.of(
                            RowStatement.uuid("thread_id", MailThread::id),
                            RowStatement.uuid("inbox_id", MailThread::inbox),
                            RowStatement.uuid("pod_id", MailThread::pod)),
                    TOTALS.stream().map(column -> column.of(MailThread::totals)),
                    Stream.of(RowStatement.time("updated_at", MailThread::updatedAt)))
            .flatMap(columns -> columns)
            .toList();

    private static final List<RowStatement.Column<MailThread>> WAITING_ROW = Stream.concat(
                    ROW.stream(),
                    Stream.<RowStatement.Column<MailThread>>of(
                            RowStatement.integer(
                                    "waiting", thread -> thread.waiting().code()),
                            RowStatement.time(
                                    "waiting_since", thread -> thread.waiting().since())))
            .toList();

    private static final RowStatement<MailThread> INSERT = RowStatement.of(
            "insert into thread (organization_id, " + NAMES + ", waiting, waiting_since)"
                    + " select {organization}, r.* from {rows} as r",
            WAITING_ROW);

    private static final RowStatement<MailThread> UPDATE = RowStatement.of("""
            update thread t
            set labels = r.labels, restricted = r.restricted, senders = r.senders, recipients = r.recipients,
                subject = r.subject, preview = r.preview, last_message = r.last_message,
                message_count = r.message_count, size = r.size, attachments = r.attachments, at = r.at,
                received_at = r.received_at, sent_at = r.sent_at, created_at = r.created_at, updated_at = r.updated_at,
                waiting = r.waiting, waiting_since = r.waiting_since
            from {rows} as r where {t} and t.thread_id = r.thread_id""", WAITING_ROW);

    static final RowStatement<UUID> OF_KEYS = RowStatement.of(
            "select {tenant}" + COLUMNS + " from {rows} as r join thread t on {t} and t.thread_id = r.key",
            RowStatement.uuid("key", id -> id));

    /** Returns a thread once for each of its messages among the keys. */
    static final RowStatement<UUID> OF_MESSAGES =
            RowStatement.of("select {tenant}" + COLUMNS + """

            from {rows} as w
             join message m on {m} and m.message_id = w.message_id
             join thread t on t.organization_id = m.organization_id and t.thread_id = m.thread_id
            where {t}""", RowStatement.uuid("message_id", id -> id));

    private ThreadSql() {}

    /** The columns with this table alias. */
    static String of(String alias) {
        return Arrays.stream(NAMES.split(","))
                .map(name -> alias + "." + name.strip())
                .collect(Collectors.joining(", "));
    }

    static Optional<MailThread> find(Tx tx, View view, UUID thread) {
        return tx.sql(view, "select " + COLUMNS + " from thread t where {t visible} and t.thread_id = :thread")
                .bind("thread", thread)
                .first(ThreadSql::read);
    }

    static List<Threads.InboxThread> named(Tx tx, View view, Collection<UUID> threads) {
        return tx.sql(view, NAMED + " and t.thread_id = any (:threads)")
                .bind("threads", threads.toArray(UUID[]::new))
                .list(ThreadSql::readNamed);
    }

    static Threads.InboxThread readNamed(Row row) {
        return new Threads.InboxThread(read(row), row.text("inbox_name"), ShownClaim.read(row));
    }

    static Map<UUID, Long> weights(Tx tx, View view, Collection<UUID> threads) {
        Map<UUID, Long> weights = new HashMap<>();
        tx.sql(
                        view,
                        "select t.thread_id, " + WEIGHT
                                + " as weight from thread t where {t visible} and t.thread_id = any (:threads)")
                .bind("threads", threads.toArray(UUID[]::new))
                .list(row -> weights.put(row.uuid("thread_id"), row.longer("weight")));
        return weights;
    }

    static void insert(RoundTrip trip, View view, List<MailThread> threads) {
        trip.change(view, INSERT, threads);
    }

    static void update(RoundTrip trip, View view, List<MailThread> threads) {
        trip.change(view, UPDATE, threads);
    }

    static void delete(RoundTrip trip, View view, UUID thread) {
        trip.change(
                view,
                "delete from message_reference r where r.organization_id = {organization}"
                        + " and r.thread_id = :thread",
                "thread",
                thread);
        trip.change(view, "delete from thread t where {t} and t.thread_id = :thread", "thread", thread);
        appendUnclaim(trip, view, thread);
    }

    /** Adds the end of the claims of a thread that goes. */
    static void appendUnclaim(RoundTrip trip, View view, UUID thread) {
        trip.change(
                view,
                "delete from thread_claim c where c.organization_id = {organization} and c.thread_id = :thread"
                        + " and c.held",
                "thread",
                thread);
    }

    static MailThread read(Row row) {
        return readSnapshot(row).with(ThreadWait.read(row));
    }

    /** A row without columns of who waits. */
    static MailThread readSnapshot(Row row) {
        return new MailThread(
                row.uuid("thread_id"),
                row.uuid("inbox_id"),
                row.uuid("pod_id"),
                new ThreadTotals(
                        row.texts("labels"),
                        row.integer("restricted"),
                        row.texts("senders"),
                        row.texts("recipients"),
                        row.textOrNull("subject"),
                        row.textOrNull("preview"),
                        row.text("last_message"),
                        row.integer("message_count"),
                        row.longer("size"),
                        row.integer("attachments"),
                        row.instant("at"),
                        row.instantOrNull("received_at"),
                        row.instantOrNull("sent_at"),
                        row.instant("created_at")),
                row.instant("updated_at"),
                ThreadWait.UNKNOWN);
    }
}
