package dev.inboxd.base.database.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Connections to the database, and the fair queue in front of them: the pool's own is not fair. */
public final class ConnectionPool implements AutoCloseable {
    /** How long a transaction waits for a connection. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private final HikariDataSource pool;
    private final int size;
    private final Semaphore places;
    private volatile LongConsumer waits = _ -> {};

    /** Opens the pool. */
    public ConnectionPool(HikariConfig configuration) {
        this.pool = new HikariDataSource(configuration);
        this.size = configuration.getMaximumPoolSize();
        this.places = new Semaphore(size, true);
    }

    /** Tells how many nanoseconds each transaction waited for a connection; set once, before there are many. */
    public void onWait(LongConsumer listener) {
        waits = listener;
    }

    /**
     * A connection.
     *
     * @param autoCommit whether each statement is a transaction
     * @throws Problem {@code service_unavailable} when none is free in time, or the database is away
     */
    public Lease take(boolean autoCommit) {
        acquire();
        try {
            Connection connection = pool.getConnection();
            try {
                connection.setAutoCommit(autoCommit);
                return new Lease(connection, places);
            } catch (SQLException away) {
                connection.close();
                throw away;
            }
        } catch (SQLException away) {
            places.release();
            throw busy();
        } catch (RuntimeException | Error failure) {
            places.release();
            throw failure;
        }
    }

    /** A connection of the pool; closed when it is given back. */
    public static final class Lease implements AutoCloseable {
        private final Connection connection;
        private final Semaphore places;

        private Lease(Connection connection, Semaphore places) {
            this.connection = connection;
            this.places = places;
        }

        /** The connection. */
        public Connection connection() {
            return connection;
        }

        @Override
        public void close() throws SQLException {
            try {
                connection.close();
            } finally {
                places.release();
            }
        }
    }

    /** How the connections are used now. */
    public PoolUsage usage() {
        HikariPoolMXBean now = pool.getHikariPoolMXBean();
        int waiting = places.getQueueLength();
        return now == null
                ? new PoolUsage(0, 0, waiting, size)
                : new PoolUsage(now.getActiveConnections(), now.getIdleConnections(), waiting, size);
    }

    /** What a caller is told when there is no connection. */
    public static Problem busy() {
        return Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The database is busy or away")
                .retryAfter(Duration.ofSeconds(1));
    }

    @Override
    public void close() {
        pool.close();
    }

    private void acquire() {
        long since = System.nanoTime();
        try {
            if (places.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            waits.accept(System.nanoTime() - since);
        }
        throw busy();
    }
}
