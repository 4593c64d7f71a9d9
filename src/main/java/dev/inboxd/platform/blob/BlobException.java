package dev.inboxd.platform.blob;

import org.jspecify.annotations.Nullable;

/** There is something wrong with this blob; the same would happen again. */
public final class BlobException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What kind of trouble it is. */
    public enum Kind {
        /** There is no such blob. */
        MISSING,
        /** The source holds more or fewer octets than announced; nothing was stored. */
        SIZE
    }

    private final Kind kind;

    BlobException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** There are no such octets, or not any more. */
    public static BlobException missing(@Nullable Throwable cause) {
        return new BlobException(Kind.MISSING, "There is no such blob.", cause);
    }

    /** What kind of trouble it is. */
    public Kind kind() {
        return kind;
    }
}
