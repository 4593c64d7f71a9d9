package dev.inboxd.sending.tracking;

import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down that messages were opened, each once. Loads only leave a note in memory, so that the answer to one takes
 * the same time whatever its token is; a note that a crash loses is made again by the next load.
 */
public final class Opens implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Opens.class);
    private static final Duration REST = Duration.ofSeconds(1);
    /** Bounds of memory: notes that wait, and messages of which another load is nothing new. */
    private static final int MOST_WAITING = 10_000;

    private static final int MOST_DONE = 10_000;

    private final Database database;
    private final EventLog log;
    private final Set<TrackedMessage> waiting = ConcurrentHashMap.newKeySet();
    private final Set<TrackedMessage> done = Collections.newSetFromMap(Collections.synchronizedMap(new Newest()));
    private final PeriodicTask beat = new PeriodicTask("opens", REST, this::writeDown);

    /** Opens of messages in a database. */
    public Opens(Database database, EventLog log) {
        this.database = database;
        this.log = log;
    }

    /** The messages that were written down last. */
    private static final class Newest extends LinkedHashMap<TrackedMessage, Boolean> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TrackedMessage, Boolean> eldest) {
            return size() > MOST_DONE;
        }
    }

    /** Begins to write down. */
    public void start() {
        beat.start();
    }

    /** A pixel was loaded. */
    void record(TrackedMessage message) {
        if (waiting.size() < MOST_WAITING && !done.contains(message) && waiting.add(message)) {
            beat.wake();
        }
    }

    /** Writes down what is waiting and stops. */
    @Override
    public void close() {
        if (beat.isStarted()) {
            beat.close();
            writeDown();
        }
    }

    private void writeDown() {
        for (TrackedMessage message : List.copyOf(waiting)) {
            try {
                writeDown(message);
                done.add(message);
                waiting.remove(message);
            } catch (Problem | DatabaseFailure busy) {
                LOG.debug("An open of organization {} is written down later", message.organization(), busy);
            }
        }
    }

    private void writeDown(TrackedMessage tracked) {
        View all = View.of(tracked.organization());
        if (database.read(tx -> find(tx, all, tracked))
                .filter(message -> message.openedAt() == null)
                .isPresent()) {
            database.<@Nullable Void>write(tracked.organization(), tx -> {
                find(tx, all, tracked).ifPresent(message -> Messages.opened(tx, all, log, message));
                return null;
            });
        }
    }

    private static Optional<Message> find(Tx tx, View all, TrackedMessage tracked) {
        return Inboxes.find(tx, all, tracked.inbox())
                .flatMap(inbox -> Messages.find(tx, all.inbox(inbox.id()), tracked.name(inbox.domain())));
    }
}
