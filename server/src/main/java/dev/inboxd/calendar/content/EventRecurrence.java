package dev.inboxd.calendar.content;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an event recurs, as it is stored and shown.
 *
 * @param rule the rule in its normal form
 * @param exdates nominal starts that are taken out
 * @param rdates further dates
 * @param truncateBefore the nominal start from which on there are no dates, or null
 */
public record EventRecurrence(
        String rule,
        List<LocalDateTime> exdates,
        List<AddedTime> rdates,
        @Nullable LocalDateTime truncateBefore) {
    public EventRecurrence {
        exdates = List.copyOf(exdates);
        rdates = List.copyOf(rdates);
    }

    /**
     * A further date.
     *
     * @param end its end, when it was given one
     * @param duration its length in the form of ISO 8601, when it was given one
     */
    public record AddedTime(
            LocalDateTime start,
            @Nullable LocalDateTime end,
            @Nullable String duration) {
        public Object json(boolean allDay) {
            String from = WallTime.format(start, allDay);
            return end == null && duration == null
                    ? from
                    : JsonObject.of("start", from)
                            .with("end", end == null ? null : WallTime.format(end, allDay))
                            .with("duration", duration);
        }

        static AddedTime stored(Object row) {
            if (!(row instanceof Map<?, ?> object)) {
                return new AddedTime(WallTime.stored(row), null, null);
            }
            Object end = object.get("end");
            return new AddedTime(
                    WallTime.stored(Objects.requireNonNull(object.get("start"))),
                    end == null ? null : WallTime.stored(end),
                    (String) object.get("duration"));
        }

        private Recurrence.AddedDate date(EventTime series) {
            LocalDateTime own = end;
            if (own == null && duration != null) {
                own = start.plus(IsoDuration.stored(duration));
            }
            return new Recurrence.AddedDate(
                    start,
                    own == null ? null : new EventTime(series.allDay(), start, own, series.zone(), series.mode()));
        }
    }

    /** The dates of this recurrence of an event that takes place at that time first. */
    public Recurrence dates(EventTime first) {
        try {
            return new Recurrence(
                    first,
                    RecurrenceRule.parse(rule, first.allDay(), true),
                    new HashSet<>(exdates),
                    rdates.stream().map(rdate -> rdate.date(first)).toList(),
                    truncateBefore);
        } catch (RuleSyntaxException impossible) {
            throw new IllegalStateException("a stored rule cannot be read", impossible);
        }
    }

    /** The same with a date taken out. */
    public EventRecurrence without(Slot slot) {
        List<LocalDateTime> more = new ArrayList<>(exdates);
        if (!more.contains(slot.at())) {
            more.add(slot.at());
        }
        return new EventRecurrence(rule, more, rdates, truncateBefore);
    }

    /** The same without the dates from a nominal start on. */
    public EventRecurrence endingBefore(LocalDateTime start) {
        return new EventRecurrence(rule, exdates, rdates, start);
    }

    /** The same for an event that was moved: what is taken out moves along. */
    public EventRecurrence shifted(Duration by, boolean toDates) {
        return new EventRecurrence(
                rule,
                exdates.stream().map(exdate -> moved(exdate, by, toDates)).toList(),
                rdates,
                truncateBefore == null ? null : moved(truncateBefore, by, toDates));
    }

    /** The same of an event that became all-day or got times: its further dates are of that form too. */
    public EventRecurrence withRule(String newRule, Duration by, boolean toDates) {
        List<AddedTime> moved = rdates.stream()
                .map(rdate -> new AddedTime(moved(rdate.start, by, toDates), null, null))
                .toList();
        return new EventRecurrence(newRule, exdates, moved, truncateBefore);
    }

    private static LocalDateTime moved(LocalDateTime at, Duration by, boolean toDate) {
        LocalDateTime moved = at.plus(by);
        return toDate ? moved.toLocalDate().atStartOfDay() : moved;
    }

    /** As in answers and in the row. */
    public JsonObject json(boolean allDay) {
        return JsonObject.of("rule", rule)
                .with(
                        "exdates",
                        exdates.isEmpty()
                                ? null
                                : exdates.stream()
                                        .map(exdate -> WallTime.format(exdate, allDay))
                                        .toList())
                .with(
                        "rdates",
                        rdates.isEmpty()
                                ? null
                                : rdates.stream()
                                        .map(rdate -> rdate.json(allDay))
                                        .toList())
                .with("truncate_before", truncateBefore == null ? null : WallTime.format(truncateBefore, allDay));
    }

    static EventRecurrence stored(Map<?, ?> row) {
        Object truncated = row.get("truncate_before");
        return new EventRecurrence(
                (String) Objects.requireNonNull(row.get("rule")),
                list(row.get("exdates")).stream().map(WallTime::stored).toList(),
                list(row.get("rdates")).stream().map(AddedTime::stored).toList(),
                truncated == null ? null : WallTime.stored(truncated));
    }

    private static List<Object> list(@Nullable Object stored) {
        return stored instanceof List<?> list ? List.copyOf(list) : List.of();
    }
}
