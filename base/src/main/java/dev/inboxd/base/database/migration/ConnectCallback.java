package dev.inboxd.base.database.migration;

import dev.inboxd.base.database.DatabaseFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Gives each migration what it needs of its connection, and drops what a stopped run of a migration left of its
 * index, before it runs again. Flyway holds its lock then, so no other node makes the index.
 *
 * @param sql run on each
 * @param folder of the scripts on the class path
 */
record ConnectCallback(String sql, String folder) implements Callback {
    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.AFTER_CONNECT || event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        Connection connection = context.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql); // also behind a migration that set it otherwise for itself
            if (event == Event.BEFORE_EACH_MIGRATE
                    && connection.getAutoCommit()) { // within a transaction nothing is left
                String script = context.getMigrationInfo().getScript();
                InvalidIndexes.dropOf(connection, SchemaHistory.indexes(folder, script));
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    @Override
    public String getCallbackName() {
        return "connect";
    }
}
