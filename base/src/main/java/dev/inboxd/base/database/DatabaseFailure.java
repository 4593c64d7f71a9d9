package dev.inboxd.base.database;

import dev.inboxd.base.database.pool.ConnectionPool;
import dev.inboxd.base.database.pool.UnsupportedStatement;
import dev.inboxd.base.error.Problem;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A statement or its connection failed. The transaction is rolled back. */
public final class DatabaseFailure extends RuntimeException {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseFailure.class);
    private static final long serialVersionUID = 1;

    private final String state;

    private DatabaseFailure(SQLException cause) {
        super(words(cause), cause);
        @Nullable String sqlState = cause.getSQLState();
        this.state = sqlState == null ? "" : sqlState;
    }

    private static @Nullable String words(SQLException cause) {
        return UnsupportedStatement.STATE.equals(cause.getSQLState())
                ? "This database cannot run a statement of inboxd, which is a fault of inboxd: " + cause.getMessage()
                : cause.getMessage();
    }

    /** What a statement or a connection failed with. */
    public static DatabaseFailure of(SQLException cause) {
        return new DatabaseFailure(cause);
    }

    /** Whether a retry a little later may succeed: the database is unreachable or busy. */
    public static boolean isRetryable(RuntimeException failure) {
        return failure instanceof Problem || (failure instanceof DatabaseFailure ours && ours.isTransient());
    }

    /** What a caller is told: that the database is busy or away, when a retry a little later may succeed. */
    RuntimeException forCaller() {
        if (!isTransient()) {
            return this;
        }
        LOG.warn("A transaction did not come to its end: {}", getMessage());
        return ConnectionPool.busy();
    }

    /** Whether a unique constraint refused a row. */
    public boolean isDuplicate() {
        return state.equals("23505");
    }

    /** Whether PostgreSQL ended this transaction to break a deadlock: counted, as by design there are none. */
    public boolean isDeadlock() {
        return state.equals("40P01");
    }

    /**
     * Whether a later retry may succeed: the connection broke (class 08), the server is stopping or starting (57P), a
     * lock was not available in time (55P03, 57014), or resources ran out (53).
     */
    public boolean isTransient() {
        return state.isEmpty() // the pool says that the connection is closed
                || state.startsWith("08")
                || state.startsWith("57")
                || state.startsWith("53")
                || state.equals("55P03")
                || state.startsWith("40");
    }
}
