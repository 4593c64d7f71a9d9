package dev.inboxd.message;

import org.jspecify.annotations.Nullable;

/**
 * The bytes of a message, as they came or went.
 *
 * @param raw all of them, when small enough for the database; else null
 * @param blob the key of the blob that holds them, when they are not in {@code raw}
 * @param headerSize how many of the first bytes hold the header section
 * @param shown what is shown of it, deflated; null when it is read from {@code raw}
 * @param sha256 digest of all bytes (promise P13)
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Content(byte @Nullable [] raw, @Nullable String blob, int headerSize, byte @Nullable [] shown,
        byte[] sha256) {
    /** Larger messages lie in the blob store. */
    public static final int LARGEST_IN_DATABASE = 256 * 1024;

    public Content {
        if ((raw == null) == (blob == null)) {
            throw new IllegalArgumentException("Either the bytes or the blob that holds them");
        }
    }
}
