package dev.inboxd.base.database.copy;

import dev.inboxd.base.error.OperatorException;

/** A copy cannot be made or written; the message tells the operator why, and the remedy. */
public final class CopyException extends OperatorException {
    private static final long serialVersionUID = 1;

    public CopyException(String message) {
        super(message);
    }
}
