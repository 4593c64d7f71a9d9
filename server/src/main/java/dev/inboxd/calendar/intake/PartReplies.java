package dev.inboxd.calendar.intake;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.event.DateChange;
import dev.inboxd.calendar.event.DateUpdates;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.SeriesParts;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.recurrence.Slot;
import java.time.LocalDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who is invited to the parts of a series that attendees have as series of their own (ruling 160). */
final class PartReplies {
    private PartReplies() {}

    /** The edit with which a part begins; null when attendees were told of none there. */
    static @Nullable DateOverride edit(WholeEvent wholeEvent, Slot cut) {
        DateOverride edit = wholeEvent.dates().following().get(cut.at());
        return edit == null || edit.version().sequence() == null || !edit.slot().equals(cut) ? null : edit;
    }

    /** Who is invited to the dates from a nominal start on. */
    static Guests guests(WholeEvent wholeEvent, LocalDateTime start) {
        DateFields fields = DateFields.NONE;
        for (DateOverride edit :
                wholeEvent.dates().following().headMap(start, true).values()) {
            fields = fields.with(edit.fields());
        }
        return fields.over(wholeEvent.event().content()).guests();
    }

    /** Lets the part behind a start keep its attendees, when those of the part before are changed. */
    static void keepNext(CalendarTx change, WholeEvent wholeEvent, @Nullable LocalDateTime start) {
        for (Map.Entry<LocalDateTime, DateOverride> next :
                wholeEvent.dates().following().entrySet()) {
            boolean isBehind = start == null || next.getKey().isAfter(start);
            if (isBehind
                    && SeriesParts.announcedCuts(wholeEvent)
                            .contains(next.getValue().slot())) {
                if (!next.getValue().fields().hasGuests()) {
                    put(change, wholeEvent, next.getValue(), guests(wholeEvent, next.getKey()));
                }
                return;
            }
        }
    }

    /** Stores who is invited to a part. */
    static void put(CalendarTx change, WholeEvent wholeEvent, DateOverride edit, Guests guests) {
        DateUpdates.put(
                change,
                wholeEvent,
                new DateOverride(
                        edit.slot(),
                        true,
                        DateUpdates.over(edit, new DateFields(DateChange.of(guests))),
                        edit.pinned(),
                        edit.version().changed(edit.version().sequence(), change.operation(), change.now())));
    }
}
