package dev.inboxd.base.database.copy;

/** A copy cannot be made or written; the message tells the operator why, and the remedy. */
public final class CopyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public CopyException(String message) {
        super(message);
    }
}
