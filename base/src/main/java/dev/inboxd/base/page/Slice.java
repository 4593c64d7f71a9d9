package dev.inboxd.base.page;

import java.util.List;
import java.util.function.Function;
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

    /** The same page with something else for each item. */
    public <R> Slice<R> map(Function<T, R> mapper) {
        return new Slice<>(items.stream().map(mapper).toList(), next);
    }
}
