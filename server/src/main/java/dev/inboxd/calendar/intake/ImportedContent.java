package dev.inboxd.calendar.intake;

import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventStatus;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.event.DateChange;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a calendar in mail says of an event, as the calendar here has it. */
final class ImportedContent {
    private static final int MOST_ATTENDEES = 100;
    private static final int LONGEST_NAME = 256;
    private static final Duration LONGEST_SINGLE = Duration.ofDays(366);
    private static final Duration LONGEST_DATE = Duration.ofDays(31);

    private ImportedContent() {}

    /**
     * The content of an event.
     *
     * @param inbox the address of the inbox
     * @param before what is known: the client's own value, which mail does not have, and the inbox's own answer where
     *     nothing moves (ruling 160); null of a new event
     * @return null when the calendar does not take it: without a time, longer than events are, or a series without a
     *     date or with too many
     */
    static @Nullable EventContent of(ReadEvent event, String inbox, @Nullable EventContent before) {
        EventTime time = event.time();
        if (time == null) {
            return null;
        }
        EventRecurrence recurrence = event.recurrenceId() == null ? recurrence(event) : null;
        boolean isLong = Duration.between(time.startAt(), time.endAt())
                        .compareTo(recurrence == null && event.recurrenceId() == null ? LONGEST_SINGLE : LONGEST_DATE)
                > 0;
        if (isLong || (recurrence != null && !isUsable(recurrence.dates(time)))) {
            return null;
        }
        EventComponent.Words words = event.words();
        return new EventContent(
                new EventWords(
                        title(words.summary()),
                        words.description(),
                        words.location(),
                        before == null ? null : before.words().metadata()),
                EventStatus.valueOf(words.status()),
                time,
                recurrence,
                answered(guests(event.attendees(), inbox), before, new Moment(time, recurrence), inbox));
    }

    private record Moment(EventTime time, @Nullable EventRecurrence recurrence) {}

    /** An update that moves nothing keeps the inbox's own answer; one that moves asks again. */
    private static Guests answered(Guests guests, @Nullable EventContent before, Moment after, String inbox) {
        Attendee answered = before == null ? null : before.guests().own(inbox).orElse(null);
        Attendee own = guests.own(inbox).orElse(null);
        boolean isKept = before != null
                && !before.isCancelled()
                && isSameTime(before.time(), after.time)
                && isSameSeries(before.recurrence(), after.recurrence);
        return !isKept || own == null || answered == null || answered.answer().status() == AttendeeStatus.NEEDS_ACTION
                ? guests
                : guests.with(own.with(answered.answer()), inbox);
    }

    /** Whether two times are the same for who attends, whatever they call their zone. */
    static boolean isSameTime(EventTime first, EventTime second) {
        return first.allDay() == second.allDay()
                && (first.allDay()
                        ? first.start().equals(second.start()) && first.end().equals(second.end())
                        : first.startAt().equals(second.startAt())
                                && first.endAt().equals(second.endAt()));
    }

    /** Whether a series has the same dates, but for those that are taken out. */
    private static boolean isSameSeries(@Nullable EventRecurrence first, @Nullable EventRecurrence second) {
        if (first == null || second == null) {
            return first == null && second == null;
        }
        return first.rule().equals(second.rule()) && first.rdates().equals(second.rdates());
    }

    /** Why an event is not taken. */
    static ImportOutcome.Reason reason(ReadEvent event) {
        return event.time() == null ? ImportOutcome.Reason.MALFORMED : ImportOutcome.Reason.TOO_LARGE;
    }

    /** The answer of the inbox among the attendees of a date; nothing where it gave none. */
    static DateFields answer(Guests from, Guests among, String inbox) {
        Attendee own = from.own(inbox).orElse(null);
        Attendee attendee = among.own(inbox).orElse(null);
        return own == null || attendee == null || own.answer().status() == AttendeeStatus.NEEDS_ACTION
                ? DateFields.NONE
                : new DateFields(DateChange.of(among.with(attendee.with(own.answer()), inbox)));
    }

    private static boolean isUsable(Recurrence dates) {
        return dates.hasDates() && !dates.isTooDense();
    }

    private static String title(String summary) {
        return summary.isBlank() ? "(no title)" : summary;
    }

    private static @Nullable EventRecurrence recurrence(ReadEvent event) {
        if (event.rule() == null && event.rdates().isEmpty()) {
            return null;
        }
        // Further dates alone are a series too: of the start, and of them.
        String rule = event.rule() == null ? "FREQ=DAILY;COUNT=1" : event.rule().text();
        List<EventRecurrence.AddedTime> added = event.rdates().stream()
                .map(date -> new EventRecurrence.AddedTime(
                        date.start(), date.time() == null ? null : date.time().end(), null))
                .toList();
        return new EventRecurrence(rule, event.exdates(), added, null);
    }

    /** The first hundred, the inbox among them. */
    private static Guests guests(List<EventComponent.Guest> all, String inbox) {
        List<Attendee> list = new ArrayList<>();
        boolean isInvited = all.stream().anyMatch(guest -> isInbox(guest, inbox));
        for (EventComponent.Guest guest : all) {
            boolean isThere = list.stream().anyMatch(attendee -> Guests.isOwn(attendee.email(), inbox));
            boolean hasRoom = list.size() < MOST_ATTENDEES - (isInvited && !isThere ? 1 : 0);
            if (!has(list, address(guest)) && (hasRoom || (isInbox(guest, inbox) && list.size() < MOST_ATTENDEES))) {
                list.add(attendee(guest));
            }
        }
        return Guests.of(list, inbox);
    }

    private static boolean isInbox(EventComponent.Guest guest, String inbox) {
        return Guests.isOwn(address(guest), inbox);
    }

    private static String address(EventComponent.Guest guest) {
        return guest.person().email().toLowerCase(Locale.ROOT);
    }

    private static boolean has(List<Attendee> list, String address) {
        return list.stream().anyMatch(attendee -> attendee.email().equals(address));
    }

    private static Attendee attendee(EventComponent.Guest guest) {
        String name = guest.person().name();
        return new Attendee(
                address(guest),
                name == null || name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME),
                !guest.role().equals("OPT-PARTICIPANT"),
                new Attendee.Answer(status(guest), null, null, null));
    }

    /** What an attendee answered. */
    static AttendeeStatus status(EventComponent.Guest guest) {
        return AttendeeStatus.valueOf(guest.status().replace('-', '_'));
    }

    /** When this state was made, in the precision of the database; a calendar that does not say is the oldest. */
    static Instant stamp(ReadEvent event) {
        return event.stamp() == null ? Instant.EPOCH : event.stamp().truncatedTo(ChronoUnit.MILLIS);
    }

    /** Whether what came is newer than what is known, by SEQUENCE and then DTSTAMP (RFC 5546 §2.1.5). */
    static boolean isNewer(ReadEvent came, CalendarEvent storedEvent) {
        return isNewer(
                came, storedEvent.version().sequence(), storedEvent.mail().stamp());
    }

    /** Whether a cancellation is not older than what is known: it may have the SEQUENCE and DTSTAMP of that. */
    static boolean isNotOlder(ReadEvent came, CalendarEvent storedEvent) {
        return isNotOlder(
                came, storedEvent.version().sequence(), storedEvent.mail().stamp());
    }

    /** The same of an answer, or of a date. */
    static boolean isNotOlder(ReadEvent came, int sequence, @Nullable Instant stamp) {
        return came.sequence() > sequence
                || (came.sequence() == sequence
                        && (stamp == null || !stamp(came).isBefore(stamp)));
    }

    /** The same of a date. */
    static boolean isNotOlder(ReadEvent date, SeriesDate storedDate) {
        DateOverride own = storedDate.own();
        Integer sequence = own == null ? null : own.version().sequence();
        return own == null
                || sequence == null
                || isNotOlder(date, sequence, own.version().stamp());
    }

    /** The same of a date. */
    static boolean isNewer(ReadEvent came, int sequence, @Nullable Instant stamp) {
        return came.sequence() > sequence
                || (came.sequence() == sequence && (stamp == null || stamp(came).isAfter(stamp)));
    }

    /** All of a date but the client's own value, which stays that of its series. */
    static DateFields fields(EventContent content) {
        Map<String, @Nullable Object> members =
                new LinkedHashMap<>(DateFields.of(content).members());
        members.remove("metadata");
        return new DateFields(members);
    }

    /** That a date does not take place. */
    static DateFields cancelled() {
        return DateFields.cancelled();
    }

    /** Compared with earlier changes of the same date by mail, and with the cancellation of its series. */
    static boolean isNewer(ReadEvent date, SeriesDate storedDate) {
        CalendarEvent series = storedDate.series();
        if (series.content().isCancelled() && !isNewer(date, series)) {
            return false;
        }
        DateOverride own = storedDate.own();
        if (own == null || own.version().sequence() == null) {
            return true;
        }
        return isNewer(date, own.version().sequence(), own.version().stamp());
    }
}
