package dev.inboxd.platform.page;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list. It may be empty and still have a next one.
 *
 * @param items what is on it
 * @param next where the next page goes on, or null at the end
 */
public record Slice<T>(List<T> items, @Nullable Cursor next) {
    public Slice {
        items = List.copyOf(items);
    }
}
