package dev.inboxd.base.page;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * End of a page: the sort key of its last row and its tie-breakers, in the order of the {@code ORDER BY}.
 *
 * @param keys the values as texts; read them with the accessor of their original type
 */
public record Cursor(List<String> keys) {
    public Cursor {
        keys = List.copyOf(keys);
    }

    /**
     * The cursor of a row.
     *
     * @param keys Instant (to the microsecond, as in the database), UUID, String, Integer or Long values
     */
    public static Cursor of(Object... keys) {
        List<String> texts = new ArrayList<>(keys.length);
        for (Object key : keys) {
            texts.add(
                    key instanceof Instant at
                            ? Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, at))
                            : key.toString());
        }
        return new Cursor(texts);
    }

    /** The key at that position, which was an Instant. */
    public Instant instant(int position) {
        return Instant.EPOCH.plus(number(position), ChronoUnit.MICROS);
    }

    /** The key at that position, which was a UUID. */
    public UUID uuid(int position) {
        return UUID.fromString(text(position));
    }

    /** The key at that position, which was a number. */
    public long number(int position) {
        return Long.parseLong(text(position));
    }

    /** The key at that position as text. */
    public String text(int position) {
        return keys.get(position);
    }
}
