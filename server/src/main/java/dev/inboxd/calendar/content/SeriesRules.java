package dev.inboxd.calendar.content;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.recurrence.Recurrence;
import java.util.List;

/** What a recurrence must be (ruling 68). */
public final class SeriesRules {
    private SeriesRules() {}

    /**
     * Checks the recurrence of an event that has one, in this order.
     *
     * @throws Problem {@code materialization_failed} for a series without a date, {@code validation_error} when the
     *     first date is not its start, {@code recurrence_density_limit}
     */
    public static void check(EventContent content) {
        if (content.recurrence() == null) {
            return;
        }
        Recurrence dates = content.recurrence().dates(content.time());
        if (!dates.hasDates()) {
            throw Problem.of(
                    ErrorCode.MATERIALIZATION_FAILED,
                    "The recurrence makes no date within 50 years",
                    "Correct the rule, or take fewer dates out.");
        }
        if (!dates.makesStart()) {
            throw Problem.invalid(List.of(new Fault(
                    List.of("recurrence", "rule"),
                    "The rule must make the start of the event: start is not among its dates")));
        }
        if (dates.isTooDense()) {
            throw Problem.of(
                    ErrorCode.RECURRENCE_DENSITY_LIMIT,
                    "The series has more than " + Recurrence.MOST_IN_90_DAYS + " dates within 90 days",
                    "Use a larger INTERVAL or fewer BY parts, or make several series.");
        }
    }
}
