package dev.inboxd.base.database.copy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.UUID;

/** The text of a key's column from its binary form, for the types that keys have. */
final class KeyText {
    /** PostgreSQL's epoch. */
    private static final Instant EPOCH = Instant.parse("2000-01-01T00:00:00Z");

    private KeyText() {}

    /**
     * A value as PostgreSQL reads it from a literal.
     *
     * @param type as PostgreSQL names it
     * @param bytes as its {@code send} function writes it
     */
    static String of(String type, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return switch (type) {
            case "uuid" -> new UUID(buffer.getLong(), buffer.getLong()).toString();
            case "text", "name" -> new String(bytes, StandardCharsets.UTF_8);
            case "smallint" -> String.valueOf(buffer.getShort());
            case "integer" -> String.valueOf(buffer.getInt());
            case "bigint" -> String.valueOf(buffer.getLong());
            case "boolean" -> buffer.get() == 0 ? "false" : "true";
            case "bytea" -> "\\x" + HexFormat.of().formatHex(bytes);
            case "date" ->
                LocalDate.EPOCH
                        .plusDays(EPOCH.getEpochSecond()
                                        / ChronoUnit.DAYS.getDuration().toSeconds()
                                + buffer.getInt())
                        .toString();
            case "timestamp with time zone" ->
                EPOCH.plus(buffer.getLong(), ChronoUnit.MICROS).toString();
            default ->
                throw new CopyException(
                        "A primary key has a column of the type " + type + ", which no copy" + " reads.");
        };
    }
}
