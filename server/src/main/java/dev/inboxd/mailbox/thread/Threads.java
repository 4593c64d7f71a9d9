package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.claim.ShownClaim;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The thread rows, as the packages that store, relabel and delete messages use them. */
public final class Threads {
    /** The columns that {@link #read} reads, of a table with the alias {@code t}. */
    public static final String COLUMNS = ThreadSql.COLUMNS;

    /** The largest number of references that {@link #appendCleanup} removes. */
    public static final int MOST_FORGOTTEN = 2_000;

    private Threads() {}

    /** Adds the inserts of new threads and the updates of changed ones to a round trip. */
    public static void appendTo(RoundTrip trip, View view, List<MailThread> created, List<MailThread> changed) {
        ThreadSql.insert(trip, view, created);
        ThreadSql.update(trip, view, changed);
    }

    /** Adds the removal of a thread without messages, and of its references. */
    public static void appendDelete(RoundTrip trip, View view, UUID thread) {
        ThreadSql.delete(trip, view, thread);
    }

    /** Adds the removal of a thread's row alone: no message joins it from then on. */
    public static void appendRowDelete(RoundTrip trip, View view, UUID thread) {
        trip.change(view, "delete from thread t where {t} and t.thread_id = :thread", "thread", thread);
        ThreadSql.appendUnclaim(trip, view, thread);
    }

    /** Adds the removal of some references to a thread; the result has a row for each that was removed. */
    public static RoundTrip.Result<Integer> appendCleanup(RoundTrip trip, View view, UUID thread) {
        return trip.query(
                view,
                "delete from message_reference r where {r} and (r.inbox_id, r.reference) in ("
                        + "select x.inbox_id, x.reference from message_reference x where {x} and x.thread_id = :thread"
                        + " limit " + MOST_FORGOTTEN + ") returning 1 as one",
                row -> row.integer("one"),
                "thread",
                thread);
    }

    /** Adds a look-up of some threads to a round trip, without regard to labels that hide them. */
    public static RoundTrip.Result<MailThread> prefetch(RoundTrip trip, View view, Collection<UUID> threads) {
        return trip.joinQuery(view, ThreadSql.OF_KEYS, List.copyOf(threads), ThreadSql::read);
    }

    /** Adds a look-up of the threads of these messages, one row for each message, in the whole organization. */
    public static RoundTrip.Result<MailThread> prefetchOfMessages(
            RoundTrip trip, View organization, List<UUID> messages) {
        return trip.query(organization, ThreadSql.OF_MESSAGES, messages, ThreadSql::read);
    }

    /** Adds a look-up of one thread to a round trip; it is found when the view shows it. */
    public static RoundTrip.Result<MailThread> prefetchVisible(RoundTrip trip, View view, UUID thread) {
        return trip.query(view, ThreadSql.NAMED + " and t.thread_id = :thread", ThreadSql::read, "thread", thread);
    }

    /** The thread, when the view shows it. */
    public static Optional<MailThread> find(Tx tx, View view, UUID thread) {
        return ThreadSql.find(tx, view, thread);
    }

    /** A thread with the public id of its inbox, and who answers in it. */
    public record InboxThread(MailThread thread, String inboxName, ShownClaim claim) {}

    /** A page of the threads that the view shows and the filter matches. */
    public static Slice<InboxThread> list(Tx tx, View view, ThreadFilter filter, PageRequest page) {
        Slice<InboxThread> slice = ThreadLists.page(tx, view, filter, page);
        return new Slice<>(counted(tx, view, slice.items()), slice.next());
    }

    /** One thread, when the view shows it. */
    public static Optional<InboxThread> named(Tx tx, View view, UUID thread) {
        return counted(tx, view, ThreadSql.named(tx, view, List.of(thread))).stream()
                .findFirst();
    }

    /** The octets that each of these threads has on a page. */
    public static Map<UUID, Long> weights(Tx tx, View view, Collection<UUID> threads) {
        return ThreadSql.weights(tx, view, threads);
    }

    /** The threads of these ids that the view shows. */
    public static List<InboxThread> named(Tx tx, View view, Collection<UUID> threads) {
        return counted(tx, view, ThreadSql.named(tx, view, threads));
    }

    /** Who waits in threads that nodes of the version before wrote is counted when they are shown. */
    private static List<InboxThread> counted(Tx tx, View view, List<InboxThread> threads) {
        List<UUID> unknown = threads.stream()
                .filter(named -> !named.thread.waiting().isKnown())
                .map(named -> named.thread.id())
                .toList();
        if (unknown.isEmpty()) {
            return threads;
        }
        Map<UUID, ThreadWait> counted = WaitingSql.count(tx, View.of(view.organization()), unknown);
        return threads.stream()
                .map(named -> new InboxThread(
                        named.thread.with(counted.getOrDefault(named.thread.id(), named.thread.waiting())),
                        named.inboxName,
                        named.claim))
                .toList();
    }

    /** The thread of a row that has {@link #COLUMNS}. */
    public static MailThread read(Row row) {
        return ThreadSql.read(row);
    }
}
