package dev.inboxd.calendar.intake;

import dev.inboxd.calendar.series.EarlyCancelSql.EarlyCancel;
import dev.inboxd.calendar.series.RecurrenceName;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.ZoneId;
import java.util.List;

/** The cancellations of an organizer that came before the event (ruling 157). */
final class EarlyCancels {
    private final List<EarlyCancel> all;

    /** @param organizer whose cancellations count */
    EarlyCancels(List<EarlyCancel> all, String organizer) {
        this.all = all.stream()
                .filter(cancel -> cancel.organizer().equalsIgnoreCase(organizer))
                .toList();
    }

    /** What is kept of a cancellation. */
    static EarlyCancel of(ReadEvent event, String organizer) {
        EventTime date = event.recurrenceId();
        return new EarlyCancel(
                event.uid(),
                date == null ? "" : RecurrenceName.of(date),
                organizer,
                event.sequence(),
                ImportedContent.stamp(event));
    }

    /** Whether an event or a date was cancelled by itself, or as a whole. */
    boolean isCancelled(ReadEvent event) {
        return all.stream().anyMatch(cancel -> isOf(cancel, event) && isAbove(cancel, event));
    }

    private static boolean isOf(EarlyCancel cancel, ReadEvent event) {
        EventTime date = event.recurrenceId();
        ZoneId zone = event.time() == null ? ZoneId.of("UTC") : event.time().zone();
        return cancel.recurrenceId().isEmpty()
                || (date != null && RecurrenceName.isSame(cancel.recurrenceId(), RecurrenceName.of(date), zone));
    }

    /** Whether what is cancelled is not newer than the cancellation. */
    private static boolean isAbove(EarlyCancel cancel, ReadEvent event) {
        return event.sequence() < cancel.sequence()
                || (event.sequence() == cancel.sequence()
                        && !ImportedContent.stamp(event).isAfter(cancel.stamp()));
    }

    /** The cancellations of dates of a series. */
    List<EarlyCancel> dates(ReadEvent series) {
        return all.stream()
                .filter(cancel -> !cancel.recurrenceId().isEmpty() && isAbove(cancel, series))
                .toList();
    }
}
