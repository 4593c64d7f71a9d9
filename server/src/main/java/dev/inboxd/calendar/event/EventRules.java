package dev.inboxd.calendar.event;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventPhase;
import dev.inboxd.calendar.input.EventMembers;
import dev.inboxd.calendar.series.BoundaryKind;
import dev.inboxd.calendar.series.BoundarySchedule;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesDates;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.recurrence.EventTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** What may still be changed, by what has begun (calendar.md §5). */
final class EventRules {
    private static final Duration EXPIRED = Duration.ofDays(30);

    private EventRules() {}

    /** Refuses a change of a single event that has begun. */
    static void requireSingle(WholeEvent wholeEvent, EventMembers members, EventContent after, Instant now) {
        EventTime before = wholeEvent.event().content().time();
        EventPhase phase = EventPhase.of(before, isTold(wholeEvent.raised(), ""), now);
        if (phase == EventPhase.RUNNING && (after.isSeries() || !isSameStart(before, after.time()))) {
            throw started("It has begun: its start stays, and it does not become a series");
        }
        requireWords(phase, members);
    }

    /** Refuses a change of a series that is over, and one that would lose edited dates. */
    static void requireSeries(WholeEvent wholeEvent, EventMembers members, Instant now) {
        if (members.has("recurrence") && members.recurrence() == null && hasEdits(wholeEvent.dates())) {
            throw Problem.of(
                    ErrorCode.EVENT_IN_PROGRESS,
                    "Dates of the series were edited, so it stays a series",
                    "Delete it and make a single event.");
        }
        boolean isOver = members.hasMoreThanWords()
                && wholeEvent.dates().first(now, date -> date.endAt().isAfter(now)) == null;
        if (isOver) {
            throw started("All dates of the series are over: only what it says can change");
        }
    }

    private static boolean hasEdits(SeriesDates dates) {
        return !dates.alone().isEmpty() || !dates.following().isEmpty();
    }

    /** Refuses a change of a date that is out of reach, or has begun. */
    static void requireDate(SeriesDate date, Set<BoundarySchedule.Mark> raised, EventMembers members, Instant now) {
        requireReachable(date, now);
        EventPhase phase = phase(date, raised, now);
        if (phase == EventPhase.RUNNING
                && members.start() != null
                && !members.start().at().equals(date.content().time().start())) {
            throw started("The date has begun: its start stays");
        }
        requireWords(phase, members);
    }

    /** Refuses the cancellation of a date that is starting or over. */
    static void requireCancellable(SeriesDate date, Set<BoundarySchedule.Mark> raised, Instant now) {
        requireReachable(date, now);
        EventPhase phase = phase(date, raised, now);
        if (phase == EventPhase.STARTING) {
            throw starting();
        }
        if (phase == EventPhase.ENDED) {
            throw started("The date is over");
        }
    }

    /** Refuses what is done to a date that only reads any more: {@code event_expired}. */
    static void requireReachable(SeriesDate date, Instant now) {
        boolean isOld = date.endAt().plus(EXPIRED).isBefore(now);
        if (date.place().removed() || date.place().left() || isOld) {
            throw Problem.of(
                    ErrorCode.EVENT_EXPIRED,
                    date.place().removed()
                            ? "The date was taken out of its series"
                            : isOld
                                    ? "The date ended more than 30 days ago"
                                    : "The date ran, and its series does not make it any more",
                    "It can only be read. Change the series, or another date.");
        }
    }

    private static EventPhase phase(SeriesDate date, Set<BoundarySchedule.Mark> raised, Instant now) {
        return EventPhase.of(date.content().time(), isTold(raised, date.slot().toString()), now);
    }

    private static boolean isTold(Set<BoundarySchedule.Mark> raised, String slot) {
        return raised.contains(new BoundarySchedule.Mark(slot, BoundaryKind.STARTING));
    }

    private static boolean isSameStart(EventTime before, EventTime after) {
        return before.start().equals(after.start())
                && before.zone().equals(after.zone())
                && before.allDay() == after.allDay();
    }

    private static void requireWords(EventPhase phase, EventMembers members) {
        if (members.hasMoreThanWords() && phase == EventPhase.STARTING) {
            throw starting();
        }
        if (members.hasMoreThanWords() && phase == EventPhase.ENDED) {
            throw started("It is over: only what it says can change");
        }
    }

    private static Problem starting() {
        return Problem.of(ErrorCode.EVENT_STARTING, "It is starting at this moment");
    }

    private static Problem started(String message) {
        return Problem.of(
                ErrorCode.EVENT_ALREADY_STARTED,
                message,
                "What is over can change title, description, location, metadata and attendees; what runs, everything"
                        + " but its start.");
    }
}
