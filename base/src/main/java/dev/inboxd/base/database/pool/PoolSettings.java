package dev.inboxd.base.database.pool;

import com.zaxxer.hikari.HikariConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a pool and the driver make each connection with. */
public final class PoolSettings {
    /** How many sessions a pool keeps open while nothing happens. */
    private static final int FEWEST_SESSIONS = 2;

    /** Properties of the driver, for every connection of this program. */
    public static final Map<String, String> DRIVER = Map.of(
            "ApplicationName", "inboxd",
            "tcpKeepAlive", "true",
            // A silent host must not hold a connection longer than a statement may take (promise P15).
            "socketTimeout", "40",
            "connectTimeout", "5",
            // It tells the row that was refused, and what is in a row is not for a log.
            "logServerErrorDetail", "false");

    private PoolSettings() {}

    /**
     * The settings of a pool.
     *
     * @param url a JDBC URL
     * @param user the role, or null when the URL carries it
     * @param password its password, or null when the URL carries it or none is needed
     * @param connections the largest number of sessions
     */
    public static HikariConfig of(String url, @Nullable String user, @Nullable String password, int connections) {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl(url);
        if (user != null) {
            configuration.setUsername(user);
            configuration.setPassword(password);
        }
        configuration.setPoolName("inboxd");
        configuration.setMaximumPoolSize(connections);
        // A session costs both sides memory, and a start the time of its authentication: the others open when they are
        // needed, and close when they were not for ten minutes.
        configuration.setMinimumIdle(Math.min(FEWEST_SESSIONS, connections));
        configuration.setConnectionTimeout(ConnectionPool.PATIENCE.toMillis());
        configuration.setInitializationFailTimeout(-1);
        configuration.addDataSourceProperty("prepareThreshold", "2");
        configuration.addDataSourceProperty("preparedStatementCacheQueries", "512");
        configuration.addDataSourceProperty("preparedStatementCacheSizeMiB", "8");
        configuration.setConnectionInitSql(SessionSettings.SQL);
        configuration.setExceptionOverride(new UnsupportedStatement());
        DRIVER.forEach(configuration::addDataSourceProperty);
        return configuration;
    }
}
