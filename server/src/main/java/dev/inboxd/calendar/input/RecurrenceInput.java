package dev.inboxd.calendar.input;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.IsoDuration;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recurrence as a request gives it. Whether its times have the form of the event's is seen when the event is known.
 *
 * @param truncateBefore as an answer shows it; null when left out
 */
public record RecurrenceInput(
        String rule,
        List<WallTime> exdates,
        List<AddedInput> rdates,
        @Nullable WallTime truncateBefore) {
    /** How many dates may be taken out. */
    public static final int MOST_EXDATES = 366;

    private static final int MOST_RDATES = 100;
    private static final int LONGEST_RULE = 4_096;
    private static final Duration LONGEST_DATE = Duration.ofDays(31);
    private static final List<Object> AT = List.of("recurrence");

    /** A further date as a request gives it, with an end, a length, or neither. */
    record AddedInput(
            WallTime start,
            @Nullable WallTime end,
            @Nullable String duration) {}

    /** Reads the member {@code recurrence}, null when it is absent or null; faults are collected in the body. */
    static @Nullable RecurrenceInput read(JsonBody body) {
        JsonBody object = body.object("recurrence");
        if (object == null) {
            return null;
        }
        String rule = object.string("rule").max(LONGEST_RULE).required();
        List<WallTime> exdates = new ArrayList<>();
        List<String> texts = object.strings("exdates").most(MOST_EXDATES).list();
        for (int i = 0; i < texts.size(); i++) {
            WallTime at = WallTime.parse(texts.get(i));
            if (at == null) {
                object.fault("exdates", i, "Each of exdates must be " + WallTime.FORM);
            } else {
                exdates.add(at);
            }
        }
        return new RecurrenceInput(
                rule, exdates, rdates(object), object.string("truncate_before").as(WallTime::parse, WallTime.FORM));
    }

    private static List<AddedInput> rdates(JsonBody object) {
        List<AddedInput> added = new ArrayList<>();
        Object value = object.any("rdates");
        if (value == null) {
            return added;
        }
        if (!(value instanceof List<?> list) || list.size() > MOST_RDATES) {
            object.fault("rdates", "rdates must be a list of at most " + MOST_RDATES + " dates");
            return added;
        }
        for (int i = 0; i < list.size(); i++) {
            AddedInput input = added(list.get(i));
            if (input == null) {
                object.fault(
                        "rdates",
                        i,
                        "Each of rdates must be " + WallTime.FORM
                                + ", or of an event with times {\"start\", \"end\"} or {\"start\", \"duration\"},"
                                + " with a duration like PT1H30M");
            } else {
                added.add(input);
            }
        }
        return added;
    }

    private static @Nullable AddedInput added(@Nullable Object value) {
        if (value instanceof String text) {
            WallTime start = WallTime.parse(text);
            return start == null ? null : new AddedInput(start, null, null);
        }
        if (!(value instanceof Map<?, ?> object)
                || !(object.get("start") instanceof String from)
                || (object.get("end") == null) == (object.get("duration") == null)) {
            return null;
        }
        WallTime start = WallTime.parse(from);
        WallTime end = object.get("end") instanceof String until ? WallTime.parse(until) : null;
        String length = object.get("duration") instanceof String text && IsoDuration.parse(text) != null ? text : null;
        return start == null || start.isDate() || (end == null) == (length == null)
                ? null
                : new AddedInput(start, end, length);
    }

    /**
     * The recurrence of an event.
     *
     * @param allDay whether the event is all-day
     * @throws Problem {@code validation_error}
     */
    public EventRecurrence recurrence(boolean allDay) {
        List<Fault> faults = new ArrayList<>();
        for (int i = 0; i < exdates.size(); i++) {
            check(exdates.get(i), allDay, new Place("exdates", i), faults);
        }
        List<EventRecurrence.AddedTime> added = new ArrayList<>();
        for (int i = 0; i < rdates.size(); i++) {
            AddedInput input = rdates.get(i);
            check(input.start, allDay, new Place("rdates", i), faults);
            LocalDateTime end = input.end == null ? null : input.end.at();
            LocalDateTime until =
                    input.duration != null ? input.start.at().plus(IsoDuration.stored(input.duration)) : end;
            if (until != null
                    && (allDay
                            || !until.isAfter(input.start.at())
                            || until.isAfter(input.start.at().plus(LONGEST_DATE)))) {
                faults.add(new Fault(
                        new Place("rdates", i).path(),
                        "A date with an end of its own needs an event with times, ends after its start, and lasts at"
                                + " most 31 days"));
            }
            added.add(new EventRecurrence.AddedTime(input.start.at(), end, input.duration));
        }
        if (truncateBefore != null && truncateBefore.isDate() != allDay) {
            faults.add(new Fault(List.of("recurrence", "truncate_before"), form(allDay)));
        }
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
        return new EventRecurrence(
                normal(allDay),
                exdates.stream().map(WallTime::at).distinct().toList(),
                added,
                truncateBefore == null ? null : truncateBefore.at());
    }

    private String normal(boolean allDay) {
        try {
            return RecurrenceRule.parse(rule, allDay, false).text();
        } catch (RuleSyntaxException wrong) {
            throw Problem.invalid(
                    List.of(new Fault(List.of("recurrence", "rule"), String.valueOf(wrong.getMessage()))));
        }
    }

    private record Place(String list, int item) {
        List<Object> path() {
            return Fault.join(Fault.join(AT, list), item);
        }
    }

    private static void check(WallTime at, boolean allDay, Place place, List<Fault> faults) {
        if (at.isDate() != allDay) {
            faults.add(new Fault(place.path(), form(allDay)));
        }
    }

    static String form(boolean allDay) {
        return allDay
                ? "An all-day event takes dates, such as 2026-10-15"
                : "An event with times takes times on the wall, such as 2026-10-15T14:00:00";
    }
}
