package dev.inboxd.sending.tracking;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.label.change.PixelLoad;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records that messages were opened, each once. A load is only kept in memory, so the response takes the same time for
 * every token. A load that a crash loses is recorded at the next load.
 */
public final class Opens implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Opens.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Limits of memory: loads not written yet, and messages whose further loads are ignored. */
    private static final int MOST_WAITING = 10_000;

    private static final int MOST_DONE = 10_000;

    private final Database database;
    private final EventLog log;
    private final Set<TrackedMessage> waiting = ConcurrentHashMap.newKeySet();
    private final Set<TrackedMessage> done = Collections.newSetFromMap(Collections.synchronizedMap(new Newest()));
    private final PeriodicTask writing = new PeriodicTask("opens", INTERVAL, this::write);

    /** Opens of the messages of a database. */
    public Opens(Database database, EventLog log) {
        this.database = database;
        this.log = log;
    }

    /** The messages recorded last. */
    private static final class Newest extends LinkedHashMap<TrackedMessage, Boolean> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TrackedMessage, Boolean> eldest) {
            return size() > MOST_DONE;
        }
    }

    /** Starts writing. */
    public void start() {
        writing.start();
    }

    /** Registers the load of a pixel. */
    void record(TrackedMessage message) {
        if (waiting.size() < MOST_WAITING && !done.contains(message) && waiting.add(message)) {
            writing.wake();
        }
    }

    /** Writes the waiting loads and stops. */
    @Override
    public void close() {
        if (writing.isStarted()) {
            writing.close();
            write();
        }
    }

    private void write() {
        for (TrackedMessage message : List.copyOf(waiting)) {
            try {
                write(message);
                done.add(message);
                waiting.remove(message);
            } catch (Problem | DatabaseFailure busy) {
                LOG.debug("open of a message recorded later organization_id={}", message.organization(), busy);
            }
        }
    }

    private void write(TrackedMessage tracked) {
        View all = View.of(tracked.organization());
        if (database.read(tx -> find(tx, all, tracked))
                .filter(message -> message.openedAt() == null)
                .isPresent()) {
            database.run(tracked.organization(), tx -> {
                find(tx, all, tracked).ifPresent(message -> PixelLoad.record(tx, all, log, message));
            });
        }
    }

    private static Optional<Message> find(Tx tx, View all, TrackedMessage tracked) {
        return Inboxes.find(tx, all, tracked.inbox())
                .flatMap(inbox -> Messages.find(tx, all.inbox(inbox.id()), tracked.name(inbox.domain())));
    }
}
