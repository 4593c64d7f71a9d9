package dev.inboxd.calendar.intake;

import dev.inboxd.calendar.content.Attendee;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventRecurrence;
import dev.inboxd.calendar.content.Guests;
import dev.inboxd.calendar.event.DateChange;
import dev.inboxd.calendar.event.DateUpdates;
import dev.inboxd.calendar.event.EventWrites;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.mail.recurrence.Slot;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What attendees answer by mail to what the inbox organizes (calendar.md §7, ruling 74). */
final class ReplyImport {
    private final ImportWrites writes;
    private final @Nullable Slot part;

    /** @param part where the part of a series begins that is answered; null for the event itself */
    ReplyImport(ImportWrites writes, @Nullable Slot part) {
        this.writes = writes;
        this.part = part;
    }

    /** Takes answers in. */
    ImportOutcome run(WholeEvent storedEvent) {
        String answered = null;
        boolean isInvited = false;
        for (ReadEvent reply : writes.mail().calendar().events()) {
            isInvited |= isOfAuthor(reply);
            String answeredId = isOfAuthor(reply) ? reply(storedEvent, reply) : null;
            answered = answeredId == null
                    ? answered
                    : answered == null ? answeredId : storedEvent.event().id().toString();
        }
        return answered != null
                ? ImportOutcome.applied(answered)
                : ImportOutcome.ignored(
                        isInvited && attendee(storedEvent.event().content().guests()) != null
                                ? ImportOutcome.Reason.OLDER
                                : ImportOutcome.Reason.NOT_INVITED);
    }

    private boolean isOfAuthor(ReadEvent reply) {
        return reply.attendees().size() == 1
                && writes.isAuthor(reply.attendees().getFirst().person().email());
    }

    private @Nullable String reply(WholeEvent storedEvent, ReadEvent reply) {
        EventComponent.Guest guest = reply.attendees().getFirst();
        if (reply.recurrenceId() != null) {
            return date(storedEvent, reply, guest);
        }
        return part == null ? event(storedEvent, reply, guest) : part(storedEvent, part, reply, guest);
    }

    private @Nullable String event(WholeEvent storedEvent, ReadEvent reply, EventComponent.Guest guest) {
        CalendarEvent before = storedEvent.event();
        Attendee attendee = attendee(before.content().guests());
        Integer invited = before.mail().sequence();
        if (attendee == null || !isCurrent(invited == null ? 0 : invited, attendee, reply)) {
            return null;
        }
        CalendarTx change = writes.change();
        WholeEvent now = WholeEvent.withEdits(change.tx(), change.view(), before);
        PartReplies.keepNext(change, now, null);
        Guests guests = answered(change, now.event().content().guests(), attendee, answer(reply, guest));
        CalendarEvent after = now.event()
                .with(
                        now.event().content().with(guests),
                        now.event().version().changed(false, change.operation(), change.now()));
        EventWrites.update(change, after, now.eras().size(), storedEvent.raised());
        writes.log().add(change, EventType.CALENDAR_EVENT_RESPONDED, after, null);
        return before.id().toString();
    }

    /** An answer to the rest of a series from a date on. */
    private @Nullable String part(WholeEvent storedEvent, Slot cut, ReadEvent reply, EventComponent.Guest guest) {
        WholeEvent wholeEvent = WholeEvent.withEdits(writes.tx(), writes.view(), storedEvent.event());
        DateOverride edit = PartReplies.edit(wholeEvent, cut);
        Integer invited = edit == null ? null : edit.version().sequence();
        Guests guests = PartReplies.guests(wholeEvent, cut.at());
        Attendee attendee = attendee(guests);
        if (edit == null || invited == null || attendee == null || !isCurrent(invited, attendee, reply)) {
            return null;
        }
        CalendarTx change = writes.change();
        PartReplies.keepNext(change, wholeEvent, cut.at());
        PartReplies.put(change, wholeEvent, edit, answered(change, guests, attendee, answer(reply, guest)));
        CalendarEvent counted = wholeEvent
                .event()
                .with(wholeEvent.event().content(), wholeEvent.event().version().dateChanged(change.operation()));
        EventWrites.update(change, counted, wholeEvent.eras().size(), storedEvent.raised());
        SeriesDate after = WholeEvent.require(change.tx(), change.view(), counted.id(), List.of(cut))
                .date(cut);
        writes.log().add(change, EventType.CALENDAR_EVENT_RESPONDED, after);
        return after.id();
    }

    private @Nullable String date(WholeEvent storedEvent, ReadEvent reply, EventComponent.Guest guest) {
        CalendarEvent series = storedEvent.event();
        EventRecurrence recurrence = series.content().recurrence();
        EventTime name = Objects.requireNonNull(reply.recurrenceId());
        Slot slot = recurrence == null
                ? null
                : recurrence.dates(series.content().time()).named(name).orElse(null);
        if (slot == null) {
            return null;
        }
        CalendarTx change = writes.change();
        WholeEvent wholeEvent = WholeEvent.require(change.tx(), change.view(), series.id(), List.of(slot));
        SeriesDate before = wholeEvent.dates().at(slot).orElse(null);
        Attendee attendee = before == null || before.place().removed()
                ? null
                : attendee(before.content().guests());
        boolean hasRoom = DateUpdates.hasRoom(wholeEvent, slot);
        if (before == null || attendee == null || !hasRoom || !isCurrent(sequence(before), attendee, reply)) {
            return null;
        }
        Guests guests = answered(change, before.content().guests(), attendee, answer(reply, guest));
        DateOverride own = before.own();
        DateUpdates.put(
                change,
                wholeEvent,
                new DateOverride(
                        slot,
                        false,
                        DateUpdates.over(own, new DateFields(DateChange.of(guests))),
                        own != null && own.pinned(),
                        DateUpdates.version(
                                change, own, own == null ? null : own.version().sequence())));
        CalendarEvent counted = wholeEvent
                .event()
                .with(wholeEvent.event().content(), wholeEvent.event().version().dateChanged(change.operation()));
        EventWrites.update(change, counted, wholeEvent.eras().size(), wholeEvent.raised());
        SeriesDate after = DateUpdates.reloaded(change, before);
        writes.log().add(change, EventType.CALENDAR_EVENT_RESPONDED, after);
        return after.id();
    }

    /** Who answers: the author as it was invited, with or without a tag. */
    private @Nullable Attendee attendee(Guests guests) {
        return guests.own(writes.mail().author()).orElse(null);
    }

    /** The SEQUENCE with which attendees know a date: its own, when it was sent by itself, or that of the series. */
    private static int sequence(SeriesDate date) {
        Integer series = date.series().mail().sequence();
        Integer own = date.own() == null ? null : date.own().version().sequence();
        return Math.max(series == null ? 0 : series, own == null ? 0 : own);
    }

    /** An answer to an older invitation, or older than the one that is known, counts for nothing (ruling 74, 157). */
    private static boolean isCurrent(int invited, Attendee attendee, ReadEvent reply) {
        Attendee.Mark mark = attendee.answer().mark();
        return reply.sequence() >= invited
                && (mark == null || ImportedContent.isNotOlder(reply, mark.sequence(), mark.stamp()));
    }

    private record Reply(AttendeeStatus status, @Nullable String comment, Attendee.Mark mark) {}

    private static Reply answer(ReadEvent reply, EventComponent.Guest guest) {
        return new Reply(
                ImportedContent.status(guest),
                reply.words().comment(),
                new Attendee.Mark(reply.sequence(), ImportedContent.stamp(reply)));
    }

    private static Guests answered(CalendarTx change, Guests guests, Attendee attendee, Reply reply) {
        Instant now = change.now();
        return guests.with(
                attendee.with(new Attendee.Answer(reply.status, reply.comment, now, reply.mark)),
                change.inbox().address());
    }
}
