package dev.inboxd.base.database;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of many organizations in as few commits as there can be: what is submitted while one commits goes into the
 * next (decision 0006). Each item's {@link PendingCommit} ends, whatever happens.
 *
 * @param <T> what is to be written
 */
public final class GroupCommit<T> {
    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final Database database;
    private final ChangeFactory<T> changes;
    private final Predicate<T> isDecided;
    private final CommitGroup<PendingCommit<T>> group;

    /** A change of one organization that can share a transaction with changes of others: each statement is by rows. */
    public interface Change {
        /** What it may use of the organization. */
        ClockReservation claim();

        /** Adds the look-ups to the round trip that takes the clock. */
        default void prefetch(RoundTrip opening) {}

        /** Adds the writing, decided from what the look-ups found. */
        void write(RoundTrip writes);

        /** What is left to do in the transaction after the writing, statement by statement, or null. */
        default @Nullable Runnable followUp() {
            return null;
        }
    }

    /**
     * Makes the changes that write items.
     *
     * @param <T> what is to be written
     */
    public interface ChangeFactory<T> {
        /** A change that writes these items of one organization in that transaction, which may come to nothing. */
        Change create(Tx tx, View organization, List<T> items);
    }

    private GroupCommit(Database database, ChangeFactory<T> changes, Predicate<T> isDecided) {
        this.database = database;
        this.changes = changes;
        this.isDecided = isDecided;
        this.group = new CommitGroup<>(database.turns(), this::write);
    }

    /** Writes to a database all that there is together. */
    public static <T> GroupCommit<T> of(Database database, ChangeFactory<T> changes) {
        return of(database, changes, _ -> true);
    }

    /**
     * The same for items that a committed transaction may have left undecided, as they must see others of it committed:
     * they are the first of the organization's next batch, in their order.
     */
    public static <T> GroupCommit<T> of(Database database, ChangeFactory<T> changes, Predicate<T> isDecided) {
        return new GroupCommit<>(database, changes, isDecided);
    }

    /** Submits an item, which is written at once when nothing is being written. */
    public PendingCommit<T> submit(UUID organization, T item) {
        PendingCommit<T> pending = new PendingCommit<>(organization, item, group);
        if (OuterTransaction.isOpen()) {
            write(organization, List.of(pending)); // its commit is not ours
        } else {
            group.add(organization, pending);
        }
        return pending;
    }

    /** Submits what came together: as much of it as there is room for is written together. */
    public List<PendingCommit<T>> submitAll(Collection<T> items, Function<T, UUID> organization) {
        List<PendingCommit<T>> all = items.stream()
                .map(item -> new PendingCommit<>(organization.apply(item), item, group))
                .toList();
        group.addAll(all.stream().collect(Collectors.groupingBy(PendingCommit::organization)));
        return all;
    }

    /**
     * Ends every item, whatever happens: somebody waits for each. On Citus each organization has a transaction of its
     * own, as those of several nodes would cost a commit in two phases. Returns the organizations that take longer.
     */
    private Set<UUID> write(Map<UUID, List<PendingCommit<T>>> commits) {
        Map<UUID, List<PendingCommit<T>>> batch = admitted(commits);
        Set<UUID> left = batch.keySet();
        try {
            left = database.isOnCitus() ? batch.keySet() : writeFree(batch);
        } catch (RuntimeException | Error failure) {
            if (isAway(failure)) {
                batch.values().forEach(items -> items.forEach(item -> item.fail(failure)));
                return Set.of();
            }
            if (batch.size() > 1) {
                LOG.warn("A batch of {} organizations is written one by one: {}", batch.size(), failure.toString());
            }
        }
        for (Map.Entry<UUID, List<PendingCommit<T>>> entry : batch.entrySet()) {
            if (!left.contains(entry.getKey())) {
                complete(entry.getKey(), entry.getValue());
            }
        }
        // Another writer has them: nobody else shall wait for it.
        left.forEach(organization -> Thread.startVirtualThread(() -> {
            try {
                write(organization, Objects.requireNonNull(batch.get(organization)));
            } finally {
                group.release(organization);
            }
        }));
        return left;
    }

    /** Without the organizations that are not written now, whose items end at once: they hold up no other. */
    private Map<UUID, List<PendingCommit<T>>> admitted(Map<UUID, List<PendingCommit<T>>> batch) {
        Map<UUID, List<PendingCommit<T>>> admitted = new LinkedHashMap<>();
        batch.forEach((organization, items) -> {
            Problem refusal = database.gate().refusal(organization);
            if (refusal == null) {
                admitted.put(organization, items);
            } else {
                items.forEach(item -> item.fail(refusal));
            }
        });
        return admitted;
    }

    private void write(UUID organization, List<PendingCommit<T>> items) {
        try {
            writeInTurn(organization, items);
        } catch (RuntimeException | Error failure) {
            if (items.size() > 1 && failure instanceof RuntimeException && !isAway(failure)) {
                // One item's fault must not be the others'.
                items.forEach(item -> write(organization, List.of(item)));
            } else {
                items.forEach(item -> item.fail(failure));
            }
            return;
        }
        complete(organization, items);
    }

    private void complete(UUID organization, List<PendingCommit<T>> items) {
        List<PendingCommit<T>> undecided = items.stream()
                .filter(item -> !item.complete(isDecided.test(item.item())))
                .toList();
        if (!undecided.isEmpty()) {
            group.putBack(organization, undecided); // first: they were submitted before what waits
        }
    }

    private static boolean isAway(Throwable failure) {
        return failure instanceof Problem problem && problem.code() == ErrorCode.SERVICE_UNAVAILABLE;
    }

    /** The share that one organization has in a transaction. */
    private record Share(UUID organization, Tx tx, RoundTrip trip, Change change) {}

    private Share share(Tx tx, UUID organization, List<PendingCommit<T>> items) {
        List<T> all = items.stream().map(PendingCommit::item).toList();
        return new Share(organization, tx, tx.roundTrip(), changes.create(tx, View.of(organization), all));
    }

    /**
     * Writes in one transaction and two round trips. Waits for no clock, so that no two batches wait for each other.
     *
     * @return the organizations whose clock another writer has, of which nothing is written
     */
    private Set<UUID> writeFree(Map<UUID, List<PendingCommit<T>>> batch) {
        return database.changed(tx -> {
            batch.keySet().forEach(database.gate()::require);
            List<Share> all = new ArrayList<>();
            batch.forEach((organization, items) -> all.add(share(tx.forOrganization(), organization, items)));
            for (Share share : all) {
                share.tx.clockIfFree(share.trip, share.organization, share.change.claim());
                share.change.prefetch(share.trip);
            }
            run(tx, all, "");
            List<Share> free =
                    all.stream().filter(share -> share.tx.organizationExists()).toList();
            free.forEach(share -> tx.afterCommit(share.tx::committed));
            write(tx, free);
            return all.stream()
                    .filter(share -> !share.tx.organizationExists())
                    .map(Share::organization)
                    .collect(Collectors.toSet());
        });
    }

    /** Writes one organization's items, and waits for its clock. */
    private void writeInTurn(UUID organization, List<PendingCommit<T>> items) {
        database.<@Nullable Void>inTurn(organization, tx -> {
            Share share = share(tx, organization, items);
            tx.clock(share.trip, organization, share.change.claim());
            share.change.prefetch(share.trip);
            share.trip.run();
            write(tx, List.of(share));
            return null;
        });
    }

    private static void write(Tx tx, List<Share> shares) {
        shares.forEach(share -> {
            share.change.write(share.trip);
            share.tx.note(share.trip);
        });
        List<Runnable> followUps = shares.stream()
                .map(share -> share.change.followUp())
                .filter(Objects::nonNull)
                .toList();
        run(tx, shares, followUps.isEmpty() && !OuterTransaction.isOpen() ? "commit" : "");
        followUps.forEach(Runnable::run);
    }

    /** Statements of one organization alone have plain values: PostgreSQL plans and runs these in half the time. */
    private static void run(Tx tx, List<Share> shares, String behind) {
        if (shares.size() == 1) {
            shares.getFirst().trip.run(behind);
        } else {
            tx.acrossTenants().run(shares.stream().map(Share::trip).toList(), behind);
        }
    }
}
