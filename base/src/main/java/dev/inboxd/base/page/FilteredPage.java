package dev.inboxd.base.page;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fills a page of a list when perhaps few rows match its filter. It reads window by window, small ones first and then
 * larger ones, so that no statement reads without bound. After many visible rows the page ends early, even empty, with
 * a token for the rest (mail.md §1.5). Rows that are hidden from the caller end no page: otherwise their number would
 * leak (promise P11).
 */
public final class FilteredPage {
    private static final int LEAST_WINDOW = 200;
    private static final int GROWTH = 5;
    private static final int LARGEST_WINDOW = 5_000;
    private static final int MOST_SHOWN = 100_000;
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    private FilteredPage() {}

    /**
     * A window of the list to read.
     *
     * @param after where it begins, or null for the start of the list
     * @param rows maximum number of rows of the window
     * @param remaining maximum number of matching rows that the page still needs
     */
    public record Window(@Nullable Cursor after, int rows, int remaining) {}

    /**
     * The result of reading a window.
     *
     * @param rows the matching rows, in the order of the list
     * @param rowsRead rows of the window
     * @param shown rows that the caller may see, matching or not
     * @param reached end of the window, or null when it had no rows
     * @param full whether the page has no room for the row behind the last of {@code rows}
     */
    public record WindowResult<T>(
            List<T> rows, int rowsRead, int shown, @Nullable Cursor reached, boolean full) {
        public WindowResult {
            rows = List.copyOf(rows);
        }

        /** The result for a list whose pages have no other limit than a number of rows. */
        public WindowResult(List<T> rows, int rowsRead, int shown, @Nullable Cursor reached) {
            this(rows, rowsRead, shown, reached, false);
        }
    }

    /**
     * Fills the page.
     *
     * @param read reads a window
     * @param place sort key of a row
     */
    public static <T> Slice<T> fill(
            PageRequest page, Function<Window, WindowResult<T>> read, Function<T, Cursor> place) {
        List<T> matches = new ArrayList<>();
        Cursor from = page.after();
        int rows = Math.max(LEAST_WINDOW, page.fetch());
        int shown = 0;
        long began = System.nanoTime();
        while (true) {
            WindowResult<T> result = read.apply(new Window(from, rows, page.fetch() - matches.size()));
            matches.addAll(result.rows);
            if (matches.size() == page.fetch()) {
                return page.slice(matches, place);
            }
            if (result.full) {
                return new Slice<>(matches, matches.isEmpty() ? from : place.apply(matches.getLast()));
            }
            if (result.rowsRead < rows) {
                return new Slice<>(matches, null);
            }
            shown += result.shown;
            from = result.reached;
            if (shown >= MOST_SHOWN || (shown > 0 && System.nanoTime() - began > PATIENCE)) {
                return new Slice<>(matches, from);
            }
            rows = Math.min(rows * GROWTH, LARGEST_WINDOW);
        }
    }
}
