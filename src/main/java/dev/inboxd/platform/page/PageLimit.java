package dev.inboxd.platform.page;

import dev.inboxd.platform.error.Faults;
import org.jspecify.annotations.Nullable;

/**
 * How many items one kind of list gives at a time (ruling 5).
 *
 * @param normal when the request names no number
 * @param most the largest page
 * @param clamps whether a larger number is cut to the largest page instead of refused
 */
public record PageLimit(int normal, int most, boolean clamps) {
    /** A list: 50 normally, cut at the largest page. */
    public static PageLimit list(int most) {
        return new PageLimit(50, most, true);
    }

    /** A search: 50 normally, a larger number than the largest page is refused. */
    public static PageLimit search(int most) {
        return new PageLimit(50, most, false);
    }

    /** The page size that the query parameter {@code limit} asks for; what is wrong with it is noted. */
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
