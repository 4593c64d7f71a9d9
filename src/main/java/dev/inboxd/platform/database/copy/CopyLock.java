package dev.inboxd.platform.database.copy;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.DatabaseFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Keeps everybody from writing while the last rows are copied: whoever tries waits for some seconds and is refused
 * then. Reads go on. It is the last line: the processes of the service have stopped writing before, and have said so.
 */
public final class CopyLock implements AutoCloseable {
    /** Its row carries the marks, one of which is written under the lock. */
    private static final String FREE = "installation";

    private final Connection connection;

    private CopyLock(Connection connection) {
        this.connection = connection;
    }

    /**
     * Locks every table that a copy takes along, but for the one of the marks.
     *
     * @throws DatabaseFailure when somebody still writes after some seconds
     */
    public static CopyLock of(Database.Location location) {
        Connection connection = CopyConnection.open(location);
        String tables = TableLayout.of(connection).stream()
                .map(TableLayout::table)
                .filter(table -> !table.equals(FREE) && !table.equals("organization_mark"))
                .map(table -> "public.\"" + table + '"')
                .collect(Collectors.joining(", "));
        return locked(connection, "lock table " + tables + " in share mode");
    }

    /** Locks the clock of one organization, which all its writers wait for. */
    public static CopyLock of(Database.Location location, UUID organization) {
        return locked(
                CopyConnection.open(location),
                "select 1 from organization_clock where organization_id = '" + organization + "' for update");
    }

    private static CopyLock locked(Connection connection, String statement) {
        try (Statement lock = connection.createStatement()) {
            lock.execute(statement);
            return new CopyLock(connection);
        } catch (SQLException failure) {
            CopyConnection.close(connection);
            throw DatabaseFailure.of(failure);
        }
    }

    /**
     * Makes sure that it still holds.
     *
     * @throws DatabaseFailure when its connection is gone, and others may have written
     */
    public void require() {
        try (PreparedStatement statement = connection.prepareStatement("select 1")) {
            statement.execute();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    @Override
    public void close() {
        CopyConnection.close(connection);
    }
}
