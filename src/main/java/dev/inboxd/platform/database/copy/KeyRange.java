package dev.inboxd.platform.database.copy;

import org.jspecify.annotations.Nullable;

/**
 * Rows that follow one another by their primary key. The ranges of a table's chunks leave no gap, so that a row that is
 * gone in the source goes in a target as well.
 *
 * @param after the last key before them; null: from the beginning
 * @param upTo the last key in the range; null: to the end
 */
public record KeyRange(@Nullable RowKey after, @Nullable RowKey upTo) {
    /** The whole table. */
    public static final KeyRange ALL = new KeyRange(null, null);
}
