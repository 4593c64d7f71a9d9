package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.migration.Migrations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;

/**
 * Marks a database whose copy has not come to its end, in a schema beside the tables: those have the state of the
 * source, which may be of an earlier version. No service starts on a database with the mark ({@link Migrations}).
 */
final class CopyMark {
    private static final String TABLE = Migrations.COPY_MARK;
    private static final String SCHEMA = TABLE.substring(0, TABLE.indexOf('.'));

    private CopyMark() {}

    /** What is being copied into a database; empty when nothing is. */
    static Optional<String> find(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("select to_regclass('" + TABLE + "') is not null")) {
                if (!row.next() || !row.getBoolean(1)) {
                    return Optional.empty();
                }
            }
            try (ResultSet rows = statement.executeQuery("select source from " + TABLE)) {
                return rows.next() ? Optional.of(rows.getString(1)) : Optional.of("");
            }
        }
    }

    /**
     * Marks an empty database, or sees that it has the mark of the same source.
     *
     * @throws CopyException when there is anything else in it
     */
    static void set(Connection connection, String source) {
        try {
            Optional<String> mark = find(connection);
            if (mark.isPresent()) {
                requireSame(mark.get(), source);
                connection.rollback();
                return;
            }
            requireEmpty(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("create schema " + SCHEMA);
                statement.execute("create table " + TABLE + " (source text not null, copy_id uuid not null,"
                        + " whole boolean not null default false)");
            }
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into " + TABLE + " (source, copy_id) values (?, ?)")) {
                insert.setString(1, source);
                insert.setObject(2, UUID.randomUUID());
                insert.executeUpdate();
            }
            connection.commit();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** The id of a copy, the same until its end. */
    static UUID id(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select copy_id from " + TABLE)) {
            if (!rows.next()) {
                throw new CopyException("The copy was begun by hand: drop the database and make it anew.");
            }
            UUID id = rows.getObject(1, UUID.class);
            connection.rollback();
            return id;
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** Whether all rows are there, so that they are only brought to another version from now on. */
    static boolean isWhole(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select whole from " + TABLE)) {
            boolean isFinished = rows.next() && rows.getBoolean(1);
            connection.rollback();
            return isFinished;
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** Notes that all rows are there. */
    static void setWhole(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("update " + TABLE + " set whole = true");
            connection.commit();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** Takes the mark away. */
    static void remove(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("drop schema " + SCHEMA + " cascade");
            connection.commit();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    private static void requireSame(String mark, String source) {
        if (!mark.equals(source)) {
            throw new CopyException("A copy of something else was begun in this database and has not come to its end ("
                    + mark + "): drop the database and make it anew, or finish that copy.");
        }
    }

    /** Tables and views of an extension do not count: Citus has views in the schema public. */
    private static void requireEmpty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select exists (select 1 from pg_catalog.pg_class c"
                        + " where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')"
                        + " and not exists (select 1 from pg_catalog.pg_depend d where d.objid = c.oid"
                        + " and d.classid = 'pg_catalog.pg_class'::regclass and d.deptype = 'e'))")) {
            if (row.next() && row.getBoolean(1)) {
                throw new CopyException("The database is not empty: a copy goes into an empty one only. Name another in"
                        + " INBOXD_DATABASE_URL or, for the embedded one, a new data folder in INBOXD_DATA_DIR.");
            }
        }
    }
}
