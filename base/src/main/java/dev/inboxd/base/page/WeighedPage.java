package dev.inboxd.base.page;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * A page of rows of any size: the statement leaves out the rows that begin behind {@link PageRequest#room()}, so that
 * no more is read into memory. The page ends early then, and its token goes on. A first row is always there.
 */
public final class WeighedPage {
    private WeighedPage() {}

    /**
     * The rows of a page.
     *
     * @param total how many rows there were before those without room were left out
     */
    public record Rows<T>(List<T> rows, int total) {
        public Rows {
            rows = List.copyOf(rows);
        }

        /**
         * The rows of a result.
         *
         * @param rows each with the column {@code found}, which is the same in all
         */
        public static <T> Rows<T> of(List<Counted<T>> rows) {
            return new Rows<>(rows.stream().map(Counted::row).toList(), rows.isEmpty() ? 0 : rows.getFirst().total);
        }

        boolean isCut() {
            return rows.size() < total;
        }
    }

    /** A row with the column {@code found}. */
    public record Counted<T>(T row, int total) {}

    /**
     * The SQL of a page's keys, to be joined with the rows themselves where {@code ahead < :room}. Adds the columns
     * {@code weight}, {@code found}, and {@code ahead}, the octets of the rows before. Only the rows of the page are
     * weighed.
     *
     * @param keys a query of the keys, with the page's order and limit
     * @param joined the join of the row to the keys, which are {@code k}
     * @param weight the octets of a row's texts
     * @param order the order of the page, in columns of the keys
     */
    public static String within(String keys, String joined, String weight, String order) {
        return "(select y.*, count(*) over () as found, coalesce(sum(y.weight) over (order by " + order
                + " rows between unbounded preceding and 1 preceding), 0) as ahead from (select k.*, " + weight
                + " as weight from (" + keys + ") as k " + joined + ") as y)";
    }

    /**
     * The first ones that there is room for, one at least.
     *
     * @param weight the octets of the texts of one
     */
    public static <T> List<T> fitting(List<T> all, ToLongFunction<T> weight, long room) {
        long ahead = 0;
        int count = 0;
        while (count < all.size() && ahead < room) {
            ahead += weight.applyAsLong(all.get(count++));
        }
        return all.subList(0, count);
    }
}
