package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Connections for copies, beside the pool: a copy may take hours, and a statement of it minutes. */
final class CopyConnection {
    /**
     * Rows come in the order of the primary key's index; a sort of large rows would write them to the disk once more.
     */
    private static final String SETTINGS = """
            select set_config('lock_timeout', '10000', false), set_config('statement_timeout', '0', false),
                set_config('idle_in_transaction_session_timeout', '0', false),
                set_config('synchronous_commit', 'on', false), set_config('jit', 'off', false),
                set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO', false),
                set_config('standard_conforming_strings', 'on', false), set_config('enable_seqscan', 'off', false),
                set_config('enable_bitmapscan', 'off', false), set_config('enable_sort', 'off', false),
                set_config('max_parallel_workers_per_gather', '0', false)""";
    /**
     * On Citus: one connection to each node, so that each node has one snapshot. Others find no row and set nothing.
     */
    private static final String SESSION = "select set_config('citus.max_adaptive_executor_pool_size', '1', false)"
            + " from pg_catalog.pg_extension where extname = 'citus'";

    private CopyConnection() {}

    static Connection open(Database.Location location) {
        Properties properties = new Properties();
        properties.setProperty("ApplicationName", "inboxd copy");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "900");
        properties.setProperty("logServerErrorDetail", "false");
        if (location.user() != null) {
            properties.setProperty("user", location.user());
        }
        if (location.password() != null) {
            properties.setProperty("password", location.password());
        }
        try {
            Connection connection = DriverManager.getConnection(location.url(), properties);
            try (Statement statement = connection.createStatement()) {
                statement.execute(SETTINGS);
                statement.execute(SESSION);
            } catch (SQLException failure) {
                connection.close();
                throw failure;
            }
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** Closes what a reader is done with; the transaction ends with it. */
    static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }
}
