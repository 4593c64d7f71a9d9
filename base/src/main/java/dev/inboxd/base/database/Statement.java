package dev.inboxd.base.database;

import dev.inboxd.base.database.pool.ConnectionPool;
import dev.inboxd.base.database.value.ParameterValues;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.time.ClockPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One statement with named values, run at once in its own round trip. */
public final class Statement {
    private final Connection connection;
    private final SqlTemplate template;
    private final Map<String, @Nullable Object> values;
    private int seconds;

    Statement(Connection connection, SqlTemplate template, Map<String, @Nullable Object> values) {
        this.connection = connection;
        this.template = template;
        this.values = values;
    }

    /** The values that every statement of a view can name. */
    static Map<String, @Nullable Object> valuesOf(@Nullable View view, @Nullable ClockPosition time) {
        Map<String, @Nullable Object> values = new HashMap<>();
        ClockPosition.bind(values, time);
        if (view != null) {
            values.put("view_organization", view.organization());
            values.put("view_pod", view.pod());
            values.put("view_inbox", view.inbox());
            values.put("view_hidden", view.hidden());
            values.put("view_since", view.since());
        }
        return values;
    }

    /**
     * Binds a named value.
     *
     * @param value text, number, boolean, byte[], UUID, Instant, an array of these, or null
     */
    public Statement bind(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    /**
     * Cancels the statement when it is not done in time, as if the database were busy.
     *
     * @param nanoTime deadline on the clock of {@link System#nanoTime()}, precise to about a second
     * @throws Problem {@code service_unavailable} when the deadline has passed already
     */
    public Statement until(long nanoTime) {
        long left = nanoTime - System.nanoTime();
        if (left <= 0) {
            throw ConnectionPool.busy();
        }
        seconds = Math.toIntExact(Math.max(1, TimeUnit.NANOSECONDS.toSeconds(left)));
        return this;
    }

    /**
     * Runs a change.
     *
     * @return the number of rows it touched
     */
    public int run() {
        try (PreparedStatement prepared = connection.prepareStatement(template.sql())) {
            ParameterValues.set(prepared, template.parameters(), values, 1);
            return prepared.executeUpdate();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** Every row of the result. */
    public <T> List<T> list(Row.Mapper<T> mapper) {
        try (PreparedStatement prepared = connection.prepareStatement(template.sql())) {
            prepared.setQueryTimeout(seconds);
            ParameterValues.set(prepared, template.parameters(), values, 1);
            try (ResultSet result = prepared.executeQuery()) {
                return read(result, mapper);
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** The first row, if there is one. */
    public <T> Optional<T> first(Row.Mapper<T> mapper) {
        List<T> rows = list(mapper);
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /** Whether the result has a row. */
    public boolean exists() {
        return !list(_ -> true).isEmpty();
    }

    /** The only row of a statement that always has one. */
    public <T> T single(Row.Mapper<T> mapper) {
        return first(mapper).orElseThrow();
    }

    static <T> List<T> read(ResultSet result, Row.Mapper<T> mapper) throws SQLException {
        List<T> rows = new ArrayList<>();
        Row row = new Row(result);
        while (result.next()) {
            rows.add(mapper.map(row));
        }
        return rows;
    }
}
