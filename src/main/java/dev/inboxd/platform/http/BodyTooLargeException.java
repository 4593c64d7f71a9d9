package dev.inboxd.platform.http;

/** A body that went on beyond its limit. */
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
