package dev.inboxd.base.page;

import dev.inboxd.base.error.Faults;
import org.jspecify.annotations.Nullable;

/**
 * Page sizes of one kind of list (ruling 5).
 *
 * @param normal size when the request names none
 * @param most the largest page
 * @param clamps whether a larger size is reduced to the largest page instead of refused
 */
public record PageLimit(int normal, int most, boolean clamps) {
    /** A list: 50 by default, reduced to the largest page. */
    public static PageLimit list(int most) {
        return new PageLimit(50, most, true);
    }

    /** A search: 50 by default; a size beyond the largest page is refused. */
    public static PageLimit search(int most) {
        return new PageLimit(50, most, false);
    }

    /** The page size of the query parameter {@code limit}; an invalid one is a fault. */
    public int read(@Nullable String limit, Faults faults) {
        if (limit == null) {
            return normal;
        }
        long number = 0;
        for (int i = 0; i < limit.length(); i++) {
            char digit = limit.charAt(i);
            if (digit < '0' || digit > '9') {
                number = 0;
                break;
            }
            number = Math.min(number * 10 + digit - '0', Integer.MAX_VALUE);
        }
        if (number < 1 || (number > most && !clamps)) {
            faults.add("limit", "limit must be a whole number from 1 to " + most);
            return normal;
        }
        return (int) Math.min(number, most);
    }
}
