package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.copy.RowReader.CopyRow;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the rows of a table into chunks. Whether a chunk ends behind a row is decided by that row alone: by a digest of
 * its key, against a chance in proportion to its size. So a later copy has the same chunks again but where rows
 * changed, whatever was inserted or deleted before them.
 */
final class ChunkCutter {
    /** The mean size of a chunk, in octets. */
    private static final int USUAL = 1 << 20;
    /** Where a chunk ends in any case. */
    private static final int MOST = 8 << 20;

    private final TableLayout table;
    private final int[] places;
    private final Consumer<RowChunk> sink;
    private final @Nullable UUID organization;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private int rows;
    private boolean isFull;
    private @Nullable RowKey after;
    private @Nullable RowKey first;
    private @Nullable RowKey last;

    /** @param organization whose rows alone they are, or null */
    ChunkCutter(TableLayout table, @Nullable UUID organization, Consumer<RowChunk> sink) {
        this.organization = organization;
        this.table = table;
        this.places = table.keyPlaces();
        this.sink = sink;
    }

    /** Takes the next row. */
    void add(CopyRow row) {
        if (isFull) {
            emit(last);
        }
        RowKey key = key(row);
        if (rows == 0) {
            first = key;
        }
        last = key;
        rows++;
        content.writeBytes(row.bytes());
        isFull = content.size() >= MOST || isBoundary(row);
    }

    /** Ends the table. An empty one has a chunk without rows. */
    void end() {
        emit(null);
    }

    private void emit(@Nullable RowKey upTo) {
        sink.accept(new RowChunk(new KeyRange(after, upTo, organization), first, last, rows, content.toByteArray()));
        after = upTo;
        first = null;
        last = null;
        rows = 0;
        isFull = false;
        content.reset();
    }

    private RowKey key(CopyRow row) {
        List<String> values = new ArrayList<>(places.length);
        for (int i = 0; i < places.length; i++) {
            byte[] value = row.fields().get(places[i]);
            if (value == null) {
                throw new CopyException("A row of " + table.table() + " has no key: the copy is damaged.");
            }
            values.add(KeyText.of(table.key().get(i).type(), value));
        }
        return new RowKey(values);
    }

    private boolean isBoundary(CopyRow row) {
        CRC32C digest = new CRC32C();
        for (int place : places) {
            byte[] value = row.fields().get(place);
            if (value != null) {
                digest.update(value);
            }
        }
        long spread = (digest.getValue() * 0x9E3779B97F4A7C15L) >>> 32; // keys that count up would give regular steps
        return spread < (row.bytes().length * (1L << 32)) / USUAL;
    }
}
