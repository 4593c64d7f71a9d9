package dev.inboxd.calendar.series;

import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceSection;
import dev.inboxd.mail.recurrence.Slot;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A series as attendees have it (ruling 160): an edit of a date and those that follow, of which they were told, parts
 * it. What is before the date ends there, and the rest is a series of its own, by the UID {@code <uid>-R<date>}. Here
 * it is one event throughout.
 */
public final class SeriesParts {
    private static final String MARK = "-R";

    private final WholeEvent wholeEvent;
    private final NavigableMap<LocalDateTime, Slot> cuts = new TreeMap<>();

    /** The parts of an event; a single event is one. */
    public SeriesParts(WholeEvent wholeEvent) {
        this.wholeEvent = wholeEvent;
        announcedCuts(wholeEvent).forEach(slot -> cuts.put(slot.at(), slot));
        // The first part has the UID of the series, wherever it begins.
        while (!cuts.isEmpty() && section(null, cuts.firstKey()) == null) {
            cuts.pollFirstEntry();
        }
    }

    /** The dates at which attendees were told that the series parts. */
    public static List<Slot> announcedCuts(WholeEvent wholeEvent) {
        return wholeEvent.dates().following().values().stream()
                .filter(edit -> edit.version().sequence() != null)
                .map(DateOverride::slot)
                .toList();
    }

    /**
     * A part.
     *
     * @param cut where it begins, or null for the first
     * @param content what its dates are, at the time of the first
     */
    public record Part(String uid, @Nullable Slot cut, EventContent content, RecurrenceSection section) {
        /** Whether a date of a slot is in it, or behind it. */
        public boolean beginsBy(Slot slot) {
            return cut == null || !cut.at().isAfter(slot.at());
        }
    }

    /** Whether there is more than one. */
    public boolean isParted() {
        return !cuts.isEmpty();
    }

    /** The parts that have dates, in order. */
    public List<Part> list() {
        List<Part> parts = new ArrayList<>();
        LocalDateTime begin = null;
        for (LocalDateTime end : cuts.keySet()) {
            add(parts, begin, end);
            begin = end;
        }
        add(parts, begin, null);
        return parts;
    }

    private void add(List<Part> parts, @Nullable LocalDateTime begin, @Nullable LocalDateTime end) {
        RecurrenceSection section = section(begin, end);
        if (section != null) {
            Slot cut = begin == null ? null : cuts.get(begin);
            EventContent base =
                    wholeEvent.event().content().with((EventRecurrence) null).with(section.first());
            EventContent content = fields(section.first().start()).over(base);
            parts.add(new Part(uid(section.first().start()), cut, content, section));
        }
    }

    private DateFields fields(LocalDateTime start) {
        DateFields fields = DateFields.NONE;
        for (DateOverride edit :
                wholeEvent.dates().following().headMap(start, true).values()) {
            fields = fields.with(edit.fields());
        }
        return fields;
    }

    private @Nullable RecurrenceSection section(@Nullable LocalDateTime begin, @Nullable LocalDateTime end) {
        EventRecurrence recurrence = wholeEvent.event().content().recurrence();
        Recurrence series = recurrence == null
                ? null
                : recurrence.dates(wholeEvent.event().content().time());
        return series == null ? null : RecurrenceSection.of(series, begin, end).orElse(null);
    }

    /** The UID by which attendees know the date of a nominal start. */
    public String uid(LocalDateTime start) {
        Map.Entry<LocalDateTime, Slot> cut = cuts.floorEntry(start);
        String uid = wholeEvent.event().origin().uid();
        return cut == null ? uid : uid(uid, cut.getValue());
    }

    /** The UID of the rest of a series from a date on. */
    public static String uid(String uid, Slot cut) {
        return uid + MARK + cut.toString().substring(1);
    }

    /**
     * What a UID of mail says of a series here.
     *
     * @param uid of the series
     * @param cut where the part begins that is meant
     */
    public record Name(String uid, Slot cut) {}

    /** The series and the part that a UID names; null for one of another form. */
    public static @Nullable Name named(String uid) {
        int mark = uid.lastIndexOf(MARK);
        String date = mark < 0 ? "" : uid.substring(mark + MARK.length());
        Slot slot = Slot.parse((date.indexOf('T') < 0 ? "d" : "t") + date);
        return slot == null ? null : new Name(uid.substring(0, mark), slot);
    }
}
