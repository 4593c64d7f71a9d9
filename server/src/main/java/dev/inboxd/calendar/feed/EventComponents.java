package dev.inboxd.calendar.feed;

import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.EventWords;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.RecurrenceName;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesParts;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Recurrence;
import dev.inboxd.mail.recurrence.RecurrenceRule;
import dev.inboxd.mail.recurrence.RecurrenceSection;
import dev.inboxd.mail.recurrence.RuleSyntaxException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Events as components of iCalendar (calendar.md §7). Metadata, and what attendees wrote, are not in them.
 *
 * @param stamp when they are written
 * @param organizerName the name that is shown beside the organizer's address, or null
 */
public record EventComponents(Instant stamp, @Nullable String organizerName) {
    /** The most edited dates beside their series, as many as are taken in (ruling 76). */
    private static final int MOST_DATES = 366;

    /** A single event or a series. */
    public EventComponent of(CalendarEvent event) {
        return component(event, event.content(), event.version().sequence(), null);
    }

    /** A date of a series, by itself. */
    public EventComponent of(SeriesDate date) {
        return component(date.series(), date.content(), date.sequence(), date);
    }

    /** A part of a series. */
    public EventComponent of(CalendarEvent series, SeriesParts.Part part) {
        RecurrenceSection section = part.section();
        EventComponent.Schedule schedule = new EventComponent.Schedule(
                part.content().time(),
                section.rule() == null ? null : section.rule().text(),
                section.exdates().stream().sorted().toList(),
                section.rdates());
        EventComponent first =
                component(series, part.content(), series.version().sequence(), null);
        return named(
                new EventComponent(first.identity(), schedule, first.words(), first.organizer(), first.attendees()),
                part.uid());
    }

    /** The same by another UID. */
    public static EventComponent named(EventComponent event, String uid) {
        EventComponent.Identity identity = event.identity();
        return new EventComponent(
                new EventComponent.Identity(uid, identity.sequence(), identity.stamp(), identity.recurrenceId()),
                event.schedule(),
                event.words(),
                event.organizer(),
                event.attendees());
    }

    /**
     * A part of a series, or all of it, with those of its dates that were edited by themselves and are not over.
     *
     * @param wholeEvent with everything of its dates
     * @param part null for an event that is one
     */
    public List<EventComponent> withDates(WholeEvent wholeEvent, SeriesParts.@Nullable Part part) {
        CalendarEvent event = wholeEvent.event();
        SeriesParts parts = new SeriesParts(wholeEvent);
        List<EventComponent> all = new ArrayList<>(List.of(part == null ? of(event) : of(event, part)));
        wholeEvent
                .dates()
                .edited()
                .filter(date -> date.own() != null
                        && !date.place().removed()
                        && date.endAt().isAfter(stamp))
                .filter(date -> part == null || part.uid().equals(parts.uid(date.nominalStart())))
                .sorted(Comparator.comparing(SeriesDate::startAt))
                .limit(MOST_DATES)
                .forEach(date -> all.add(named(of(date), parts.uid(date.nominalStart()))));
        return all;
    }

    private EventComponent component(
            CalendarEvent event, EventContent content, int sequence, @Nullable SeriesDate date) {
        return new EventComponent(
                new EventComponent.Identity(
                        event.origin().uid(), sequence, stamp, date == null ? place(event) : place(date)),
                schedule(content),
                words(content),
                new EventComponent.Person(
                        event.origin().organizer(), event.origin().isOurs() ? organizerName : null),
                content.guests().list().stream().map(EventComponents::guest).toList());
    }

    /** What a component says of an event, wherever it goes. */
    static EventComponent.Words words(EventContent content) {
        EventWords words = content.words();
        return new EventComponent.Words(
                words.title(),
                words.description(),
                words.location(),
                content.status().name(),
                null);
    }

    /** Which date it is of a series that is not known; null for others. */
    private static @Nullable EventTime place(CalendarEvent event) {
        String name = event.origin().recurrenceId();
        return name.isEmpty()
                ? null
                : RecurrenceName.time(name, event.content().time().zone());
    }

    /** Which date of its series it is, as the series has it. */
    private static EventTime place(SeriesDate date) {
        return date.series().content().time().at(date.nominalStart());
    }

    private static EventComponent.Guest guest(Attendee attendee) {
        return new EventComponent.Guest(
                new EventComponent.Person(attendee.email(), attendee.name()),
                attendee.required() ? "REQ-PARTICIPANT" : "OPT-PARTICIPANT",
                attendee.answer().status().name().replace('_', '-'));
    }

    private static EventComponent.Schedule schedule(EventContent content) {
        EventRecurrence recurrence = content.recurrence();
        EventTime time = content.time();
        if (recurrence == null) {
            return new EventComponent.Schedule(time, null, List.of(), List.of());
        }
        LocalDateTime end = recurrence.truncateBefore();
        Recurrence dates = recurrence.dates(time);
        return new EventComponent.Schedule(
                time,
                rule(recurrence, time),
                recurrence.exdates().stream()
                        .filter(date -> end == null || date.isBefore(end))
                        .toList(),
                dates.rdates().stream()
                        .filter(date -> end == null || date.start().isBefore(end))
                        .toList());
    }

    /** The rule, which ends where the series was cut off. One that ends earlier by its COUNT stays as it is. */
    private static String rule(EventRecurrence recurrence, EventTime time) {
        try {
            RecurrenceRule rule = RecurrenceRule.parse(recurrence.rule(), time.allDay(), true);
            LocalDateTime end = recurrence.truncateBefore();
            if (end == null || !goesOn(time, rule, end)) {
                return rule.text();
            }
            return rule.endingBefore(end, time.zone()).text();
        } catch (RuleSyntaxException impossible) {
            throw new IllegalStateException("a stored rule cannot be read", impossible);
        }
    }

    private static boolean goesOn(EventTime time, RecurrenceRule rule, LocalDateTime end) {
        return new Recurrence(time, rule, Set.of(), List.of(), null).from(end).hasNext();
    }
}
