package dev.inboxd.base.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pages of lists in which few rows are wanted. */
class FilteredPageTest {
    private final List<Integer> windows = new ArrayList<>();

    @Test
    @Proves("P20")
    void aWalkGivesEveryWantedRowOnceAndInOrder() {
        List<Long> walked = new ArrayList<>();
        Cursor after = null;
        do {
            Slice<Long> slice = fill(10, 3_000, after, row -> true, row -> row % 7 == 0);
            walked.addAll(slice.items());
            after = slice.next();
        } while (after != null);
        assertThat(walked).hasSize(428).isSorted().doesNotHaveDuplicates().allMatch(row -> row % 7 == 0);
    }

    @Test
    void whereManyRowsGoByUnwantedThePageEndsEarlyAndGoesOnBehindThem() {
        Slice<Long> slice = fill(10, 1_000_000, null, row -> true, row -> row == 5 || row == 999_999);
        assertThat(slice.items()).containsExactly(5L);
        assertThat(Objects.requireNonNull(slice.next()).number(0)).isBetween(100_000L, 110_000L);
        assertThat(windows).allMatch(rows -> rows <= 5_000);
    }

    @Test
    @Proves("P11")
    void hiddenRowsEndNoPage() {
        Slice<Long> slice = fill(10, 300_000, null, row -> row > 250_000, row -> true);
        assertThat(slice.items()).startsWith(250_001L).hasSize(10);
        assertThat(fill(10, 300_000, null, row -> false, row -> true)).isEqualTo(new Slice<Long>(List.of(), null));
    }

    @Test
    void aFullPageReadsLittle() {
        Slice<Long> slice = fill(50, 1_000_000, null, row -> true, row -> true);
        assertThat(slice.items()).hasSize(50);
        assertThat(windows).containsExactly(200);
    }

    private Slice<Long> fill(int limit, long rows, @Nullable Cursor after, LongPredicate shown, LongPredicate wanted) {
        windows.clear();
        PageRequest page = new PageRequest(limit, true, after, Cursor::toString);
        return FilteredPage.fill(page, window -> caught(rows, window, shown, wanted), Cursor::of);
    }

    private FilteredPage.WindowResult<Long> caught(
            long rows, FilteredPage.Window window, LongPredicate shown, LongPredicate wanted) {
        windows.add(window.rows());
        Cursor after = window.after();
        long first = after == null ? 1 : after.number(0) + 1;
        long last = Math.min(rows, first + window.rows() - 1);
        List<Long> found = new ArrayList<>();
        int seen = 0;
        for (long row = first; row <= last; row++) {
            seen += shown.test(row) ? 1 : 0;
            if (shown.test(row) && wanted.test(row) && found.size() < window.remaining()) {
                found.add(row);
            }
        }
        return new FilteredPage.WindowResult<>(
                found, (int) (last - first + 1), seen, last < first ? null : Cursor.of(last));
    }
}
