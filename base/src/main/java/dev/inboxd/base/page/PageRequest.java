package dev.inboxd.base.page;

import dev.inboxd.base.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requested page of a list. The statement reads {@link #fetch()} rows behind {@link #after()} in the direction of
 * {@link #ascending()}; {@link #slice} turns them into the page.
 *
 * @param limit maximum number of items
 * @param ascending oldest first
 * @param after end of the previous page, or null for the first page
 * @param next seals the end of this page
 */
public record PageRequest(
        int limit, boolean ascending, @Nullable Cursor after, Function<Cursor, String> next) {
    /** Octets of texts for each item that a page may have, if its items were all as large. */
    private static final int ROOM_OF_ITEM = 4 * 1024;

    private static final int LEAST_ROOM = 64 * 1024;

    /** Rows to read: one more than the page holds, to find out whether another page follows. */
    public int fetch() {
        return limit + 1;
    }

    /** Octets of texts that the page may have; it ends early when its rows have more, and has one row at least. */
    public long room() {
        return Math.max((long) limit * ROOM_OF_ITEM, LEAST_ROOM);
    }

    /**
     * Turns rows that were read within {@link #room()} into a page (see {@link WeighedPage}).
     *
     * @param rows in the order of the list
     * @param place sort key of a row
     */
    public <T> Slice<T> slice(WeighedPage.Rows<T> rows, Function<T, Cursor> place) {
        return rows.isCut() ? new Slice<>(rows.rows(), place.apply(rows.rows().getLast())) : slice(rows.rows(), place);
    }

    /**
     * Turns rows into a page.
     *
     * @param rows at most {@link #fetch()} of them, in the order of the list
     * @param place sort key of a row
     */
    public <T> Slice<T> slice(List<T> rows, Function<T, Cursor> place) {
        if (rows.size() <= limit) {
            return new Slice<>(rows, null);
        }
        return new Slice<>(rows.subList(0, limit), place.apply(rows.get(limit - 1)));
    }

    /**
     * The answer to a list request.
     *
     * @param name the member that holds the items
     * @param slice the page
     * @param json the JSON form of an item
     */
    public <T> JsonObject listing(String name, Slice<T> slice, Function<T, ?> json) {
        List<Object> items = new ArrayList<>(slice.items().size());
        for (T item : slice.items()) {
            items.add(json.apply(item));
        }
        Cursor end = slice.next();
        return JsonObject.of("count", items.size())
                .with("limit", limit)
                .with("next_page_token", end == null ? null : next.apply(end))
                .with(name, items);
    }
}
