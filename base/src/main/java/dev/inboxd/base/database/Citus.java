package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What is different where the database is a Citus cluster (docs/decisions/0068-citus.md). */
public final class Citus {
    private static final String IS_INSTALLED =
            "select exists (select 1 from pg_catalog.pg_extension where extname = 'citus')";

    private Citus() {}

    /**
     * Whether a database is on Citus; false too when it does not answer, which the caller will notice by itself.
     *
     * @param location of a database
     */
    public static boolean isInstalled(Database.Location location) {
        try (Connection connection = connect(location)) {
            return isInstalled(connection);
        } catch (SQLException | DatabaseFailure away) {
            return false;
        }
    }

    /** Whether the database of a connection is on Citus. */
    public static boolean isInstalled(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(IS_INSTALLED)) {
            return row.next() && row.getBoolean(1);
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /**
     * Copies the history of migrations to each node of a cluster, so that any of them can be named in a URL. Does
     * nothing without Citus, or when it is there; of several that start together one copies, and the others wait
     * for it.
     */
    public static void copyHistory(Database.Location location) {
        if (!isInstalled(location)) {
            return;
        }
        try (Connection connection = connect(location);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select pg_advisory_xact_lock(hashtext('flyway_schema_history'))");
            statement.execute("select create_reference_table('flyway_schema_history') where not exists"
                    + " (select 1 from pg_dist_partition where logicalrelid = 'flyway_schema_history'::regclass)");
            connection.commit();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    public static Connection connect(Database.Location location) throws SQLException {
        return DriverManager.getConnection(location.url(), location.user(), location.password());
    }
}
