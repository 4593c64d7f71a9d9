package dev.inboxd.base.database;

import dev.inboxd.base.error.Problem;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets no transaction that takes no organization's clock commit where the service has moved away. A process that was
 * frozen or cut off during the move knows nothing of it, so the database is asked, in the round trip of the commit. Who
 * writes holds a lock of its table by then: either the move waits for it and copies what it wrote, or it waited for the
 * move, and sees the mark here (decision 0076). Writers of an organization see the same in the row of its clock.
 */
final class MoveFence {
    private static final String DIVISION_BY_ZERO = "22012";
    /** Behind a move it divides by zero, and PostgreSQL skips the commit behind it. */
    private static final SqlTemplate MOVE_CHECK = SqlTemplate.of(
            "select 1 / (case when i.moved_to is null then 1 else 0 end) as here"
                    + " from installation i where i.name = 'inboxd'",
            null,
            new SqlDialect(false, false));

    private MoveFence() {}

    /**
     * Does the work and commits it.
     *
     * @throws Problem when the service has moved; nothing is kept then
     */
    static <T extends @Nullable Object> T committed(Tx tx, Function<Tx, T> work) {
        T result = work.apply(tx);
        try (PreparedStatement statement = tx.connection().prepareStatement(MOVE_CHECK.sql() + ";commit")) {
            statement.execute();
            return result;
        } catch (SQLException failure) {
            if (DIVISION_BY_ZERO.equals(failure.getSQLState())) {
                throw moved(tx.connection());
            }
            throw DatabaseFailure.of(failure);
        }
    }

    /** Does the work as a part of a transaction that its owner commits, and refuses it as {@link #committed} does. */
    static <T extends @Nullable Object> T passed(Tx tx, Function<Tx, T> work) {
        T result = work.apply(tx);
        boolean moved = tx.sql("select i.moved_to is not null as gone from installation i where i.name = 'inboxd'")
                .single(row -> row.flag("gone"));
        if (moved) {
            throw WriteGate.moved("The service", "elsewhere");
        }
        return result;
    }

    private static Problem moved(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            throw DatabaseFailure.of(broken);
        }
        Optional<String> place = Tx.of(connection)
                .sql("select i.moved_to from installation i where i.name = 'inboxd'")
                .first(row -> row.text("moved_to"));
        return WriteGate.moved("The service", place.orElse("elsewhere"));
    }
}
