package dev.inboxd.calendar.content;

import java.time.DateTimeException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Lengths in the form of RFC 5545 §3.3.6, which is that of ISO 8601 without years and months. */
public final class IsoDuration {
    private static final int LONGEST = 32;
    private static final int DAYS = 7;

    private IsoDuration() {}

    /** The length, or null for any other text and for what is not longer than nothing. */
    public static @Nullable Duration parse(String text) {
        if (text.length() > LONGEST || !text.startsWith("P") || text.indexOf('-') >= 0 || text.indexOf('+') >= 0) {
            return null;
        }
        try {
            Duration length = text.endsWith("W")
                    ? Duration.ofDays(Math.multiplyExact(DAYS, Integer.parseInt(text.substring(1, text.length() - 1))))
                    : Duration.parse(text);
            return length.isPositive() && length.equals(Duration.ofSeconds(length.toSeconds())) ? length : null;
        } catch (DateTimeException | NumberFormatException | ArithmeticException notOne) {
            return null;
        }
    }

    public static Duration stored(String text) {
        Duration length = parse(text);
        if (length == null) {
            throw new IllegalStateException("a stored length cannot be read");
        }
        return length;
    }
}
