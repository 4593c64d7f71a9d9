package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.ConnectionFailure;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.vault.Reseal;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The database that a copy is written to. It can be killed at any moment and begun again: what is there already is left
 * alone. Until {@link #complete} no service starts on it. Not thread-safe.
 */
public final class CopyTarget implements AutoCloseable {
    private static final String STAGING = "inboxd_wanted";

    private final Database.Location location;
    private final Connection connection;
    /** The tables as they are here: names and types that come from elsewhere are in no statement. */
    private final List<TableLayout> tables;

    private CopyTarget(Database.Location location, Connection connection, List<TableLayout> tables) {
        this.location = location;
        this.connection = connection;
        this.tables = tables;
    }

    /**
     * Begins a copy in an empty database, or goes on with the same one: makes the tables as the source had them.
     *
     * @param source what is copied, for example the id of a backup; a copy goes on only with what it was begun with
     * @param migrations those of the source ({@link Snapshot#migrations})
     * @throws CopyException when there is something else in the database
     * @throws dev.inboxd.base.database.SchemaException when the source is of a later version than this program, or
     *     of another revision
     * @throws ConnectionFailure when the database cannot be connected to
     */
    public static CopyTarget begin(Database.Location location, String source, List<String> migrations) {
        Migrations.requireKnown(migrations);
        ConnectionFailure.require(location);
        Connection connection = CopyConnection.open(location);
        try {
            CopyMark.set(connection, source);
            if (!CopyMark.isWhole(connection)) {
                Migrations.runTo(location, migrations);
            }
            return new CopyTarget(location, connection, tables(connection));
        } catch (RuntimeException failure) {
            CopyConnection.close(connection);
            throw failure;
        }
    }

    /**
     * Copies into a database that is in use, what belongs to one organization.
     *
     * @param migrations those of the source, which must be those of the target
     * @throws CopyException when the two are of different versions
     */
    public static CopyTarget into(Database.Location location, List<String> migrations) {
        Connection connection = CopyConnection.open(location);
        try {
            if (!Migrations.history(connection).equals(migrations)) {
                throw new CopyException("The two installations are of different versions: upgrade the older one.");
            }
            return new CopyTarget(location, connection, tables(connection));
        } catch (RuntimeException failure) {
            CopyConnection.close(connection);
            throw failure;
        }
    }

    /**
     * What of a chunk is another organization's in this database, such as an address or a domain. Writes nothing.
     *
     * @return a sentence for each, and no more than some
     */
    public List<String> conflicts(TableLayout source, RowChunk chunk, UUID organization) {
        TableLayout table = localTable(source);
        List<String> conflicts = new ArrayList<>();
        if (!table.isShared() || chunk.rows() == 0) {
            return conflicts;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(table.temporary(STAGING));
            insert(table.writing(STAGING), chunk.content());
            try (ResultSet rows = statement.executeQuery(table.taking(STAGING, organization))) {
                while (rows.next()) {
                    conflicts.add("The " + table.table().replace('_', ' ') + " " + rows.getString(1)
                            + " is another organization's there.");
                }
            }
            return conflicts;
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        } finally {
            rollBack();
        }
    }

    /** The id of this copy: another one for each target, and the same when it is begun again. */
    public UUID id() {
        return CopyMark.id(connection);
    }

    /**
     * Writes a chunk in one transaction, so that afterwards its range has its rows and no others.
     *
     * @param source the table as the source has it
     * @param reseal seals its secrets for the target: of a vault with the target's keys first and the source's behind
     *     them
     * @return whether anything was written; false: the rows were there
     */
    public boolean write(TableLayout source, RowChunk chunk, Reseal reseal) {
        TableLayout table = localTable(source);
        byte[] content = SealedColumns.anew(table, chunk.content(), reseal);
        try (Statement statement = connection.createStatement()) {
            if (hasRows(statement, table, chunk.range())) {
                if (digest(table, chunk.range()).equals(RowChunk.sha256(content))) {
                    connection.rollback();
                    return false;
                }
                statement.executeUpdate(table.deleting(chunk.range()));
            }
            boolean isEmpty = chunk.rows() == 0;
            if (!isEmpty) {
                insert(table.writing(), content);
            }
            connection.commit();
            return !isEmpty;
        } catch (SQLException failure) {
            rollBack();
            throw DatabaseFailure.of(failure);
        } catch (RuntimeException failure) {
            rollBack();
            throw failure;
        }
    }

    /**
     * Whether {@link #migrate} was begun: nothing more is written then, as the rows are no longer those of the source.
     */
    public boolean isWhole() {
        return CopyMark.isWhole(connection);
    }

    /** Runs the migrations that the source did not have yet, over its rows; all of them are there. */
    public void migrate() {
        CopyMark.setWhole(connection);
        Migrations.runOverCopy(location);
    }

    /** Ends the copy: from now on a service starts on this database. */
    public void complete() {
        CopyMark.remove(connection);
    }

    /** What is being copied into a database, and has not come to its end; empty when nothing is. */
    public static Optional<String> begun(Database.Location location) {
        Connection connection = CopyConnection.open(location);
        try {
            return CopyMark.find(connection);
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        } finally {
            CopyConnection.close(connection);
        }
    }

    private static List<TableLayout> tables(Connection connection) {
        List<TableLayout> tables = TableLayout.of(connection);
        try {
            connection.rollback();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
        return tables;
    }

    /** A table of the source in the words of this database, with its columns in the order of the source. */
    private TableLayout localTable(TableLayout source) {
        return tables.stream()
                .filter(table -> table.table().equals(source.table()))
                .filter(table -> table.columns().containsAll(source.columns()))
                .filter(table -> table.key().equals(source.key()))
                .findFirst()
                .map(table -> new TableLayout(table.table(), source.columns(), table.key()))
                .orElseThrow(() -> new CopyException("The copy has a table " + source.table()
                        + " that is another one here, though the same migrations made it: it is damaged."));
    }

    private static boolean hasRows(Statement statement, TableLayout table, KeyRange range) throws SQLException {
        try (ResultSet row = statement.executeQuery(table.asking(range))) {
            return row.next() && row.getBoolean(1);
        }
    }

    private String digest(TableLayout table, KeyRange range) {
        MessageDigest digest = RowChunk.digest();
        TableReader.forEachRow(connection, table, range, row -> digest.update(row.bytes()));
        return HexFormat.of().formatHex(digest.digest());
    }

    private void insert(String writing, byte[] content) throws SQLException {
        CopyIn in = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(writing);
        try {
            in.writeToCopy(RowReader.head(), 0, RowReader.head().length);
            in.writeToCopy(content, 0, content.length);
            in.writeToCopy(RowReader.end(), 0, RowReader.end().length);
            in.endCopy();
        } finally {
            if (in.isActive()) {
                in.cancelCopy();
            }
        }
    }

    private void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            // What failed before is what is told.
        }
    }

    @Override
    public void close() {
        CopyConnection.close(connection);
    }
}
