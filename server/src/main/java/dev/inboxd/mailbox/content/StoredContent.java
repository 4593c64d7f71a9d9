package dev.inboxd.mailbox.content;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The original bytes of a message, received or sent, and its parsed form.
 *
 * @param raw all bytes, when few enough for the database; else null
 * @param blob the name of the blob that has them, when they are not in {@code raw}
 * @param headerSize octets that a list reads: of the header section in {@code raw}, or of the head of {@code readable}
 * @param readable the stored form of the parsed message; null when it is parsed from {@code raw}
 * @param sha256 digest of all bytes (promise P13)
 * @param chunks stretches of a large message that have blobs of their own, in their order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredContent(
        byte @Nullable [] raw,
        @Nullable String blob,
        int headerSize,
        ReadableContent.@Nullable StoredForm readable,
        byte[] sha256,
        List<SharedChunk> chunks) {
    /** Larger messages, in octets, are in the blob store. */
    public static final int LARGEST_IN_DATABASE = 256 * 1024;

    public StoredContent {
        chunks = List.copyOf(chunks);
        if ((raw == null) == (blob == null)) {
            throw new IllegalArgumentException("Either the bytes or the blob that holds them");
        }
    }

    /** The octets of its texts as JSON, at most; a small message counts with all of its bytes. */
    public long textOctets() {
        return readable == null ? raw == null ? 0 : raw.length : readable.textOctets();
    }

    /** A small message as it was received, which is parsed when it is read. */
    public static StoredContent ofRaw(byte[] raw, byte[] sha256) {
        return new StoredContent(raw, null, headerSize(raw), null, sha256, List.of());
    }

    /** A small message that is shown in another form than its bytes would be parsed to. */
    public static StoredContent ofRaw(byte[] raw, byte[] sha256, ReadableContent.StoredForm shown) {
        return new StoredContent(raw, null, shown.size(), shown, sha256, List.of());
    }

    /** The size of the header section: up to the first empty line, with any line end. */
    private static int headerSize(byte[] raw) {
        int lineStart = 0;
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '\n') {
                boolean empty = i == lineStart || (i == lineStart + 1 && raw[lineStart] == '\r');
                if (empty) {
                    return i + 1;
                }
                lineStart = i + 1;
            }
        }
        return raw.length;
    }
}
