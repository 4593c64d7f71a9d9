package dev.inboxd.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Several statements sent together and answered together. Each still takes its own snapshot when its turn comes, so a
 * look-up placed after the organization's clock sees everything committed before it (architecture §8.1).
 */
public final class RoundTrip {
    private static final Map<List<String>, String> JOINED = new ConcurrentHashMap<>();

    private final Connection connection;
    private final boolean skewed;
    private final double skew;
    private final List<Part<?>> parts = new ArrayList<>();

    RoundTrip(Connection connection, boolean skewed, double skew) {
        this.connection = connection;
        this.skewed = skewed;
        this.skew = skew;
    }

    private record Part<T>(Template template, Map<String, @Nullable Object> values,
            Row.@Nullable Mapper<T> mapper, Pending<T> pending) {
        void read(ResultSet result) throws SQLException {
            if (mapper != null) {
                pending.rows = Statement.read(result, mapper);
            }
        }
    }

    /** What a look-up of this round trip will have found. */
    public static final class Pending<T> {
        private @Nullable List<T> rows;

        /** A look-up that was not needed and found nothing. */
        public static <T> Pending<T> none() {
            Pending<T> none = new Pending<>();
            none.rows = List.of();
            return none;
        }

        /** The rows; only after {@link RoundTrip#run()}. */
        public List<T> rows() {
            if (rows == null) {
                throw new IllegalStateException("The round trip has not been made");
            }
            return rows;
        }
    }

    /** Adds a look-up; give its values as name, value, name, value. */
    public <T> Pending<T> look(View view, String sql, Row.Mapper<T> mapper, @Nullable Object... values) {
        Pending<T> pending = new Pending<>();
        parts.add(new Part<>(Template.of(sql, view, skewed), named(view, values), mapper, pending));
        return pending;
    }

    /** Adds a look-up by rows; without rows it is not made. */
    public <T, R> Pending<R> look(View view, Batched<T> statement, List<T> rows, Row.Mapper<R> mapper,
            @Nullable Object... values) {
        return rows.isEmpty() ? Pending.none()
                : look(view, statement.sql(rows.size()), mapper, statement.values(rows, values));
    }

    /** Adds a change by rows; without rows it is not made. */
    public <T> void change(View view, Batched<T> statement, List<T> rows, @Nullable Object... values) {
        if (!rows.isEmpty()) {
            change(view, statement.sql(rows.size()), statement.values(rows, values));
        }
    }

    /** Adds a change; give its values as name, value, name, value. */
    public void change(View view, String sql, @Nullable Object... values) {
        parts.add(new Part<Void>(Template.of(sql, view, skewed), named(view, values), null, new Pending<>()));
    }

    /** Sends everything that was added, reads every answer, and is empty again. */
    public void run() {
        run("");
    }

    /**
     * Like {@link #run()}, with the commit behind the last statement: when this returns, all is durable, and the
     * transaction can do no more. When a statement fails, PostgreSQL skips what follows it, the commit too.
     */
    public void runAndCommit() {
        run("commit");
    }

    private void run(String behind) {
        if (parts.isEmpty()) {
            return;
        }
        List<String> statements = new ArrayList<>();
        parts.forEach(part -> statements.add(part.template.sql()));
        if (!behind.isEmpty()) {
            statements.add(behind);
        }
        // The driver knows a text by its hash code, which a string remembers: joined once, hashed once.
        String sql = JOINED.computeIfAbsent(statements, all -> String.join(";", all));
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            int position = 1;
            for (Part<?> part : parts) {
                position = Values.set(prepared, part.template.parameters(), part.values, position);
            }
            boolean rows = prepared.execute();
            for (Part<?> part : parts) {
                if (rows) {
                    try (ResultSet result = prepared.getResultSet()) {
                        part.read(result);
                    }
                }
                rows = prepared.getMoreResults();
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
        parts.clear();
    }

    private Map<String, @Nullable Object> named(View view, @Nullable Object... values) {
        Map<String, @Nullable Object> named = Statement.valuesOf(view);
        named.put("skew", skew);
        for (int i = 0; i < values.length; i += 2) {
            named.put(String.valueOf(values[i]), values[i + 1]);
        }
        return named;
    }
}
