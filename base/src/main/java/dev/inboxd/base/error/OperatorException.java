package dev.inboxd.base.error;

import org.jspecify.annotations.Nullable;

/**
 * A failure that the operator of a server can end, at a start or in a command. The message tells the operator the cause
 * and the remedy.
 */
public abstract class OperatorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message whole sentences, shown as they are */
    protected OperatorException(String message) {
        super(message);
    }

    /** @param message whole sentences, shown as they are */
    protected OperatorException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The cause and the remedy. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
