package dev.inboxd.base.database.copy;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table that follow one another.
 *
 * @param range where they lie
 * @param first the key of the first row; null: there is no row, and the table is empty
 * @param last the key of the last row; null as well
 * @param rows how many there are
 * @param content the rows, each as binary COPY writes it, without head and end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; compare the digests
public record RowChunk(
        KeyRange range, @Nullable RowKey first, @Nullable RowKey last, int rows, byte[] content) {
    /** The digest by which chunks are compared and stored: SHA-256 of the content, in lower-case hexadecimal. */
    public String sha256() {
        return sha256(content);
    }

    /** The digest of a chunk's content. */
    public static String sha256(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
