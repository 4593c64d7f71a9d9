package dev.inboxd.mailbox.thread;

import dev.inboxd.platform.database.Batched;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The thread rows. */
final class ThreadSql {
    static final String NAMES = """
            thread_id, inbox_id, pod_id, labels, restricted, senders, recipients, subject, preview, last_message,
            message_count, size, attachments, at, received_at, sent_at, created_at, updated_at""";

    static final String COLUMNS = of("t");

    static final String NAMED = "select " + COLUMNS + """
            , i.address as inbox_name
            from thread t join inbox i on i.organization_id = t.organization_id and i.inbox_id = t.inbox_id
            where {t visible} and not i.deleting""";

    static final List<Batched.Column<MailThread>> ROW = List.of(
            Batched.uuid("thread_id", MailThread::id), Batched.uuid("inbox_id", MailThread::inbox),
            Batched.uuid("pod_id", MailThread::pod), Batched.texts("labels", MailThread::labels),
            Batched.integer("restricted", MailThread::restricted), Batched.texts("senders", MailThread::senders),
            Batched.texts("recipients", MailThread::recipients), Batched.text("subject", MailThread::subject),
            Batched.text("preview", MailThread::preview), Batched.text("last_message", MailThread::lastMessage),
            Batched.integer("message_count", MailThread::messageCount), Batched.bigint("size", MailThread::size),
            Batched.integer("attachments", MailThread::attachments), Batched.time("at", MailThread::at),
            Batched.time("received_at", MailThread::receivedAt), Batched.time("sent_at", MailThread::sentAt),
            Batched.time("created_at", MailThread::createdAt), Batched.time("updated_at", MailThread::updatedAt));

    private static final Batched<MailThread> INSERT = Batched.of(
            "insert into thread (organization_id, " + NAMES + ") select {organization}, r.* from {rows} as r", ROW);

    private static final Batched<MailThread> UPDATE = Batched.of("""
            update thread t
            set labels = r.labels, restricted = r.restricted, senders = r.senders, recipients = r.recipients,
                subject = r.subject, preview = r.preview, last_message = r.last_message,
                message_count = r.message_count, size = r.size, attachments = r.attachments, at = r.at,
                received_at = r.received_at, sent_at = r.sent_at, created_at = r.created_at, updated_at = r.updated_at
            from {rows} as r where {t} and t.thread_id = r.thread_id""", ROW);

    static final Batched<UUID> OF_KEYS = Batched.of(
            "select {tenant}" + COLUMNS + " from {rows} as r join thread t on {t} and t.thread_id = r.key",
            Batched.uuid("key", id -> id));

    /** A thread comes once for each of the messages. */
    static final Batched<UUID> OF_MESSAGES =
            Batched.of("select {tenant}" + COLUMNS + """

            from {rows} as w
             join message m on {m} and m.message_id = w.message_id
             join thread t on t.organization_id = m.organization_id and t.thread_id = m.thread_id
            where {t}""", Batched.uuid("message_id", id -> id));

    private ThreadSql() {}

    /** The columns of a table of that alias. */
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

    static Optional<Threads.Named> named(Tx tx, View view, UUID thread) {
        return tx.sql(view, NAMED + " and t.thread_id = :thread")
                .bind("thread", thread)
                .first(ThreadSql::readNamed);
    }

    static List<Threads.Named> named(Tx tx, View view, Collection<UUID> threads) {
        return tx.sql(view, NAMED + " and t.thread_id = any (:threads)")
                .bind("threads", threads.toArray(UUID[]::new))
                .list(ThreadSql::readNamed);
    }

    static Threads.Named readNamed(Row row) {
        return new Threads.Named(read(row), row.text("inbox_name"));
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
    }

    static MailThread read(Row row) {
        return new MailThread(
                row.uuid("thread_id"),
                row.uuid("inbox_id"),
                row.uuid("pod_id"),
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
                row.instant("created_at"),
                row.instant("updated_at"));
    }
}
