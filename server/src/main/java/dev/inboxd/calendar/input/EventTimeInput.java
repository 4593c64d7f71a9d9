package dev.inboxd.calendar.input;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.calendar.content.WallTime;
import dev.inboxd.mail.recurrence.DurationMode;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The time of an event by the members of a request, checked (calendar.md §4). */
public final class EventTimeInput {
    private static final int LONGEST_SINGLE = 366;
    private static final int LONGEST_DATE = 31;

    private EventTimeInput() {}

    /** The time of a new event. */
    public static EventTime created(EventMembers members, ZoneId usual) {
        boolean allDay = Boolean.TRUE.equals(members.allDay());
        List<Fault> faults = new ArrayList<>();
        checkForm("start", members.start(), allDay, faults);
        checkForm("end", members.end(), allDay, faults);
        boolean isSeries = members.recurrence() != null;
        DurationMode mode = mode(members.mode(), allDay, isSeries ? DurationMode.NOMINAL : DurationMode.EXACT, faults);
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
        return checked(
                new EventTime(
                        allDay,
                        Objects.requireNonNull(members.start()).at(),
                        Objects.requireNonNull(members.end()).at(),
                        members.zone() == null ? usual : members.zone(),
                        mode),
                isSeries);
    }

    /**
     * The time of a changed event.
     *
     * @param series whether it is a series after the change
     */
    public static EventTime changed(EventMembers members, EventTime before, boolean series) {
        boolean allDay = members.allDay() == null ? before.allDay() : members.allDay();
        List<Fault> faults = new ArrayList<>();
        if (members.has("start") != members.has("end")) {
            String missing = members.has("start") ? "end" : "start";
            faults.add(Fault.of(missing, "start and end change together; send both, even for one of them")
                    .as(Fault.Code.REQUIRED));
        }
        if (allDay != before.allDay()) {
            for (String name : List.of("start", "end", "timezone")) {
                if (!members.has(name)) {
                    faults.add(Fault.of(name, "A change of all_day needs start, end and timezone")
                            .as(Fault.Code.REQUIRED));
                }
            }
        }
        checkForm("start", members.start(), allDay, faults);
        checkForm("end", members.end(), allDay, faults);
        DurationMode usual = before.allDay() && !allDay && !series ? DurationMode.EXACT : before.mode();
        DurationMode mode = mode(members.mode(), allDay, usual, faults);
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
        return checked(
                new EventTime(
                        allDay,
                        members.start() == null
                                ? before.start()
                                : members.start().at(),
                        members.end() == null ? before.end() : members.end().at(),
                        members.zone() == null ? before.zone() : members.zone(),
                        mode),
                series);
    }

    /** The time of a changed date of a series: its end may change alone. */
    public static EventTime ofDate(EventMembers members, EventTime before) {
        List<Fault> faults = new ArrayList<>();
        if (members.has("start") && !members.has("end")) {
            faults.add(Fault.of("end", "A new start needs the end as well").as(Fault.Code.REQUIRED));
        }
        checkForm("start", members.start(), before.allDay(), faults);
        checkForm("end", members.end(), before.allDay(), faults);
        DurationMode mode = mode(members.mode(), before.allDay(), before.mode(), faults);
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
        return checked(
                new EventTime(
                        before.allDay(),
                        members.start() == null
                                ? before.start()
                                : members.start().at(),
                        members.end() == null ? before.end() : members.end().at(),
                        before.zone(),
                        mode),
                true);
    }

    private static DurationMode mode(
            @Nullable DurationMode requested, boolean allDay, DurationMode usual, List<Fault> faults) {
        if (allDay && requested == DurationMode.EXACT) {
            faults.add(Fault.of("duration_mode", "An all-day event is nominal: it lasts whole days"));
        }
        return allDay ? DurationMode.NOMINAL : requested == null ? usual : requested;
    }

    private static void checkForm(String name, @Nullable WallTime at, boolean allDay, List<Fault> faults) {
        if (at != null && at.isDate() != allDay) {
            faults.add(
                    Fault.of(name, name + ": " + RecurrenceInput.form(allDay)).as(Fault.Code.INVALID_FORMAT));
        }
    }

    private static EventTime checked(EventTime time, boolean series) {
        LocalDateTime start = time.start();
        LocalDateTime end = time.end();
        if (time.allDay() ? end.isBefore(start) : !end.isAfter(start)) {
            throw Problem.invalid(
                    "end", time.allDay() ? "end, the last day, must not be before start" : "end must be after start");
        }
        int most = series ? LONGEST_DATE : LONGEST_SINGLE;
        if ((time.allDay() ? end.plusDays(1) : end).isAfter(start.plusDays(most))) {
            throw Problem.invalid(
                    "end", (series ? "A date of a series" : "An event") + " lasts at most " + most + " days");
        }
        return time;
    }
}
