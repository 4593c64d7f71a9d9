package dev.inboxd.base.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list. It may be empty and still have a next page.
 *
 * @param items its items
 * @param next token of the next page, or null at the end
 */
public record Slice<T>(List<T> items, @Nullable Cursor next) {
    public Slice {
        items = List.copyOf(items);
    }
}
