package dev.inboxd.platform.database;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of many organizations in as few commits as there can be: what comes while one commits goes into the next
 * (decision 0006). Each item is told its end, whatever happens.
 *
 * @param <T> what is to be written
 */
public final class GroupCommit<T> {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final Database database;
    private final Work<T> work;
    private final CommitGroup<T> gathering;

    /**
     * What is done with the items of one organization.
     *
     * @param <T> what is to be written
     */
    public interface Work<T> {
        /** The change that writes them all. */
        Database.PlannedChange planned(UUID organization, List<T> items);

        /** They are committed. */
        void written(UUID organization, List<T> items);

        /** Nothing of them was kept, for that reason. */
        void failed(UUID organization, List<T> items, Throwable failure);
    }

    private GroupCommit(Database database, Work<T> work, boolean alternating) {
        this.database = database;
        this.work = work;
        this.gathering = alternating
                ? CommitGroup.alternating(database.turns(), this::write)
                : CommitGroup.whole(database.turns(), this::write);
    }

    /** Writes to a database all that there is together; the work throws nothing. */
    public static <T> GroupCommit<T> whole(Database database, Work<T> work) {
        return new GroupCommit<>(database, work, false);
    }

    /**
     * Writes to a database what somebody waits for who brings the next item then: half of them commit while the other
     * half prepares. The work throws nothing.
     */
    public static <T> GroupCommit<T> alternating(Database database, Work<T> work) {
        return new GroupCommit<>(database, work, true);
    }

    /** Adds an item, which is written at once when nothing is being written; does not wait for its end. */
    public void add(UUID organization, T item) {
        gathering.add(organization, item);
    }

    /** Adds what came together, by organization and none empty: as much of it as there is room for is written together. */
    public void addAll(Map<UUID, List<T>> items) {
        gathering.addAll(items);
    }

    /**
     * Gives back items that were written with others and found undecided: they are the first of the organization's next
     * batch, in their order. Only while the work is told that they are committed ({@link Work#written}).
     */
    public void putBack(UUID organization, List<T> items) {
        gathering.putBack(organization, items);
    }

    /** Takes an item back that nobody has begun to write, of which the work is told nothing; false when it is too late for that. */
    public boolean cancel(UUID organization, T item) {
        return gathering.cancel(organization, item);
    }

    /** Settles every item, whatever happens: somebody waits for each. Returns the organizations that take longer. */
    private Set<UUID> write(Map<UUID, List<T>> batch) {
        Set<UUID> left = batch.keySet();
        try {
            left = writeFree(batch);
        } catch (RuntimeException | Error failure) {
            if (isAway(failure)) {
                batch.forEach((organization, items) -> work.failed(organization, items, failure));
                return Set.of();
            }
            if (batch.size() > 1) {
                LOG.warn("A batch of {} organizations is written one by one: {}", batch.size(), failure.toString());
            }
        }
        for (Map.Entry<UUID, List<T>> each : batch.entrySet()) {
            if (!left.contains(each.getKey())) {
                work.written(each.getKey(), each.getValue());
            }
        }
        // Another writer has them: nobody else shall wait for it.
        left.forEach(organization -> Thread.startVirtualThread(() -> {
            try {
                write(organization, Objects.requireNonNull(batch.get(organization)));
            } finally {
                gathering.release(organization);
            }
        }));
        return left;
    }

    /** Writes without waiting for any organization's clock; returns those that another writer has. */
    private Set<UUID> writeFree(Map<UUID, List<T>> batch) {
        List<Database.PlannedChange> all = batch.entrySet().stream()
                .map(each -> work.planned(each.getKey(), each.getValue()))
                .toList();
        if (all.size() > 1) {
            return database.write(all);
        }
        return database.writeIfFree(all.getFirst()) ? Set.of() : batch.keySet();
    }

    private void write(UUID organization, List<T> items) {
        try {
            database.write(work.planned(organization, items));
        } catch (RuntimeException | Error failure) {
            if (items.size() > 1 && failure instanceof RuntimeException && !isAway(failure)) {
                // One item's fault must not be the others'.
                items.forEach(item -> write(organization, List.of(item)));
            } else {
                work.failed(organization, items, failure);
            }
            return;
        }
        work.written(organization, items);
    }

    private static boolean isAway(Throwable failure) {
        return failure instanceof Problem problem && problem.code() == ErrorCode.SERVICE_UNAVAILABLE;
    }
}
