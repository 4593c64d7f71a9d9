package dev.inboxd.base.database.copy;

import dev.inboxd.base.vault.Vault;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Adds up the digest of a table, as {@link Snapshot#digest} has it. */
public final class DigestSum {
    private final MessageDigest digest = RowChunk.digest();
    private final String table;
    private long rows;
    private long bytes;

    /** @param table its name */
    public DigestSum(String table) {
        this.table = table;
    }

    void add(byte[] row) {
        digest.update(row);
        rows++;
        bytes += row.length;
    }

    /**
     * Adds the rows of a chunk.
     *
     * @param layout of the table
     * @param chunk its rows as they are stored
     * @param vault that opens their secrets
     */
    public void add(TableLayout layout, RowChunk chunk, Vault vault) {
        if (SealedColumns.isIn(layout)) {
            SealedColumns.forEachRow(layout, chunk.content(), row -> add(SealedColumns.opened(layout, row, vault)));
        } else {
            digest.update(chunk.content());
            rows += chunk.rows();
            bytes += chunk.content().length;
        }
    }

    /** The digest of what was added. */
    public TableDigest sum() {
        return new TableDigest(table, rows, bytes, HexFormat.of().formatHex(digest.digest()));
    }
}
