package dev.inboxd.base.database;

import dev.inboxd.base.database.pool.ConnectionPool;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Queue in memory for the writers of one organization, before they take a connection. At most two writers hold a
 * connection while they wait for the organization's row, so that one stuck organization cannot exhaust the pool
 * (decision 0001).
 */
final class OrganizationQueue {
    private static final int CONNECTIONS_PER_ORGANIZATION = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final class Gate {
        private final Semaphore places = new Semaphore(CONNECTIONS_PER_ORGANIZATION, true);
        private int users;
    }

    private final ConcurrentHashMap<UUID, Gate> gates = new ConcurrentHashMap<>();

    /**
     * Waits for a place.
     *
     * @throws Problem {@link ErrorCode#SERVICE_UNAVAILABLE} when no place becomes free in time
     */
    void enter(UUID organization) {
        Gate gate = gates.compute(organization, (_, existing) -> {
            Gate entered = existing == null ? new Gate() : existing;
            entered.users++;
            return entered;
        });
        boolean admitted = false;
        try {
            admitted = gate.places.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            if (!admitted) {
                forget(organization);
            }
        }
        if (!admitted) {
            throw ConnectionPool.busy();
        }
    }

    void leave(UUID organization) {
        Gate gate = gates.get(organization);
        if (gate != null) {
            gate.places.release();
        }
        forget(organization);
    }

    private void forget(UUID organization) {
        gates.computeIfPresent(organization, (_, gate) -> --gate.users == 0 ? null : gate);
    }
}
