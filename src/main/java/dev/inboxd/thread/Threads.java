package dev.inboxd.thread;

import dev.inboxd.database.Row;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.page.Page;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What the rest of the server does with threads while it stores, relabels and deletes messages. */
public final class Threads {
    /** The columns that {@link #read} wants, of a table named {@code t}. */
    public static final String COLUMNS = ThreadSql.COLUMNS;

    private Threads() {}

    /** Adds the writing of new and of changed threads to a round trip. */
    public static void writeWith(RoundTrip trip, View view, List<MailThread> made, List<MailThread> changed) {
        ThreadSql.insert(trip, view, made);
        ThreadSql.update(trip, view, changed);
    }

    /** Adds the removal of a thread that has no message left. */
    public static void deleteWith(RoundTrip trip, View view, UUID thread) {
        ThreadSql.delete(trip, view, thread);
    }

    /** Adds a look-up of one thread to a round trip. */
    public static RoundTrip.Pending<MailThread> look(RoundTrip trip, View view, UUID thread) {
        return trip.look(view, "select " + COLUMNS + " from thread t where {t} and t.thread_id = :thread",
                ThreadSql::read, "thread", thread);
    }

    /** The thread, when the view shows it. */
    public static Optional<MailThread> find(Tx tx, View view, UUID thread) {
        return ThreadSql.find(tx, view, thread);
    }

    /** A thread with the public id of its inbox. */
    public record Named(MailThread thread, String inboxName) {}

    /** The rows of a page of threads that the view shows, in the page's order. */
    public static List<Named> list(Tx tx, View view, MailFilter filter, Page page) {
        return ThreadSql.list(tx, view, filter, page);
    }

    /** One thread, when the view shows it. */
    public static Optional<Named> named(Tx tx, View view, UUID thread) {
        return ThreadSql.named(tx, view, thread);
    }

    /** The threads of these keys that the view shows. */
    public static List<Named> named(Tx tx, View view, Collection<UUID> threads) {
        return ThreadSql.named(tx, view, threads);
    }

    /** The thread of a row that has {@link #COLUMNS}. */
    public static MailThread read(Row row) {
        return ThreadSql.read(row);
    }
}
