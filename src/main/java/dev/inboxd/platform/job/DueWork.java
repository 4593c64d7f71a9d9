package dev.inboxd.platform.job;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for organizations with rows that are due, and works on each organization on a thread of its own, so that none
 * delays the others. Drafts with a send time and the starts and ends of calendar events are found by it.
 */
public final class DueWork implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DueWork.class);

    private final String name;
    private final Supplier<List<UUID>> due;
    private final Consumer<UUID> work;
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();
    private final Departures departures;
    private final PeriodicTask polling;
    private volatile boolean stopping;

    /**
     * What is looked for, and how.
     *
     * @param name for the thread and the log
     * @param rest the longest pause between two looks
     * @param due the organizations with due rows; locks nothing
     */
    public record Search(String name, Duration rest, Supplier<List<UUID>> due) {}

    /**
     * Work that does nothing before {@link #start}.
     *
     * @param departures what may leave: what is due of an organization that is held stays due
     * @param work takes up what is due of an organization; never called for one organization twice at once
     */
    public DueWork(Search search, Departures departures, Consumer<UUID> work) {
        this.name = search.name;
        this.due = search.due;
        this.departures = departures;
        this.work = work;
        this.polling = new PeriodicTask(name, search.rest, this::look);
    }

    /** Starts to look. */
    public void start() {
        polling.start();
    }

    /** Whether nothing new is to be begun. */
    public boolean isStopping() {
        return stopping;
    }

    /** Whether nothing new is to be begun for an organization. */
    public boolean isStopping(UUID organization) {
        return stopping || !departures.mayBegin(organization);
    }

    /** Stops looking; what was begun goes on. */
    @Override
    public void close() {
        stopping = true;
        polling.close();
    }

    private void look() {
        if (departures.areHeld()) {
            return;
        }
        for (UUID organization : due.get()) {
            if (!stopping && busy.add(organization)) {
                Thread.startVirtualThread(() -> work(organization));
            }
        }
    }

    private void work(UUID organization) {
        try {
            departures.run(organization, () -> work.accept(organization));
        } catch (RuntimeException later) {
            LOG.warn("{} postponed organization_id={} cause={}", name, organization, later.toString());
        } finally {
            busy.remove(organization);
        }
    }
}
