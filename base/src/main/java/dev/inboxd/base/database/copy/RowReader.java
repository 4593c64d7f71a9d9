package dev.inboxd.base.database.copy;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows in the binary form of COPY: the number of fields, and each with its length before it, or -1 for null. All
 * numbers are big-endian.
 */
final class RowReader {
    static final int NULL = -1;
    /** Before the first row; the flags and the length of an extension, both 0, follow. */
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0};

    private final DataInputStream in;
    private final int width;
    private final Row row;

    /**
     * A row.
     *
     * @param bytes as COPY writes it
     * @param fields without their lengths
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record CopyRow(byte[] bytes, List<byte @Nullable []> fields) {}

    private static final class Row extends ByteArrayOutputStream {
        void number(int value, int octets) {
            for (int shift = 8 * (octets - 1); shift >= 0; shift -= 8) {
                write(value >>> shift);
            }
        }
    }

    /** @param width how many fields each row has */
    RowReader(InputStream in, int width) {
        this.in = new DataInputStream(in);
        this.width = width;
        this.row = new Row();
    }

    /** What stands before the rows for COPY. */
    static byte[] head() {
        return Arrays.copyOf(SIGNATURE, SIGNATURE.length + 2 * Integer.BYTES);
    }

    /** What stands behind them. */
    static byte[] end() {
        return new byte[] {-1, -1};
    }

    /** Reads what stands before the rows. */
    void skipHead() throws IOException {
        byte[] head = in.readNBytes(head().length);
        if (!Arrays.equals(head, head())) {
            throw new CopyException("The database does not write rows as every PostgreSQL does.");
        }
    }

    /** The next row; null behind the last one. */
    @Nullable
    CopyRow next() throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        int fields = (short) (first << 8 | in.readUnsignedByte());
        if (fields == NULL) {
            return null;
        }
        if (fields != width) {
            throw new CopyException("A row has " + fields + " columns and not " + width + ": the copy is damaged.");
        }
        row.reset();
        row.number(fields, Short.BYTES);
        List<byte @Nullable []> read = new ArrayList<>(fields);
        for (int i = 0; i < fields; i++) {
            read.add(field());
        }
        return new CopyRow(row.toByteArray(), read);
    }

    private byte @Nullable [] field() throws IOException {
        int length = in.readInt();
        row.number(length, Integer.BYTES);
        if (length == NULL) {
            return null;
        }
        if (length < 0) {
            throw new CopyException("A column has a negative length: the copy is damaged.");
        }
        byte[] value = in.readNBytes(length);
        if (value.length < length) {
            throw new EOFException("a row ends in the middle");
        }
        row.writeBytes(value);
        return value;
    }

    /** A row of other fields, as COPY writes it. */
    static byte[] bytes(List<byte @Nullable []> fields) {
        Row written = new Row();
        written.number(fields.size(), Short.BYTES);
        for (byte[] field : fields) {
            written.number(field == null ? NULL : field.length, Integer.BYTES);
            if (field != null) {
                written.writeBytes(field);
            }
        }
        return written.toByteArray();
    }
}
