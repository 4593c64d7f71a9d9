package dev.inboxd.blob;

import org.jspecify.annotations.Nullable;

/** A blob could not be read or written. */
public final class BlobException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What kind of trouble it is. */
    public enum Kind {
        /** There is no such blob. */
        MISSING,
        /** The source holds more or fewer octets than announced; nothing was stored. */
        SIZE,
        /** The store cannot be reached, is full or fails; worth another try later. */
        UNAVAILABLE
    }

    private final Kind kind;

    BlobException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What kind of trouble it is. */
    public Kind kind() {
        return kind;
    }
}
