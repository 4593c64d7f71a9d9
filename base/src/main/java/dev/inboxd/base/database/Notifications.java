package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the notifications that nodes send each other through the database ({@link Tx#signal}, PostgreSQL's NOTIFY).
 * A notification is a hint that saves waiting; the rows are the truth. It uses one connection of its own, and only
 * when there is a listener.
 */
public final class Notifications implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Database database;
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Connection open;
    private @Nullable Thread thread;

    /** Notifications of a database; none are received before {@link #start}. */
    public Notifications(Database database) {
        this.database = database;
    }

    /** Listener of one channel. Called on one thread; must be quick. */
    public interface Listener {
        /** A notification with this payload arrived. */
        void notified(String word);

        /** A new connection listens from now on; earlier notifications may have been missed. */
        void listening();
    }

    /** Registers the only listener of a channel; call it before {@link #start}. */
    public void on(String channel, Listener listener) {
        listeners.put(channel, listener);
    }

    /** Starts to listen. */
    public void start() {
        if (!listeners.isEmpty()) {
            thread = Thread.ofVirtual().name("signals").start(this::run);
        }
    }

    private void run() {
        while (closing.getCount() > 0) {
            try (Connection connection = connect()) {
                open = connection;
                listen(connection);
            } catch (SQLException | RuntimeException away) { // a listener may read the database, too
                if (closing.getCount() > 0) {
                    LOG.warn("database notifications interrupted; reconnecting: {}", away.getMessage());
                }
            }
            pause();
        }
    }

    private void listen(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String channel : listeners.keySet()) {
                statement.execute("listen " + channel);
            }
            listeners.values().forEach(Listener::listening);
            PGConnection ears = connection.unwrap(PGConnection.class);
            while (closing.getCount() > 0) {
                PGNotification[] said = ears.getNotifications(Math.toIntExact(PATIENCE.toMillis()));
                for (PGNotification notification : said == null ? new PGNotification[0] : said) {
                    Listener listener = listeners.get(notification.getName());
                    if (listener != null) {
                        listener.notified(notification.getParameter());
                    }
                }
                statement.execute("select 1"); // detects a connection that died silently
            }
        }
    }

    private Connection connect() throws SQLException {
        Database.Location location = database.location();
        Properties properties = new Properties();
        if (location.user() != null) {
            properties.setProperty("user", location.user());
        }
        if (location.password() != null) {
            properties.setProperty("password", location.password());
        }
        properties.setProperty("ApplicationName", "inboxd signals");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("connectTimeout", Long.toString(PATIENCE.toSeconds()));
        properties.setProperty("socketTimeout", Long.toString(2 * PATIENCE.toSeconds()));
        return DriverManager.getConnection(location.url(), properties);
    }

    private void pause() {
        try {
            closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            closing.countDown();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        Connection connection = open;
        Thread running = thread;
        try {
            if (connection != null) {
                connection.abort(Runnable::run); // another thread is reading it, so it cannot be closed in good order
            }
            if (running != null) {
                running.join();
            }
        } catch (SQLException failure) {
            LOG.debug("the connection of the notifications was closed already", failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
