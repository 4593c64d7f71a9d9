package dev.inboxd.calendar.content;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A window of time: from {@code after} on, and before {@code before}.
 *
 * @param running whether what began before it and still runs is in it
 */
public record AgendaWindow(Instant after, Instant before, boolean running) {
    /** How many dates a window may hold. */
    public static final int MOST = 10_000;

    private static final Duration USUAL = Duration.ofDays(90);
    private static final Duration LONGEST = Duration.ofDays(366);

    /** Whether something takes place in it, or runs into it. */
    public boolean holds(EventTime time) {
        Instant start = time.startAt();
        return start.isBefore(before)
                && (!start.isBefore(after) || (running && time.endAt().isAfter(after)));
    }

    /** The parameters of a window, before the page is known. */
    public record WindowParameters(
            @Nullable Instant after, @Nullable Instant before, boolean running) {
        /** Reads them; faults are collected in the query. */
        public static WindowParameters read(Query query) {
            return new WindowParameters(
                    instant(query, "after"), instant(query, "before"), query.flag("include_overlapping", true));
        }

        private static @Nullable Instant instant(Query query, String name) {
            String text = query.text(name);
            Instant at = text == null || !text.endsWith("Z") ? null : Timestamps.parse(text);
            if (text != null && at == null) {
                String expected = "a time in UTC like 2026-01-31T12:00:00Z";
                query.fault(name, name + " must be " + expected, Fault.Code.INVALID_FORMAT, expected);
            }
            return at;
        }

        /**
         * The window.
         *
         * @param page the end of the page before, which keeps the window; null for the first page
         * @throws Problem {@code validation_error} or {@code query_range_too_wide}
         */
        public AgendaWindow window(@Nullable Cursor page, Instant now) {
            if (page != null) {
                return new AgendaWindow(page.instant(0), page.instant(1), running);
            }
            // A token keeps microseconds.
            Instant from = (after == null ? now : after).truncatedTo(ChronoUnit.MICROS);
            Instant until = before == null ? from.plus(USUAL) : before.truncatedTo(ChronoUnit.MICROS);
            if (!from.isBefore(until)) {
                throw Problem.invalid("before", "before must be later than after, which is now when it is left out");
            }
            if (until.isAfter(from.plus(LONGEST))) {
                throw tooWide("A range is at most " + LONGEST.toDays() + " days");
            }
            return new AgendaWindow(from, until, running);
        }
    }

    public static Problem tooWide(String message) {
        return Problem.of(ErrorCode.QUERY_RANGE_TOO_WIDE, message, "Ask for a shorter range.");
    }
}
