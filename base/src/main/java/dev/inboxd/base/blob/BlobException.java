package dev.inboxd.base.blob;

import org.jspecify.annotations.Nullable;

/** A permanent failure with one blob; a retry would fail the same way. */
public final class BlobException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Kind of failure. */
    public enum Kind {
        /** The blob does not exist. */
        MISSING,
        /** The source has more or fewer octets than announced; nothing was stored. */
        SIZE
    }

    private final Kind kind;

    BlobException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The blob does not exist, or not any more. */
    public static BlobException missing(@Nullable Throwable cause) {
        return new BlobException(Kind.MISSING, "There is no such blob.", cause);
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }
}
