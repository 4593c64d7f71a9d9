package dev.inboxd.base.database;

import dev.inboxd.base.database.pool.ConnectionPool;
import dev.inboxd.base.error.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction that those of its thread join, each behind a savepoint. What they wrote is committed or rolled back
 * together, and what follows their commits follows its own. Transient writes, such as rates, stay outside.
 */
public final class OuterTransaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OuterTransaction.class);
    private static final ScopedValue<OuterTransaction> CURRENT = ScopedValue.newInstance();

    private final ConnectionPool.Lease lease;
    private final List<Runnable> followers = new ArrayList<>();

    OuterTransaction(ConnectionPool.Lease lease) {
        this.lease = lease;
    }

    /** How many outer transactions may be open, so that they leave connections to everybody else. */
    static final class Places {
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final Semaphore free;

        Places(int most) {
            this.free = new Semaphore(most, true);
        }

        /** Waits for a place. */
        Place enter() {
            try {
                if (free.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return free::release;
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            throw ConnectionPool.busy();
        }
    }

    /** One of the places; closed when it is free again. */
    @FunctionalInterface
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /** That of this thread, or null. */
    static @Nullable OuterTransaction current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** Whether this thread has one, so that it must not wait for anybody but the database. */
    public static boolean isOpen() {
        return CURRENT.isBound();
    }

    /** Does what cannot be taken back, such as a deletion of a file, after the outer commit; now when there is none. */
    public static void afterCommit(Runnable work) {
        if (CURRENT.isBound()) {
            CURRENT.get().followers.add(work);
        } else {
            work.run();
        }
    }

    <T extends @Nullable Object> T run(Function<OuterTransaction, T> work) {
        return ScopedValue.where(CURRENT, this).call(() -> work.apply(this));
    }

    Connection connection() {
        return lease.connection();
    }

    /**
     * Runs a transaction as a part of this one; what it throws takes back what it wrote, and nothing else.
     *
     * @param committed follows the commit
     */
    <T extends @Nullable Object> T join(Supplier<T> work, Runnable committed) {
        int before = followers.size();
        Savepoint begin = savepoint();
        try {
            T result = work.get();
            followers.add(committed);
            return result;
        } catch (RuntimeException | Error failure) {
            followers.subList(before, followers.size()).clear();
            rollBack(begin, failure);
            throw failure;
        }
    }

    /**
     * Runs work and takes back what it wrote, whatever it answers or throws: a trial.
     *
     * @throws Problem as the work
     */
    public <T extends @Nullable Object> T attempt(Supplier<T> work) {
        int before = followers.size();
        Savepoint begin = savepoint();
        T result;
        try {
            result = work.get();
        } catch (RuntimeException | Error failure) {
            followers.subList(before, followers.size()).clear();
            rollBack(begin, failure);
            throw failure;
        }
        followers.subList(before, followers.size()).clear();
        try {
            connection().rollback(begin);
        } catch (SQLException lost) {
            throw lostConnection(lost);
        }
        return result;
    }

    /**
     * Commits durably what was written so far; afterwards nothing joins it.
     *
     * @throws Problem {@code service_unavailable} when the database went away: it is not known then whether it is kept
     */
    public void commit() {
        try {
            connection().commit();
        } catch (SQLException lost) {
            throw lostConnection(lost);
        }
        List<Runnable> committed = List.copyOf(followers);
        followers.clear();
        committed.forEach(Runnable::run);
    }

    /** Rolls back what was not committed. */
    @Override
    public void close() {
        try (lease) {
            connection().rollback();
        } catch (SQLException broken) {
            LOG.debug("A connection was lost: {}", broken.getMessage());
        }
    }

    private Savepoint savepoint() {
        try {
            return connection().setSavepoint();
        } catch (SQLException lost) {
            throw lostConnection(lost);
        }
    }

    /** What failed is what is told, also when the connection does not answer any more. */
    private void rollBack(Savepoint to, Throwable failure) {
        try {
            connection().rollback(to);
        } catch (SQLException lost) {
            failure.addSuppressed(lost);
        }
    }

    /** A connection that was lost says so, or has no state to say it with. */
    private static RuntimeException lostConnection(SQLException failure) {
        DatabaseFailure databaseFailure = DatabaseFailure.of(failure);
        return failure.getSQLState() == null ? ConnectionPool.busy() : databaseFailure.forCaller();
    }
}
