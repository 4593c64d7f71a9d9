package dev.inboxd.base.database.copy;

import dev.inboxd.base.vault.Vault;
import java.util.ArrayList;
import java.util.List;

/** Copies one database into another, as often as wanted: each pass writes what differs from the pass before. */
public final class DatabaseCopy {
    private final Snapshot source;
    private final CopyTarget target;
    private final Vault vault;

    /**
     * A copy.
     *
     * @param source the database at one moment; each pass takes a new snapshot
     * @param target begun with the migrations of the source
     * @param vault with the keys of the target first and those of the source behind them
     */
    public DatabaseCopy(Snapshot source, CopyTarget target, Vault vault) {
        this.source = source;
        this.target = target;
        this.vault = vault;
    }

    /** Is told after each chunk, for a terminal or a log. */
    @FunctionalInterface
    public interface Progress {
        /**
         * A chunk is done.
         *
         * @param table its table
         * @param rows how many rows it has
         * @param bytes their size
         * @param changed whether it was written; false: the target had it
         */
        void chunk(String table, int rows, long bytes, boolean changed);
    }

    /**
     * Copies every table.
     *
     * @return the bytes that were written
     */
    public long run(Progress progress) {
        long[] written = {0};
        for (TableLayout table : source.tables()) {
            source.read(table, chunk -> {
                boolean changed = target.write(table, chunk, vault.reseal());
                written[0] += changed ? chunk.content().length : 0;
                progress.chunk(table.table(), chunk.rows(), chunk.content().length, changed);
            });
        }
        return written[0];
    }

    /**
     * Compares every table of two databases by the count of its rows and the digest of all of them, with secrets
     * opened.
     *
     * @param vault with the keys of both
     * @return a sentence for each table that differs; none when all are the same
     */
    public static List<String> differences(Snapshot sourceSnapshot, Snapshot copySnapshot, Vault vault) {
        List<String> differences = new ArrayList<>();
        for (TableLayout table : sourceSnapshot.tables()) {
            TableDigest sourceDigest = sourceSnapshot.digest(table, vault);
            TableDigest copyDigest = copySnapshot.digest(table, vault);
            if (!sourceDigest.equals(copyDigest)) {
                differences.add("The table " + table.table() + " differs: " + sourceDigest.rows() + " rows of "
                        + sourceDigest.bytes() + " octets, and in the copy " + copyDigest.rows() + " of "
                        + copyDigest.bytes() + ".");
            }
        }
        return differences;
    }
}
