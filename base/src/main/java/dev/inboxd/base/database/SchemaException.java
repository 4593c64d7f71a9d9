package dev.inboxd.base.database;

import dev.inboxd.base.error.OperatorException;
import java.io.Serial;

/** The tables in the database are not those of this program, and cannot become so. The message names the remedy. */
public final class SchemaException extends OperatorException {
    @Serial
    private static final long serialVersionUID = 1L;

    public SchemaException(String message) {
        super(message);
    }
}
