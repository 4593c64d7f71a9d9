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
import dev.inboxd.calendar.series.CalendarLog;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What attendees answer by mail to what the inbox organizes (calendar.md §7, ruling 74). */
final class ReplyImport {
    private final Supplier<CalendarTx> changes;
    private final CalendarLog log;
    private final CalendarImport.Mail mail;

    /** @param changes one for each event that is changed */
    ReplyImport(Supplier<CalendarTx> changes, CalendarLog log, CalendarImport.Mail mail) {
        this.changes = changes;
        this.log = log;
        this.mail = mail;
    }

    /** The event or date that was answered, as in paths; null when nothing was. */
    @Nullable
    String run(WholeEvent known) {
        String answered = null;
        for (ReadEvent reply : mail.calendar().events()) {
            String one = reply(known, reply);
            answered = one == null
                    ? answered
                    : answered == null ? one : known.event().id().toString();
        }
        return answered;
    }

    private @Nullable String reply(WholeEvent known, ReadEvent reply) {
        if (reply.attendees().size() != 1) {
            return null;
        }
        EventComponent.Guest guest = reply.attendees().getFirst();
        if (!guest.person().email().equalsIgnoreCase(mail.author())) {
            return null;
        }
        return reply.recurrenceId() == null ? event(known, reply, guest) : date(known, reply, guest);
    }

    private @Nullable String event(WholeEvent known, ReadEvent reply, EventComponent.Guest guest) {
        CalendarEvent before = known.event();
        Attendee attendee = attendee(before.content().guests());
        if (attendee == null || !isCurrent(before, attendee, reply)) {
            return null;
        }
        CalendarTx change = changes.get();
        WholeEvent now = WholeEvent.require(change.tx(), change.view(), before.id(), List.of());
        Guests guests = answered(change, now.event().content().guests(), attendee, answer(reply, guest));
        CalendarEvent after = now.event()
                .with(
                        now.event().content().with(guests),
                        now.event().version().changed(false, change.operation(), change.now()));
        EventWrites.update(change, after, now.eras().size(), now.raised());
        log.add(change, EventType.CALENDAR_EVENT_RESPONDED, after, null);
        return before.id().toString();
    }

    private @Nullable String date(WholeEvent known, ReadEvent reply, EventComponent.Guest guest) {
        CalendarEvent series = known.event();
        EventRecurrence recurrence = series.content().recurrence();
        EventTime name = Objects.requireNonNull(reply.recurrenceId());
        Slot slot = recurrence == null
                ? null
                : recurrence.dates(series.content().time()).named(name).orElse(null);
        if (slot == null) {
            return null;
        }
        CalendarTx change = changes.get();
        WholeEvent whole = WholeEvent.require(change.tx(), change.view(), series.id(), List.of(slot));
        SeriesDate before = whole.dates().at(slot).orElse(null);
        Attendee attendee = before == null || before.place().removed()
                ? null
                : attendee(before.content().guests());
        boolean hasRoom = DateUpdates.hasRoom(whole, slot);
        if (before == null || attendee == null || !hasRoom || !isCurrent(series, attendee, reply)) {
            return null;
        }
        Guests guests = answered(change, before.content().guests(), attendee, answer(reply, guest));
        DateOverride own = before.own();
        DateUpdates.put(
                change,
                whole,
                new DateOverride(
                        slot,
                        false,
                        DateUpdates.over(own, new DateFields(DateChange.of(guests))),
                        own != null && own.kept(),
                        DateUpdates.version(
                                change, own, own == null ? null : own.version().sequence())));
        CalendarEvent counted = whole.event()
                .with(whole.event().content(), whole.event().version().dateChanged(change.operation()));
        EventWrites.update(change, counted, whole.eras().size(), whole.raised());
        SeriesDate after = DateUpdates.reloaded(change, before);
        log.add(change, EventType.CALENDAR_EVENT_RESPONDED, after);
        return after.id();
    }

    private @Nullable Attendee attendee(Guests guests) {
        return guests.list().stream()
                .filter(each -> each.email().equalsIgnoreCase(mail.author()))
                .findFirst()
                .orElse(null);
    }

    /** An answer to an older invitation, or older than the one that is known, counts for nothing (ruling 74). */
    private static boolean isCurrent(CalendarEvent event, Attendee attendee, ReadEvent reply) {
        Integer invited = event.mail().sequence();
        if (invited != null && reply.sequence() < invited) {
            return false;
        }
        Attendee.Mark mark = attendee.answer().mark();
        return mark == null || ImportedContent.isNewer(reply, mark.sequence(), mark.stamp());
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
