package dev.inboxd.base.database.pool;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/** A statement that the server, such as a cluster, does not support leaves its connection as good as it was. */
public final class UnsupportedStatement implements SQLExceptionOverride {
    /** The SQLSTATE {@code feature_not_supported}. */
    public static final String STATE = "0A000";

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return STATE.equals(failure.getSQLState()) ? Override.DO_NOT_EVICT : Override.CONTINUE_EVICT;
    }
}
