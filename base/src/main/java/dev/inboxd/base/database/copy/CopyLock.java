package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Keeps everybody from writing while the last rows are copied: whoever tries waits for some seconds and is refused
 * then. Reads go on. The processes of the service have stopped writing before, and have said so; one that was frozen
 * has not. So what keeps it out behind the lock is written in the lock's own transaction ({@link #commit}).
 */
public final class CopyLock implements AutoCloseable {
    /** Its row carries the marks, one of which is written under the lock. */
    private static final String FREE = "installation";
    /**
     * A process that was frozen within a transaction holds its locks until the database ends its session, which takes
     * 30 seconds.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    /** Its rows are the first lock of whoever writes for an organization. */
    private static final String FIRST = "organization_clock";
    /** Work without an organization may lock tables in another order. */
    private static final int DEADLOCKS = 10;

    private final Connection connection;

    private CopyLock(Connection connection) {
        this.connection = connection;
    }

    /**
     * Locks every table that a copy takes along, but for the one of the marks. The clocks come first, as for every
     * writer, so that a writer that waits here holds nothing that is locked after them.
     *
     * @throws CopyException when somebody still writes after some time
     */
    public static CopyLock of(Database.Location location) {
        Connection connection = CopyConnection.open(location);
        String tables = TableLayout.of(connection).stream()
                .map(TableLayout::table)
                .filter(table -> !table.equals(FREE) && !table.equals("organization_mark"))
                .sorted(Comparator.comparing(table -> !table.equals(FIRST)))
                .map(table -> "public.\"" + table + '"')
                .collect(Collectors.joining(", "));
        return locked(connection, "lock table " + tables + " in share mode");
    }

    /**
     * Locks the clock of one organization, which all its writers wait for.
     *
     * @throws CopyException when somebody still writes after some time
     */
    public static CopyLock of(Database.Location location, UUID organization) {
        return locked(
                CopyConnection.open(location),
                "select 1 from organization_clock where organization_id = '" + organization + "' for update");
    }

    private static CopyLock locked(Connection connection, String statement) {
        DatabaseFailure last;
        int deadlocks = 0;
        do {
            try (Statement lock = connection.createStatement()) {
                lock.execute("set lock_timeout = " + PATIENCE.toMillis());
                lock.execute(statement);
                return new CopyLock(connection);
            } catch (SQLException failure) {
                last = refused(connection, failure);
            }
        } while (last.isDeadlock() && ++deadlocks < DEADLOCKS);
        CopyConnection.close(connection);
        throw last;
    }

    private static DatabaseFailure refused(Connection connection, SQLException failure) {
        if (LOCK_NOT_AVAILABLE.equals(failure.getSQLState())) {
            CopyConnection.close(connection);
            throw new CopyException("Somebody still wrote in the database after " + PATIENCE.toSeconds()
                    + " s, perhaps a program that is not inboxd (see pg_stat_activity). Nothing has moved; end it,"
                    + " and run this again.");
        }
        try {
            connection.rollback();
        } catch (SQLException rollbackFailure) {
            failure.addSuppressed(rollbackFailure);
        }
        return DatabaseFailure.of(failure);
    }

    /**
     * Changes something in the transaction that holds the lock, commits, and ends the lock with it: nobody writes
     * between the lock and the change.
     *
     * @throws DatabaseFailure when the connection is gone, and others may have written
     */
    public void commit(Consumer<Tx> change) {
        change.accept(Tx.of(connection));
        try {
            connection.commit();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    @Override
    public void close() {
        CopyConnection.close(connection);
    }
}
