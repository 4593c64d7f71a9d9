package dev.inboxd.database.embedded;

import java.io.Serial;

/** The embedded server cannot run. The message is written for the person who started inboxd: what is wrong, what to do. */
public final class EmbeddedPostgresException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    EmbeddedPostgresException(String message) {
        super(message);
    }

    EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
