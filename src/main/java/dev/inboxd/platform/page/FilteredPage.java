package dev.inboxd.platform.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fills a page of a list from rows of which perhaps few are wanted. It reads window by window, first small ones and
 * then larger ones, so that no statement reads without end; and when many shown rows went by, the page ends early,
 * empty even, with a token that goes on behind them (mail.md §1.5). Rows that are hidden from the caller end no page:
 * otherwise their number would show (promise P11).
 */
public final class FilteredPage {
    private static final int LEAST_WINDOW = 200;
    private static final int GROWTH = 5;
    private static final int LARGEST_WINDOW = 5_000;
    private static final int MOST_SHOWN = 100_000;
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    private FilteredPage() {}

    /**
     * A stretch of the list to look through.
     *
     * @param after where it begins, or null for the start of the list
     * @param rows how many rows it has at most
     * @param wanted how many of them are needed at most
     */
    public record Window(@Nullable Cursor after, int rows, int wanted) {}

    /**
     * What a window held.
     *
     * @param rows those that the list wants, in its order
     * @param seen how many rows the window had
     * @param shown how many of them the caller may see, wanted or not
     * @param reached where the window ended, or null when it had no rows
     * @param full whether the page has no room for the row behind the last of {@code rows}
     */
    public record WindowResult<T>(
            List<T> rows, int seen, int shown, @Nullable Cursor reached, boolean full) {
        public WindowResult {
            rows = List.copyOf(rows);
        }

        /** What a window held of a list whose pages have room for any rows. */
        public WindowResult(List<T> rows, int seen, int shown, @Nullable Cursor reached) {
            this(rows, seen, shown, reached, false);
        }
    }

    /**
     * Fills the page.
     *
     * @param look reads a window
     * @param place the sort key of a row
     */
    public static <T> Slice<T> fill(
            PageRequest page, Function<Window, WindowResult<T>> look, Function<T, Cursor> place) {
        List<T> found = new ArrayList<>();
        Cursor from = page.after();
        int rows = Math.max(LEAST_WINDOW, page.fetch());
        int shown = 0;
        long began = System.nanoTime();
        while (true) {
            WindowResult<T> caught = look.apply(new Window(from, rows, page.fetch() - found.size()));
            found.addAll(caught.rows);
            if (found.size() == page.fetch()) {
                return page.slice(found, place);
            }
            if (caught.full) {
                return new Slice<>(found, found.isEmpty() ? from : place.apply(found.getLast()));
            }
            if (caught.seen < rows) {
                return new Slice<>(found, null);
            }
            shown += caught.shown;
            from = caught.reached;
            if (shown >= MOST_SHOWN || (shown > 0 && System.nanoTime() - began > PATIENCE)) {
                return new Slice<>(found, from);
            }
            rows = Math.min(rows * GROWTH, LARGEST_WINDOW);
        }
    }
}
