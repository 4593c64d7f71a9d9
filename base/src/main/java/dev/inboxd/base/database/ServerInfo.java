package dev.inboxd.base.database;

import dev.inboxd.base.database.pool.PoolSettings;
import dev.inboxd.base.database.pool.SessionSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Properties;

/**
 * State of a PostgreSQL server, read over a connection with the product's options.
 *
 * @param version its major version
 * @param settings the settings that decide whether a commit is durable, by name
 * @param connections how many connections the role can have at once
 * @param mayCreate whether the role may create tables
 * @param ahead how far its clock is ahead of this machine's
 * @param oldestSnapshot age of the oldest open transaction
 */
public record ServerInfo(
        int version,
        Map<String, String> settings,
        int connections,
        boolean mayCreate,
        Duration ahead,
        Duration oldestSnapshot) {
    private static final String ASK = """
            select current_setting('server_version_num')::int4 / 10000 as version,
                current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
                current_setting('synchronous_commit') as synchronous_commit,
                least(current_setting('max_connections')::int4
                        - current_setting('superuser_reserved_connections')::int4,
                    (select case when r.rolconnlimit < 0 then 2147483647 else r.rolconnlimit end
                     from pg_roles r where r.rolname = current_user)) as connections,
                has_database_privilege(current_database(), 'CREATE') as may_create,
                extract(epoch from clock_timestamp())::float8 as now,
                coalesce((select extract(epoch from max(clock_timestamp() - a.xact_start)) from pg_stat_activity a
                          where a.pid <> pg_backend_pid()), 0)::float8 as oldest""";

    public ServerInfo {
        settings = Map.copyOf(settings);
    }

    /** The server could not be queried; the message says why. */
    public static final class UnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        UnavailableException(String words, SQLException cause) {
            super(words, cause);
        }
    }

    /**
     * Queries the server.
     *
     * @param clock this machine's
     * @throws UnavailableException when the server is unreachable, refuses the login, or does not answer
     */
    public static ServerInfo of(Database.Location location, InstantSource clock) throws UnavailableException {
        Properties properties = new Properties();
        PoolSettings.DRIVER.forEach(properties::setProperty);
        if (location.user() != null) {
            properties.setProperty("user", location.user());
        }
        if (location.password() != null) {
            properties.setProperty("password", location.password());
        }
        try (Connection connection = DriverManager.getConnection(location.url(), properties);
                PreparedStatement session = connection.prepareStatement(SessionSettings.SQL);
                ResultSet _ = session.executeQuery();
                PreparedStatement statement = connection.prepareStatement(ASK);
                ResultSet row = statement.executeQuery()) {
            Instant now = clock.instant();
            row.next();
            return new ServerInfo(
                    row.getInt("version"),
                    Map.of(
                            "fsync",
                            row.getString("fsync"),
                            "full_page_writes",
                            row.getString("full_page_writes"),
                            "synchronous_commit",
                            row.getString("synchronous_commit")),
                    row.getInt("connections"),
                    row.getBoolean("may_create"),
                    seconds(row.getDouble("now") - now.toEpochMilli() / 1e3),
                    seconds(row.getDouble("oldest")));
        } catch (SQLException failure) {
            throw new UnavailableException(ConnectionFailure.words(location, failure), failure);
        }
    }

    /** The value of a setting; empty when it was not queried. */
    public String setting(String name) {
        return settings.getOrDefault(name, "");
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1e3));
    }
}
