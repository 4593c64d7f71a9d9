package dev.inboxd.notify.stream;

import dev.inboxd.event.EventLog;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.PeriodicTask;
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
 * Follows the event log of every organization that somebody on this node listens to, row by row in commit order, and
 * tells each listener once. A commit of this node wakes it; those of other nodes it finds by looking at the clocks.
 */
final class LogTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
    /** How long an event of another node goes unnoticed while few organizations are listened to. */
    private static final Duration LOOK = Duration.ofMillis(40);
    /** Looking takes at most one part in so many of the time, however many organizations there are. */
    private static final int RARELY = 20;

    private static final int AT_ONCE = 4;
    private static final int MOST_ROWS = 200;

    private final Database database;
    private final LogConsumer teller;
    private final Map<UUID, OrganizationListeners> audiences = new ConcurrentHashMap<>();
    private final Semaphore readers = new Semaphore(AT_ONCE, true);
    private volatile boolean closing;
    private volatile long lookAt = System.nanoTime();
    private final PeriodicTask beat = new PeriodicTask("events of other nodes", LOOK, this::look);

    /** Who is told of rows. */
    interface LogConsumer {
        /** Tells the audience of some rows, oldest first. On a virtual thread, one call at a time for each audience. */
        void notify(OrganizationListeners audience, List<LoggedEvent> rows);
    }

    LogTail(Database database, LogConsumer teller) {
        this.database = database;
        this.teller = teller;
    }

    void start() {
        beat.start();
    }

    /** Hears of what this node has committed; never blocks. */
    void appended(EventLog.AppendedEvents appended) {
        OrganizationListeners audience = audiences.get(appended.organization());
        if (audience != null) {
            audience.remember(appended.payloads());
            wake(audience);
        }
    }

    /**
     * Tells somebody from now on. Whatever is committed when this returns is not told and can be read; whatever is
     * committed later is told.
     *
     * @param targets the organization, pods and inboxes it listens to
     */
    void join(UUID organization, LogListener listener, Collection<UUID> targets) {
        OrganizationListeners joined = audiences.compute(organization, (_, known) -> {
            OrganizationListeners audience = known == null ? new OrganizationListeners(organization) : known;
            audience.add(listener, targets);
            return audience;
        });
        if (joined.beginAt(() -> database.read(tx -> StreamSql.head(tx, View.of(organization))))) {
            wake(joined);
        }
    }

    /** Tells it no more. */
    void unsubscribe(UUID organization, LogListener listener, Collection<UUID> targets) {
        audiences.computeIfPresent(organization, (_, audience) -> {
            audience.remove(listener, targets);
            return audience.isEmpty() ? null : audience;
        });
    }

    @Override
    public void close() {
        closing = true;
        beat.close();
    }

    private void look() {
        if (audiences.isEmpty() || System.nanoTime() - lookAt < 0) {
            return;
        }
        long began = System.nanoTime();
        List<StreamSql.Head> heads = database.read(tx -> StreamSql.heads(tx, List.copyOf(audiences.keySet())));
        for (StreamSql.Head head : heads) {
            OrganizationListeners audience = audiences.get(head.organization());
            if (audience != null && audience.isBehind(head.number())) {
                wake(audience);
            }
        }
        long ended = System.nanoTime();
        lookAt = ended + RARELY * (ended - began);
    }

    private void wake(OrganizationListeners audience) {
        if (!closing && audience.begins()) {
            Thread.ofVirtual().name("events").start(() -> follow(audience));
        }
    }

    private void follow(OrganizationListeners audience) {
        do {
            try {
                while (!closing && step(audience)) {
                    LOG.trace("more rows of {}", audience.organization());
                }
            } catch (RuntimeException | Error later) {
                LOG.warn("Events of {} are told later: {}", audience.organization(), later.toString());
                audience.forgetHead();
            }
        } while (!audience.ends() && !closing);
    }

    /** Tells of the next rows; whether there may be more. */
    private boolean step(OrganizationListeners audience) {
        readers.acquireUninterruptibly();
        List<LoggedEvent> rows;
        try {
            // A statement that sees a number sees every smaller one, since they were committed in order.
            StreamSql.LogRange next = new StreamSql.LogRange(audience.position(), Long.MAX_VALUE, null, MOST_ROWS);
            rows = database.read(tx -> StreamSql.rows(tx, View.of(audience.organization()), next));
        } finally {
            readers.release();
        }
        if (!rows.isEmpty()) {
            teller.notify(audience, rows);
            audience.advanceTo(rows.getLast());
        }
        return rows.size() == MOST_ROWS;
    }
}
