package dev.inboxd.base.database;

import dev.inboxd.base.error.OperatorException;
import java.io.Serial;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database of the settings cannot be connected to. The message tells the operator the cause and the remedy. */
public final class ConnectionFailure extends OperatorException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The logger whose name is not shown: an operator reads this line. */
    private static final Logger LOG = LoggerFactory.getLogger("inboxd");

    private static final String STARTING = "57P03";

    private static final String SHARED_SESSIONS = "a pooler in between lends its sessions for a transaction only, and"
            + " every connection of inboxd needs a session of its own, for settings, prepared statements, locks and"
            + " notifications. Give this database pool_mode = session and a pool_size of 16 for each node, or name"
            + " PostgreSQL itself in INBOXD_DATABASE_URL";

    private ConnectionFailure(String message) {
        super(message);
    }

    /**
     * How long a database that is not there yet is waited for. It may start at the same time as this program.
     *
     * @param times number of attempts
     * @param pause milliseconds between two
     */
    public record Patience(int times, long pause) {
        public static final Patience USUAL = new Patience(20, 1_000);
    }

    /**
     * Connects once, and throws away the connection.
     *
     * @throws ConnectionFailure when that is not possible, at once or after some seconds in which nothing answers
     */
    public static void require(Database.Location location) {
        require(location, Patience.USUAL);
    }

    /**
     * Connects once, and throws away the connection.
     *
     * @throws ConnectionFailure when that is not possible, at once or after some seconds in which nothing answers
     */
    public static void require(Database.Location location, Patience patience) {
        for (int time = 1; true; time++) {
            try {
                DriverManager.getConnection(location.url(), login(location)).close();
                return;
            } catch (SQLException refused) {
                String words = words(location, refused);
                if (!isAbsent(refused)
                        || time >= patience.times
                        || Thread.currentThread().isInterrupted()) {
                    throw new ConnectionFailure(words);
                }
                if (time == 1) {
                    LOG.atWarn()
                            .addKeyValue("waits", words + " It may be about to start, so this is tried again a while.")
                            .log("database");
                }
                pause(patience.pause);
            }
        }
    }

    /** The failure of one attempt to connect. */
    static ConnectionFailure of(Database.Location location, SQLException failure) {
        return new ConnectionFailure(words(location, failure));
    }

    /** What {@link SessionCheck} found. */
    static ConnectionFailure sharedSessions(Database.Location location) {
        return new ConnectionFailure("The database " + shown(location) + " cannot be used: " + SHARED_SESSIONS + ".");
    }

    /** What connecting needs: the credentials, and time limits. */
    static Properties login(Database.Location location) {
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("loginTimeout", "10");
        if (location.user() != null) {
            properties.setProperty("user", location.user());
        }
        if (location.password() != null) {
            properties.setProperty("password", location.password());
        }
        return properties;
    }

    /** Why the connection failed: a sentence that names the database as the operator wrote it, without the password. */
    static String words(Database.Location location, SQLException failure) {
        return "The database " + shown(location) + " cannot be used: " + cause(location, failure) + ".";
    }

    private static String cause(Database.Location location, SQLException failure) {
        String state = Objects.requireNonNullElse(failure.getSQLState(), "");
        Throwable below = root(failure);
        return switch (below) {
            case UnknownHostException unknown ->
                "there is no host " + String.valueOf(unknown.getMessage()).split(":", 2)[0]
                        + ". Check the spelling, and that this machine can look it up";
            case SocketTimeoutException _ ->
                "nothing answers there. Check the address, and that no firewall drops the connection";
            case NoRouteToHostException _ -> "there is no way to that address. Check the address and the network";
            case ConnectException _ ->
                "nothing listens there. Check host and port, and that PostgreSQL runs and listens on that address";
            default ->
                switch (state) {
                    case "28P01" -> "the password of the user " + user(location) + " is wrong";
                    case "28000" -> server(failure) + ". The server lets users in by its pg_hba.conf";
                    case "3D000" -> server(failure) + ". Create it with createdb, owned by that user";
                    case "53300" -> "it has as many connections as it may have. Raise its max_connections";
                    case STARTING -> "it is starting or stopping";
                    default -> server(failure);
                };
        };
    }

    private static String user(Database.Location location) {
        String user = location.user();
        return user == null ? "that is the default here" : user;
    }

    /** The first line of the server's or the driver's own words. */
    private static String server(SQLException failure) {
        String said = Objects.requireNonNullElse(failure.getMessage(), "it gives no reason")
                .lines()
                .findFirst()
                .orElse("it gives no reason");
        for (String prefix : new String[] {"FATAL: ", "ERROR: "}) {
            said = said.startsWith(prefix) ? said.substring(prefix.length()) : said;
        }
        return said.endsWith(".") ? said.substring(0, said.length() - 1) : said;
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < 10 && root.getCause() != null; depth++) {
            root = root.getCause();
        }
        return root;
    }

    /** Whether the server may be about to start. A host without a name and a wrong password stay what they are. */
    private static boolean isAbsent(SQLException failure) {
        Throwable root = root(failure);
        return STARTING.equals(failure.getSQLState())
                || root instanceof ConnectException
                || root instanceof SocketTimeoutException
                || root instanceof NoRouteToHostException;
    }

    /** The URL with a user, and with stars for what is secret in it. */
    private static String shown(Database.Location location) {
        String url = location.url().startsWith("jdbc:") ? location.url().substring(5) : location.url();
        int host = url.indexOf("//") + 2;
        @Nullable String user = location.user();
        String login = user == null ? "" : user + (location.password() == null ? "" : ":***") + "@";
        String hostAndPath = url.substring(host).replaceAll("([?&][a-zA-Z]*[pP]assword=)[^&]*", "$1***");
        return url.substring(0, host) + login + hostAndPath;
    }

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
