package dev.inboxd.base.database.copy;

import java.util.List;

/**
 * The primary key of a row.
 *
 * @param values its columns in the order of the key, each as PostgreSQL writes it
 */
public record RowKey(List<String> values) {
    public RowKey {
        values = List.copyOf(values);
    }
}
