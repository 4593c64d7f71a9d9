package dev.inboxd.base.database.value;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Arrays in the protocol's binary form ({@code array_send} of PostgreSQL), for types whose arrays the driver sends as
 * text only. Writing and parsing such a text would take time while an organization's clock row is locked.
 */
final class BinaryArray {
    /** PostgreSQL's epoch for times. */
    private static final long EPOCH = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();

    private static final int HEAD = 5 * Integer.BYTES;
    private static final int NULL = -1;

    private static final ElementType<UUID> UUIDS = new ElementType<>(
            Oid.UUID_ARRAY,
            Oid.UUID,
            2 * Long.BYTES,
            (bytes, id) -> bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));

    private static final ElementType<Instant> TIMES = new ElementType<>(
            Oid.TIMESTAMPTZ_ARRAY,
            Oid.TIMESTAMPTZ,
            Long.BYTES,
            (bytes, time) -> bytes.putLong(microseconds(time.plusNanos(500))));

    private BinaryArray() {}

    /**
     * A type of elements that all have one size.
     *
     * @param size octets of an element
     */
    private record ElementType<T>(int arrayOid, int oid, int size, BiConsumer<ByteBuffer, T> writer) {}

    /** A {@code uuid[]}. */
    static Array of(Connection connection, @Nullable UUID[] ids) throws SQLException {
        return of(connection, UUIDS, ids);
    }

    /** A {@code timestamptz[]}, rounded to microseconds. */
    static Array of(Connection connection, @Nullable Instant[] times) throws SQLException {
        return of(connection, TIMES, times);
    }

    private static long microseconds(Instant time) {
        return Math.multiplyExact(time.getEpochSecond() - EPOCH, 1_000_000L) + time.getNano() / 1_000;
    }

    private static <T> Array of(Connection connection, ElementType<T> type, @Nullable T[] elements)
            throws SQLException {
        int present = (int) Arrays.stream(elements).filter(Objects::nonNull).count();
        ByteBuffer bytes = ByteBuffer.allocate(HEAD + elements.length * Integer.BYTES + present * type.size);
        bytes.putInt(1)
                .putInt(present < elements.length ? 1 : 0)
                .putInt(type.oid); // dimensions, then the flag for nulls
        bytes.putInt(elements.length).putInt(1); // and the index of the first element
        for (T element : elements) {
            if (element == null) {
                bytes.putInt(NULL);
            } else {
                bytes.putInt(type.size);
                type.writer.accept(bytes, element);
            }
        }
        return new PgArray(connection.unwrap(BaseConnection.class), type.arrayOid, bytes.array());
    }
}
