package dev.inboxd.base.http;

/** A body is longer than its limit, which its Content-Length did not say. */
final class BodyTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient BodyLimit limit;

    BodyTooLargeException(BodyLimit limit) {
        super(null, null, false, false);
        this.limit = limit;
    }

    BodyLimit limit() {
        return limit;
    }
}
