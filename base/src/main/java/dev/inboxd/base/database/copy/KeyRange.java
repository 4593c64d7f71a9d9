package dev.inboxd.base.database.copy;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows that follow one another by their primary key. The ranges of a table's chunks leave no gap, so that a row that is
 * gone in the source goes in a target as well.
 *
 * @param after the last key before them; null: from the beginning
 * @param upTo the last key in the range; null: to the end
 * @param organization whose rows alone they are; null: those of all
 */
public record KeyRange(
        @Nullable RowKey after,
        @Nullable RowKey upTo,
        @Nullable UUID organization) {
    /** The whole table. */
    public static final KeyRange ALL = new KeyRange(null, null);

    /** A range of the rows of all organizations. */
    public KeyRange(@Nullable RowKey after, @Nullable RowKey upTo) {
        this(after, upTo, null);
    }

    /** All rows of one organization. */
    static KeyRange of(@Nullable UUID organization) {
        return new KeyRange(null, null, organization);
    }
}
