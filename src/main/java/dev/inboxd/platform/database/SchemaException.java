package dev.inboxd.platform.database;

import java.io.Serial;

/** The tables in the database are not this program's. The message tells the person who started inboxd what to do. */
public final class SchemaException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    SchemaException(String message) {
        super(message);
    }
}
