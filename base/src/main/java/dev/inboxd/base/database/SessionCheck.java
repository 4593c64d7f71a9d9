package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.UUID;

/**
 * Whether each connection keeps a session of the server to itself. Behind a pooler in transaction mode connections
 * share sessions, and with them settings, prepared statements of one name, locks of a session and LISTEN: one
 * connection would run another's statements (docs/decisions/0077-poolers.md).
 */
public final class SessionCheck {
    /** A pooler that deals out its sessions at random is missed in one run of a million or fewer. */
    private static final int ROUNDS = 10;

    private static final String MARK = "inboxd.session";

    private SessionCheck() {}

    /**
     * Connects, after some seconds of waiting for a server that starts, and connects once more beside that. Called
     * before migrations, whose lock is one of a session.
     *
     * @throws ConnectionFailure when there is no connection, or when the two share sessions; the message says what is
     *     needed
     */
    public static void require(Database.Location location) {
        ConnectionFailure.require(location, ConnectionFailure.Patience.USUAL);
        try {
            if (isShared(location)) {
                throw ConnectionFailure.sharedSessions(location);
            }
        } catch (SQLException away) {
            throw ConnectionFailure.of(location, away);
        }
    }

    /**
     * Whether each connection has a session of its own.
     *
     * @throws ServerInfo.UnavailableException when there is no connection
     */
    public static boolean isOwn(Database.Location location) throws ServerInfo.UnavailableException {
        try {
            return !isShared(location);
        } catch (SQLException away) {
            throw new ServerInfo.UnavailableException(ConnectionFailure.words(location, away), away);
        }
    }

    /** Whether connections share sessions: one has a mark that it did not get, or has not the one that it got. */
    private static boolean isShared(Database.Location location) throws SQLException {
        try (Connection firstConnection = connect(location);
                Connection secondConnection = connect(location)) {
            for (int round = 0; round < ROUNDS; round++) {
                String first = UUID.randomUUID().toString();
                String second = UUID.randomUUID().toString();
                mark(firstConnection, first);
                mark(secondConnection, second);
                // Twice, as a pooler that deals its sessions out by turns may give back the same after another.
                List<String> marks = List.of(mark(firstConnection), mark(firstConnection), mark(secondConnection));
                if (!marks.equals(List.of(first, first, second))) {
                    return true;
                }
            }
            return false;
        }
    }

    private static void mark(Connection connection, String word) throws SQLException {
        ask(connection, "select set_config('" + MARK + "', '" + word + "', false)");
    }

    private static String mark(Connection connection) throws SQLException {
        return ask(connection, "select coalesce(current_setting('" + MARK + "', true), '')");
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    private static Connection connect(Database.Location location) throws SQLException {
        Properties properties = ConnectionFailure.login(location);
        properties.setProperty("socketTimeout", "20");
        return DriverManager.getConnection(location.url(), properties);
    }
}
