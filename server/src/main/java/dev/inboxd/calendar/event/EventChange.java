package dev.inboxd.calendar.event;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.Calendar;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.input.EventMembers;
import dev.inboxd.calendar.input.EventTimeInput;
import dev.inboxd.calendar.input.RecurrenceInput;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an event becomes by the members of a request (calendar.md §4, §5). */
final class EventChange {
    private EventChange() {}

    /** The content of a new event. */
    static EventContent created(EventMembers members, Calendar calendar, String inbox) {
        EventTime time = EventTimeInput.created(members, calendar.zone());
        RecurrenceInput recurrence = members.recurrence();
        return new EventContent(
                new EventWords(
                        Objects.requireNonNull(members.title()),
                        members.description(),
                        members.location(),
                        members.metadata()),
                members.status() == null ? EventStatus.CONFIRMED : members.status(),
                time,
                recurrence == null ? null : recurrence.recurrence(time.allDay()),
                Guests.of(
                        members.attendees().stream()
                                .map(input -> input.attendee(Optional.empty()))
                                .toList(),
                        inbox));
    }

    /** The content of an event, changed. */
    static EventContent changed(EventMembers members, CalendarEvent event, String inbox) {
        EventContent before = event.content();
        boolean series = members.has("recurrence") ? members.recurrence() != null : before.isSeries();
        EventTime time = EventTimeInput.changed(members, before.time(), series);
        EventRecurrence recurrence = recurrence(members, before, time);
        boolean moved = !time.equals(before.time()) || !Objects.equals(recurrence, before.recurrence());
        return new EventContent(
                members.over(before.words()),
                members.status() == null ? before.status() : members.status(),
                time,
                recurrence,
                guests(members, before.guests(), moved && event.origin().isOurs(), inbox));
    }

    private static @Nullable EventRecurrence recurrence(EventMembers members, EventContent before, EventTime time) {
        RecurrenceInput input = members.recurrence();
        if (members.has("recurrence") || before.recurrence() == null) {
            return input == null ? null : input.recurrence(time.allDay());
        }
        EventRecurrence recurrence = before.recurrence();
        Duration by = Duration.between(before.time().start(), time.start());
        if (time.allDay() == before.time().allDay()) {
            return by.isZero() ? recurrence : recurrence.shifted(by, time.allDay());
        }
        return recurrence
                .shifted(by, time.allDay())
                .withRule(normal(recurrence.rule(), time.allDay()), by, time.allDay());
    }

    private static String normal(String rule, boolean allDay) {
        try {
            return RecurrenceRule.parse(rule, allDay, false).text();
        } catch (RuleSyntaxException wrong) {
            throw Problem.invalid(
                    List.of(new Fault(List.of("recurrence", "rule"), String.valueOf(wrong.getMessage()))));
        }
    }

    /**
     * The attendees after a change. What they answered to another time is no answer to this one (ruling 73).
     *
     * @param moved whether the time of an event that the inbox organizes changed
     */
    static Guests guests(EventMembers members, Guests before, boolean moved, String inbox) {
        if (members.has("attendees")) {
            return Guests.of(
                    members.attendees().stream()
                            .map(input -> input.attendee(moved ? Optional.empty() : before.find(input.email())))
                            .toList(),
                    inbox);
        }
        return moved
                ? Guests.of(
                        before.list().stream()
                                .map(attendee -> attendee.with(Attendee.Answer.NONE))
                                .toList(),
                        inbox)
                : before;
    }

    /** Whether attendees see a change of an event that the inbox organizes. */
    static boolean isVisible(EventContent before, EventContent after) {
        EventWords words = before.words();
        EventWords now = after.words();
        return !words.title().equals(now.title())
                || !Objects.equals(words.description(), now.description())
                || !Objects.equals(words.location(), now.location())
                || before.status() != after.status()
                || !before.time().equals(after.time())
                || !Objects.equals(before.recurrence(), after.recurrence())
                || !before.guests().equals(after.guests());
    }
}
