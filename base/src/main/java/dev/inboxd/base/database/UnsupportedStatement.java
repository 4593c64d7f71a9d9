package dev.inboxd.base.database;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** A statement that the server, such as a cluster, does not support leaves its connection as good as it was. */
final class UnsupportedStatement implements SQLExceptionOverride {
    static final String STATE = "0A000";

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return STATE.equals(failure.getSQLState()) ? Override.DO_NOT_EVICT : Override.CONTINUE_EVICT;
    }
}
