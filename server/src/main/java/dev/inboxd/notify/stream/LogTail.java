package dev.inboxd.notify.stream;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.event.EventLog;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the event logs of all organizations with listeners on this node, row by row in commit order, and notifies
 * each listener once per row. A commit of this node wakes the tail; commits of other nodes are found by polling the
 * organizations' clock rows.
 */
final class LogTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
    /** Interval of polling the clock rows, while few organizations have listeners. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(40);
    /** Polling takes at most one twentieth of the time, however many organizations have listeners. */
    private static final int RARELY = 20;

    private static final int AT_ONCE = 4;
    private static final int MOST_ROWS = 200;

    private final Database database;
    private final LogConsumer consumer;
    private final Map<UUID, OrganizationListeners> organizations = new ConcurrentHashMap<>();
    private final Semaphore readers = new Semaphore(AT_ONCE, true);
    private volatile boolean closing;
    private volatile long nextPoll = System.nanoTime();
    private final PeriodicTask polling = new PeriodicTask("events of other nodes", POLL_INTERVAL, this::poll);

    /** The consumer of rows. */
    interface LogConsumer {
        /**
         * Notifies the listeners of some rows, oldest first. Called on a virtual thread, one call at a time for each
         * organization.
         */
        void notify(OrganizationListeners listeners, List<LoggedEvent> rows);
    }

    LogTail(Database database, LogConsumer consumer) {
        this.database = database;
        this.consumer = consumer;
    }

    void start() {
        polling.start();
    }

    /** Notice of a commit of this node; never blocks. */
    void appended(EventLog.AppendedEvents appended) {
        OrganizationListeners listeners = organizations.get(appended.organization());
        if (listeners != null) {
            listeners.remember(appended.payloads());
            wake(listeners);
        }
    }

    /**
     * Adds a listener. Everything committed when this returns can be read and is not notified; everything committed
     * later is notified.
     *
     * @param targets ids of the organization, pods and inboxes it listens to
     */
    void join(UUID organization, LogListener listener, Collection<UUID> targets) {
        OrganizationListeners joined = organizations.compute(organization, (_, existing) -> {
            OrganizationListeners listeners = existing == null ? new OrganizationListeners(organization) : existing;
            listeners.add(listener, targets);
            return listeners;
        });
        if (joined.beginAt(() -> database.read(tx -> StreamSql.head(tx, View.of(organization))))) {
            wake(joined);
        }
    }

    /** Removes a listener. */
    void unsubscribe(UUID organization, LogListener listener, Collection<UUID> targets) {
        organizations.computeIfPresent(organization, (_, listeners) -> {
            listeners.remove(listener, targets);
            return listeners.isEmpty() ? null : listeners;
        });
    }

    @Override
    public void close() {
        closing = true;
        polling.close();
    }

    private void poll() {
        if (organizations.isEmpty() || System.nanoTime() - nextPoll < 0) {
            return;
        }
        long began = System.nanoTime();
        List<StreamSql.Head> heads = database.read(tx -> StreamSql.heads(tx, List.copyOf(organizations.keySet())));
        for (StreamSql.Head head : heads) {
            OrganizationListeners listeners = organizations.get(head.organization());
            if (listeners != null && listeners.isBehind(head.number())) {
                wake(listeners);
            }
        }
        long ended = System.nanoTime();
        nextPoll = ended + RARELY * (ended - began);
    }

    private void wake(OrganizationListeners listeners) {
        if (!closing && listeners.begins()) {
            Thread.ofVirtual().name("events").start(() -> follow(listeners));
        }
    }

    private void follow(OrganizationListeners listeners) {
        do {
            try {
                while (!closing && step(listeners)) {
                    LOG.trace("more rows of {}", listeners.organization());
                }
            } catch (RuntimeException | Error later) {
                LOG.warn(
                        "events postponed, read again at the next poll organization_id={} cause={}",
                        listeners.organization(),
                        later.toString());
                listeners.forgetHead();
            }
        } while (!listeners.ends() && !closing);
    }

    /** Notifies of the next rows; returns whether there may be more. */
    private boolean step(OrganizationListeners listeners) {
        readers.acquireUninterruptibly();
        List<LoggedEvent> rows;
        try {
            // A statement that sees a number sees every smaller one, since they were committed in order.
            StreamSql.LogRange next = new StreamSql.LogRange(listeners.position(), Long.MAX_VALUE, null, MOST_ROWS);
            rows = database.read(tx -> StreamSql.rows(tx, View.of(listeners.organization()), next));
        } finally {
            readers.release();
        }
        if (!rows.isEmpty()) {
            consumer.notify(listeners, rows);
            listeners.advanceTo(rows.getLast());
        }
        return rows.size() == MOST_ROWS;
    }
}
