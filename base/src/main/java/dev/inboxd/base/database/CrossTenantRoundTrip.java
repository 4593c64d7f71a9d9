package dev.inboxd.base.database;

import dev.inboxd.base.time.ClockPosition;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Runs the round trips of several organizations as one. The same statement of several organizations becomes one
 * statement over all their rows, and every row carries its organization. A row is only ever compared to rows of its
 * own organization, because each scope is taken from the row (decision 0048). On Citus each organization may be on
 * another node, and keeps its own statements.
 */
final class CrossTenantRoundTrip {
    private final Connection connection;
    private final SqlDialect dialect;
    private final @Nullable ClockPosition time;

    CrossTenantRoundTrip(Connection connection, SqlDialect dialect, @Nullable ClockPosition time) {
        this.connection = connection;
        this.dialect = dialect;
        this.time = time;
    }

    /**
     * Runs the round trips, each of another organization; they are empty afterwards.
     *
     * @param behind SQL behind the last statement, or nothing
     * @throws IllegalStateException when a statement takes no rows, or its view is narrower than an organization
     */
    void run(Collection<RoundTrip> trips, String behind) {
        List<RoundTrip.BoundStatement> ready = new ArrayList<>();
        if (dialect.citus()) {
            trips.forEach(trip -> trip.take().forEach(part -> ready.add(part.bound(dialect, time))));
        } else {
            combined(trips).forEach(joined -> ready.add(joined.ready(dialect, time)));
        }
        RoundTrip.run(connection, ready, behind);
    }

    private static List<CombinedStatement<?>> combined(Collection<RoundTrip> trips) {
        List<CombinedStatement<?>> order = new ArrayList<>();
        for (RoundTrip trip : trips) {
            int place = 0;
            for (RoundTrip.Part<?, ?> part : trip.take()) {
                place = put(order, part, place) + 1;
            }
        }
        return order;
    }

    /**
     * Adds a part to an equal statement at or behind that place, or inserts it before the statement at that place, so
     * that the order of each round trip is preserved.
     */
    private static <T> int put(List<CombinedStatement<?>> order, RoundTrip.Part<T, ?> part, int place) {
        RowStatement<T> statement = part.statement();
        if (statement == null || !part.view().equals(View.of(part.view().organization()))) {
            throw new IllegalStateException("Not a statement that organizations can share: " + part.sql());
        }
        for (int i = place; i < order.size(); i++) {
            if (order.get(i).statement == statement) {
                @SuppressWarnings("unchecked") // the same statement has the same rows
                CombinedStatement<T> joined = (CombinedStatement<T>) order.get(i);
                joined.parts.add(part);
                return i;
            }
        }
        CombinedStatement<T> joined = new CombinedStatement<>(statement);
        joined.parts.add(part);
        order.add(place, joined);
        return place;
    }

    /** One statement over the rows of several organizations. */
    private static final class CombinedStatement<T> {
        private final RowStatement<T> statement;
        private final List<RoundTrip.Part<T, ?>> parts = new ArrayList<>();

        CombinedStatement(RowStatement<T> statement) {
            this.statement = statement;
        }

        RoundTrip.BoundStatement ready(SqlDialect dialect, @Nullable ClockPosition time) {
            List<UUID> owners = new ArrayList<>();
            List<T> rows = new ArrayList<>();
            for (RoundTrip.Part<T, ?> part : parts) {
                part.rows().forEach(_ -> owners.add(part.view().organization()));
                rows.addAll(part.rows());
            }
            Map<String, @Nullable Object> values =
                    statement.valuesAcross(owners, rows, parts.getFirst().values());
            ClockPosition.bind(values, time);
            return new RoundTrip.BoundStatement(
                    SqlTemplate.across(statement.acrossTenants(), dialect), values, this::read);
        }

        private void read(ResultSet result) throws SQLException {
            if (parts.getFirst().mapper() == null) {
                return;
            }
            Map<UUID, RoundTrip.Part<T, ?>> byOwner = new HashMap<>();
            parts.forEach(part -> byOwner.put(part.view().organization(), part));
            Row row = new Row(result);
            while (result.next()) {
                take(Objects.requireNonNull(byOwner.get(row.uuid(RowStatement.TENANT))), row);
            }
            parts.forEach(part -> part.pending().end());
        }

        private static <R> void take(RoundTrip.Part<?, R> part, Row row) throws SQLException {
            part.pending().add(Objects.requireNonNull(part.mapper()).map(row));
        }
    }
}
