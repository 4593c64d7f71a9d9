package dev.inboxd.platform.database.copy;

import java.security.MessageDigest;
import java.util.HexFormat;

/** Adds up the digest of a table, row by row. */
final class DigestSum {
    private final MessageDigest digest = RowChunk.digest();
    private final String table;
    private long rows;
    private long bytes;

    DigestSum(String table) {
        this.table = table;
    }

    void add(byte[] row) {
        digest.update(row);
        rows++;
        bytes += row.length;
    }

    TableDigest sum() {
        return new TableDigest(table, rows, bytes, HexFormat.of().formatHex(digest.digest()));
    }
}
