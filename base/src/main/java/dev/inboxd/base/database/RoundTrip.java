package dev.inboxd.base.database;

import dev.inboxd.base.database.value.ParameterValues;
import dev.inboxd.base.time.ClockPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Several statements sent together and answered together. Each statement still takes its own snapshot when PostgreSQL
 * reaches it, so a look-up behind the organization's clock row sees everything committed before it (decision 0001).
 */
public final class RoundTrip {
    private static final Map<List<String>, String> JOINED = new ConcurrentHashMap<>();
    /** Maximum number of combined texts in the cache; they depend on which statements happen to come together. */
    private static final int MOST_JOINED = 1_000;

    private final Connection connection;
    private final SqlDialect dialect;
    private final @Nullable ClockPosition time;
    private final List<Part<?, ?>> parts = new ArrayList<>();

    RoundTrip(Connection connection, SqlDialect dialect, @Nullable ClockPosition time) {
        this.connection = connection;
        this.dialect = dialect;
        this.time = time;
    }

    /**
     * One statement of the round trip.
     *
     * @param statement the row statement it was built from, or null for another statement
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Part<T, R>(
            View view,
            @Nullable String sql,
            @Nullable RowStatement<T> statement,
            List<T> rows,
            @Nullable Object[] values,
            Row.@Nullable Mapper<R> mapper,
            Result<R> pending) {
        SqlTemplate template(SqlDialect dialect) {
            return SqlTemplate.of(
                    statement == null ? Objects.requireNonNull(sql) : statement.sql(rows.size()), view, dialect);
        }

        Map<String, @Nullable Object> named(@Nullable ClockPosition time) {
            Map<String, @Nullable Object> named = Statement.valuesOf(view, time);
            @Nullable Object[] all = statement == null ? values : statement.values(rows, values);
            for (int i = 0; i < all.length; i += 2) {
                named.put(String.valueOf(all[i]), all[i + 1]);
            }
            return named;
        }

        BoundStatement bound(SqlDialect dialect, @Nullable ClockPosition time) {
            return new BoundStatement(template(dialect), named(time), this::read);
        }

        void read(ResultSet result) throws SQLException {
            if (mapper != null) {
                pending.rows = Statement.read(result, mapper);
            }
        }
    }

    /** The rows of a look-up, present after the round trip. */
    public static final class Result<T> {
        private @Nullable List<T> rows;

        void add(T row) {
            if (rows == null) {
                rows = new ArrayList<>();
            }
            rows.add(row);
        }

        void end() {
            rows = rows == null ? List.of() : rows;
        }

        /** The result of a look-up that was not needed: no rows. */
        public static <T> Result<T> none() {
            Result<T> none = new Result<>();
            none.rows = List.of();
            return none;
        }

        /** The rows; only after {@link RoundTrip#run()}. */
        public List<T> rows() {
            if (rows == null) {
                throw new IllegalStateException("The round trip has not run yet");
            }
            return rows;
        }
    }

    /**
     * Adds a look-up.
     *
     * @param values names and values in turn
     */
    public <T> Result<T> query(View view, String sql, Row.Mapper<T> mapper, @Nullable Object... values) {
        Result<T> pending = new Result<>();
        parts.add(new Part<>(view, sql, null, List.of(), values, mapper, pending));
        return pending;
    }

    /** Adds a look-up over rows; without rows it is left out. */
    public <T, R> Result<R> query(
            View view, RowStatement<T> statement, List<T> rows, Row.Mapper<R> mapper, @Nullable Object... values) {
        if (rows.isEmpty()) {
            return Result.none();
        }
        Result<R> pending = new Result<>();
        parts.add(new Part<>(view, null, statement, new ArrayList<>(rows), values, mapper, pending));
        return pending;
    }

    /** Adds a change over rows; without rows it is left out. */
    public <T> void change(View view, RowStatement<T> statement, List<T> rows, @Nullable Object... values) {
        if (!rows.isEmpty()) {
            parts.add(new Part<T, Void>(view, null, statement, new ArrayList<>(rows), values, null, new Result<>()));
        }
    }

    /**
     * Adds rows to the same look-up of this round trip, or adds the look-up. Several callers share one look-up: each
     * gets all rows found, and picks its own.
     *
     * @param values the same for all callers
     */
    public <T, R> Result<R> joinQuery(
            View view, RowStatement<T> statement, List<T> rows, Row.Mapper<R> mapper, @Nullable Object... values) {
        Part<T, ?> part = findPart(view, statement);
        if (part == null || rows.isEmpty()) {
            return query(view, statement, rows, mapper, values);
        }
        part.rows.addAll(rows);
        @SuppressWarnings("unchecked") // the same statement is read alike
        Result<R> pending = (Result<R>) part.pending;
        return pending;
    }

    /** Adds rows to the same change of this round trip, or adds the change; their order must not matter. */
    public <T> void joinChange(View view, RowStatement<T> statement, List<T> rows, @Nullable Object... values) {
        Part<T, ?> part = findPart(view, statement);
        if (part == null) {
            change(view, statement, rows, values);
        } else {
            part.rows.addAll(rows);
        }
    }

    private <T> @Nullable Part<T, ?> findPart(View view, RowStatement<T> statement) {
        for (Part<?, ?> part : parts) {
            if (part.statement == statement && part.view.equals(view)) {
                @SuppressWarnings("unchecked") // the same statement has the same rows
                Part<T, ?> typed = (Part<T, ?>) part;
                return typed;
            }
        }
        return null;
    }

    /**
     * Adds a change.
     *
     * @param values names and values in turn
     */
    public void change(View view, String sql, @Nullable Object... values) {
        parts.add(new Part<Void, Void>(view, sql, null, List.of(), values, null, new Result<>()));
    }

    /** Sends all statements, reads all answers, and empties this round trip. */
    public void run() {
        run("");
    }

    /**
     * Like {@link #run()}, with SQL behind the last statement. With a commit there, everything is durable when this
     * returns, and the transaction is over. When a statement fails, PostgreSQL skips everything behind it, including
     * the commit.
     */
    void run(String behind) {
        List<BoundStatement> ready = new ArrayList<>(parts.size());
        parts.forEach(part -> ready.add(part.bound(dialect, time)));
        parts.clear();
        run(connection, ready, behind);
    }

    /** Takes the statements, which the caller runs with those of others; this round trip is empty afterwards. */
    List<Part<?, ?>> take() {
        List<Part<?, ?>> drained = List.copyOf(parts);
        parts.clear();
        return drained;
    }

    /** A statement with its values, and the reader of its rows. */
    record BoundStatement(SqlTemplate template, Map<String, @Nullable Object> values, Reader reader) {}

    /** Reads the rows of a statement. */
    interface Reader {
        void read(ResultSet result) throws SQLException;
    }

    private static String joined(List<String> statements) {
        String cached = JOINED.get(statements);
        if (cached != null || JOINED.size() >= MOST_JOINED) {
            return cached != null ? cached : String.join(";", statements);
        }
        return JOINED.computeIfAbsent(statements, all -> String.join(";", all));
    }

    static void run(Connection connection, List<BoundStatement> ready, String behind) {
        if (ready.isEmpty()) {
            return;
        }
        List<String> statements = new ArrayList<>();
        ready.forEach(statement -> statements.add(statement.template.sql()));
        if (!behind.isEmpty()) {
            statements.add(behind);
        }
        // The driver caches a statement by the hash code of its text, and a String caches its hash code: the text is
        // joined and hashed once.
        String sql = joined(statements);
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            int position = 1;
            for (BoundStatement statement : ready) {
                position = ParameterValues.set(prepared, statement.template.parameters(), statement.values, position);
            }
            boolean rows = prepared.execute();
            for (BoundStatement statement : ready) {
                if (rows) {
                    try (ResultSet result = prepared.getResultSet()) {
                        statement.reader.read(result);
                    }
                }
                rows = prepared.getMoreResults();
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }
}
