package dev.inboxd.base.database;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One row of a result, read by column name. A plain reader expects a value; an {@code OrNull} reader accepts null. */
public final class Row {
    private final ResultSet result;

    Row(ResultSet result) {
        this.result = result;
    }

    /** Maps a row to an object. */
    @FunctionalInterface
    public interface Mapper<T> {
        /** Reads the row, and must not store it. */
        T map(Row row);
    }

    /** A uuid. */
    public UUID uuid(String column) {
        return Objects.requireNonNull(uuidOrNull(column), column);
    }

    /** A uuid, or null. */
    public @Nullable UUID uuidOrNull(String column) {
        return read(() -> result.getObject(column, UUID.class));
    }

    /** A text. */
    public String text(String column) {
        return Objects.requireNonNull(textOrNull(column), column);
    }

    /** A text, or null. */
    public @Nullable String textOrNull(String column) {
        return read(() -> result.getString(column));
    }

    /** A point in time, with microseconds. */
    public Instant instant(String column) {
        return Objects.requireNonNull(instantOrNull(column), column);
    }

    /** A point in time, or null. */
    public @Nullable Instant instantOrNull(String column) {
        OffsetDateTime time = read(() -> result.getObject(column, OffsetDateTime.class));
        return time == null ? null : time.toInstant();
    }

    /** A 32-bit number; null reads as 0. */
    public int integer(String column) {
        return Objects.requireNonNull(read(() -> result.getInt(column)));
    }

    /** A 32-bit number, or null. */
    public @Nullable Integer integerOrNull(String column) {
        return read(() -> result.getObject(column, Integer.class));
    }

    /** A 64-bit number; null reads as 0. */
    public long longer(String column) {
        return Objects.requireNonNull(read(() -> result.getLong(column)));
    }

    /** A 64-bit number, or null. */
    public @Nullable Long longerOrNull(String column) {
        return read(() -> result.getObject(column, Long.class));
    }

    /** A boolean; null reads as false. */
    public boolean flag(String column) {
        return Objects.requireNonNull(read(() -> result.getBoolean(column)));
    }

    /** A boolean, or null. */
    public @Nullable Boolean flagOrNull(String column) {
        return read(() -> result.getObject(column, Boolean.class));
    }

    /** Bytes. */
    public byte[] bytes(String column) {
        return Objects.requireNonNull(bytesOrNull(column), column);
    }

    /** Bytes, or null. */
    public byte @Nullable [] bytesOrNull(String column) {
        return read(() -> result.getBytes(column));
    }

    /** A {@code text[]}; null reads as empty. */
    public List<String> texts(String column) {
        Array array = read(() -> result.getArray(column));
        return array == null ? List.of() : List.of((String[]) Objects.requireNonNull(read(array::getArray)));
    }

    /** A {@code uuid[]}; null reads as empty. */
    public List<UUID> uuids(String column) {
        Array array = read(() -> result.getArray(column));
        return array == null ? List.of() : List.of((UUID[]) Objects.requireNonNull(read(array::getArray)));
    }

    private interface Reading<T> {
        @Nullable
        T read() throws SQLException;
    }

    private static <T> @Nullable T read(Reading<T> reading) {
        try {
            return reading.read();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }
}
