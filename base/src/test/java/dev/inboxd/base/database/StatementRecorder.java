package dev.inboxd.base.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Notes every statement and every end of a transaction that goes to a database, in order and with its thread: a JDBC
 * driver that stands before PostgreSQL's, so that nothing of the service knows of it.
 */
public final class StatementRecorder implements Driver, AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Set<String> ENDS = Set.of("commit", "rollback");
    /** What every request's authentication reads. */
    private static final String KEY = "join api_key k on";

    private final String prefix = "jdbc:recorded-" + NUMBER.incrementAndGet() + ":";
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();

    private record Sent(Thread thread, String text) {}

    private StatementRecorder() {}

    /** A recorder that the driver manager knows until it is closed. */
    public static StatementRecorder start() {
        StatementRecorder recorder = new StatementRecorder();
        try {
            DriverManager.registerDriver(recorder);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return recorder;
    }

    /** The same place, reached through this recorder. */
    public Database.Location before(Database.Location location) {
        return new Database.Location(
                prefix + location.url(), location.user(), location.password(), location.connections());
    }

    /**
     * The texts that one request with a key sends, from the look at that key's row on; whose it is may be known
     * already. What workers send meanwhile is left out. The service must serve a request in one thread, and one request
     * at a time.
     *
     * @param request makes the request and returns when it is answered
     */
    public List<String> during(Runnable request) {
        sent.clear();
        request.run();
        List<Sent> all = List.copyOf(sent);
        int first = all.indexOf(
                all.stream().filter(one -> one.text.contains(KEY)).findFirst().orElseThrow());
        Thread thread = all.get(first).thread;
        return all.stream()
                .skip(first)
                .filter(one -> one.thread.equals(thread))
                .map(Sent::text)
                .toList();
    }

    /** Forgets what was sent. */
    public void forget() {
        sent.clear();
    }

    /** The texts that were sent since, by whomever, with each end of a transaction. */
    public List<String> texts() {
        return sent.stream().map(Sent::text).toList();
    }

    @Override
    public void close() {
        try {
            DriverManager.deregisterDriver(this);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(prefix);
    }

    @Override
    public @Nullable Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        Connection connection = DriverManager.getConnection(url.substring(prefix.length()), info);
        return proxy(Connection.class, (_, method, arguments) -> {
            if (ENDS.contains(method.getName())) {
                note(method.getName());
            }
            Object result = call(connection, method, arguments);
            if (result instanceof PreparedStatement statement) {
                return prepared(statement, String.valueOf(arguments[0]));
            }
            return result instanceof Statement statement ? plain(statement) : result;
        });
    }

    private Statement plain(Statement statement) {
        return proxy(Statement.class, (_, method, arguments) -> {
            if (method.getName().startsWith("execute") && arguments != null) {
                note(String.valueOf(arguments[0]));
            }
            return call(statement, method, arguments);
        });
    }

    private PreparedStatement prepared(PreparedStatement statement, String text) {
        return proxy(PreparedStatement.class, (_, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                note(text);
            }
            return call(statement, method, arguments);
        });
    }

    private void note(String text) {
        sent.add(new Sent(Thread.currentThread(), text));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }
}
