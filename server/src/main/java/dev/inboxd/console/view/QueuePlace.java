package dev.inboxd.console.view;

import java.util.List;

/**
 * Where something stands in the row of what waits.
 *
 * @param items all of them
 * @param index its own; -1 when it waits no longer, or behind what the row has
 * @param isMore whether more wait than the row has
 */
public record QueuePlace(List<WaitingItem> items, int index, boolean isMore) {
    public QueuePlace {
        items = List.copyOf(items);
    }

    /** {@code 1 of 7}; empty for what is not in the row. */
    public String words() {
        return index < 0 ? "" : index + 1 + " of " + items.size() + (isMore ? "+" : "");
    }

    /** Those beside it, by the words for them; none where it is alone. */
    public List<WaitingItem> next() {
        return index < 0
                ? items.stream().limit(1).toList()
                : items.stream().skip(index + 1L).limit(1).toList();
    }

    /** The one before it, if there is one. */
    public List<WaitingItem> previous() {
        return index < 1 ? List.of() : List.of(items.get(index - 1));
    }
}
