package dev.inboxd.base.database.embedded;

import dev.inboxd.base.error.OperatorException;
import java.io.Serial;

/** The embedded server cannot run. The message tells the operator the cause and the remedy. */
public final class EmbeddedPostgresException extends OperatorException {
    @Serial
    private static final long serialVersionUID = 1L;

    EmbeddedPostgresException(String message) {
        super(message);
    }

    EmbeddedPostgresException(String message, Throwable cause) {
        super(message, cause);
    }
}
