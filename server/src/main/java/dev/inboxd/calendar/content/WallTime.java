package dev.inboxd.calendar.content;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A time on the wall, or a date, as a client writes it (calendar.md §1).
 *
 * @param at the time; midnight of a date
 * @param isDate whether it is a date alone
 */
public record WallTime(LocalDateTime at, boolean isDate) {
    /** Completes the sentence "… must be". */
    public static final String FORM =
            "a time like 2026-10-15T14:00:00 without an offset, or of an all-day event a date like 2026-10-15";

    private static final int DATE = 10;
    private static final int TIME = 19;
    private static final int FIRST_YEAR = 1900;
    private static final int LAST_YEAR = 9999;

    /** Null for any other text, and for years before 1900 or after 9999. */
    public static @Nullable WallTime parse(String text) {
        if (text.length() != DATE && text.length() != TIME) {
            return null;
        }
        try {
            boolean isDate = text.length() == DATE;
            LocalDateTime at = isDate ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text);
            return at.getYear() < FIRST_YEAR || at.getYear() > LAST_YEAR ? null : new WallTime(at, isDate);
        } catch (DateTimeException notOne) {
            return null;
        }
    }

    /** The time of a stored text. */
    public static LocalDateTime stored(Object text) {
        String stored = (String) text;
        return stored.length() == DATE ? LocalDate.parse(stored).atStartOfDay() : LocalDateTime.parse(stored);
    }

    /** As in JSON. */
    public static String format(LocalDateTime at, boolean isDate) {
        return isDate
                ? at.toLocalDate().toString()
                : String.format(
                        Locale.ROOT,
                        "%sT%02d:%02d:%02d",
                        at.toLocalDate(),
                        at.getHour(),
                        at.getMinute(),
                        at.getSecond());
    }
}
