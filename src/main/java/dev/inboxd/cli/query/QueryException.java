package dev.inboxd.cli.query;

/** An expression that is none, or a function that does not fit what it got. The message is for whoever wrote it. */
public final class QueryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    QueryException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
