package dev.inboxd.mailbox.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a message, as they came or went.
 *
 * @param raw all of them, when small enough for the database; else null
 * @param blob the key of the blob that holds them, when they are not in {@code raw}
 * @param headerSize octets that a list reads of it: of the header section in {@code raw}, or of the head of {@code shown}
 * @param readable what is shown of it; null when it is read from {@code raw}
 * @param sha256 digest of all bytes (promise P13)
 * @param chunks what of a large message lies in blobs of its own, in their order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredContent(
        byte @Nullable [] raw,
        @Nullable String blob,
        int headerSize,
        ReadableContent.@Nullable StoredForm readable,
        byte[] sha256,
        List<SharedChunk> chunks) {
    /** Larger messages lie in the blob store. */
    public static final int LARGEST_IN_DATABASE = 256 * 1024;

    public StoredContent {
        chunks = List.copyOf(chunks);
        if ((raw == null) == (blob == null)) {
            throw new IllegalArgumentException("Either the bytes or the blob that holds them");
        }
    }

    /** How many octets its texts have, at most, as JSON; those of a small message are counted with all of its bytes. */
    long textOctets() {
        return readable == null ? raw == null ? 0 : raw.length : readable.textOctets();
    }

    /** Bytes in one place. */
    public StoredContent(
            byte @Nullable [] raw,
            @Nullable String blob,
            int headerSize,
            ReadableContent.@Nullable StoredForm shown,
            byte[] sha256) {
        this(raw, blob, headerSize, shown, sha256, List.of());
    }
}
