package dev.inboxd.base.database;

import java.sql.SQLException;
import java.sql.Statement;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Gives each connection of a run of migrations what it needs.
 *
 * @param sql run on each
 */
record ConnectCallback(String sql) implements Callback {
    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.AFTER_CONNECT;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
        return true;
    }

    @Override
    public void handle(Event event, Context context) {
        try (Statement statement = context.getConnection().createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    @Override
    public String getCallbackName() {
        return "connect";
    }
}
