package dev.inboxd.calendar.intake;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.calendar.content.EventContent;
import dev.inboxd.calendar.content.EventSource;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.event.CalendarEvents;
import dev.inboxd.calendar.event.EventWrites;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.RecurrenceName;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.calendar.ReadEvent;
import dev.inboxd.mail.calendar.ReadResult;
import dev.inboxd.mail.recurrence.EventTime;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores what a calendar of mail makes and changes, in one transaction. */
public final class ImportWrites {
    /**
     * A calendar that came by mail.
     *
     * @param author whose word it is, for certain
     * @param message the public id of the message
     */
    public record Mail(String author, String message, ReadResult.Calendar calendar) {}

    /**
     * The calendar that takes it in, in the caller's transaction.
     *
     * @param tx of the organization, with as many numbers of its clock as {@code CalendarImport.numbers} says
     * @param view narrowed to the inbox
     */
    public record Target(Tx tx, View view, Inbox inbox) {}

    private final Target target;
    private final CalendarLog log;
    private final Mail mail;

    ImportWrites(Target target, CalendarLog log, Mail mail) {
        this.target = target;
        this.log = log;
        this.mail = mail;
    }

    Tx tx() {
        return target.tx();
    }

    View view() {
        return target.view();
    }

    Inbox inbox() {
        return target.inbox();
    }

    CalendarLog log() {
        return log;
    }

    Mail mail() {
        return mail;
    }

    /** One change of its own, with a number and a time. */
    CalendarTx change() {
        return new CalendarTx(tx(), view(), inbox(), tx().next(), CalendarTx.Author.NONE);
    }

    /** Whether an address is the author's, with or without a tag. */
    boolean isAuthor(@Nullable String address) {
        return address != null
                && (mail.author().equalsIgnoreCase(address) || AddrSpec.areOfOnePerson(mail.author(), address));
    }

    /** Whether the author organizes an event, by its address or by the one that EMAIL names (RFC 7986 §6.2). */
    boolean isOrganizer(ReadEvent event) {
        return isAuthor(event.organizer() == null ? null : event.organizer().email())
                || isAuthor(event.organizerEmail());
    }

    /** Makes an event; null when the calendar does not take it. */
    @Nullable
    WholeEvent created(ReadEvent event) {
        EventContent content = ImportedContent.of(event, inbox().address(), null);
        if (content == null || CalendarSql.get(tx(), view()).events() >= CalendarEvents.MOST) {
            return null;
        }
        CalendarTx change = change();
        EventTime date = event.recurrenceId();
        CalendarEvent stored = new CalendarEvent(
                Uuid7.next(),
                new CalendarEvent.Place(view().organization(), inbox().pod(), inbox().id()),
                new CalendarEvent.Origin(
                        event.uid(),
                        EventSource.EMAIL,
                        mail.author().toLowerCase(Locale.ROOT),
                        mail.message(),
                        date == null ? "" : RecurrenceName.of(date),
                        answersTo(event)),
                content,
                EventVersion.first(change.operation(), change.now()).sequence(event.sequence()),
                CalendarEvent.MailState.NONE.withStamp(ImportedContent.stamp(event)),
                change.author());
        EventWrites.insert(change, stored);
        log.add(change, EventType.CALENDAR_EVENT_CREATED, stored, null);
        return WholeEvent.of(stored);
    }

    /** Where answers go when it is another address than the one of who organizes the event. */
    private @Nullable String answersTo(ReadEvent event) {
        String address = event.organizer() == null ? null : event.organizer().email();
        return address == null || mail.author().equalsIgnoreCase(address) ? null : address;
    }

    /** Stores a changed event. */
    WholeEvent stored(WholeEvent storedEvent, EventContent after, ReadEvent event) {
        CalendarTx change = change();
        CalendarEvent before = storedEvent.event();
        CalendarEvent changed = named(before, event)
                .with(
                        after,
                        before.version()
                                .changed(false, change.operation(), change.now())
                                .sequence(event.sequence()))
                .with(before.mail().withStamp(ImportedContent.stamp(event)));
        int eras = EventWrites.leavePast(change, storedEvent, after);
        WholeEvent wholeEvent = EventWrites.update(change, changed, eras, storedEvent.raised());
        log.add(change, EventType.CALENDAR_EVENT_UPDATED, changed, CalendarLog.previous(before.content(), after));
        return wholeEvent;
    }

    /** The same, last changed by this mail. */
    CalendarEvent named(CalendarEvent event, ReadEvent by) {
        CalendarEvent.Origin origin = event.origin();
        boolean isInvitation = "REQUEST".equals(mail.calendar().method());
        EventTime date = by.recurrenceId();
        // A date that was taken in before its name was kept gets it.
        boolean isUnnamed = !event.content().isSeries() && origin.recurrenceId().isEmpty();
        return new CalendarEvent(
                event.id(),
                event.place(),
                new CalendarEvent.Origin(
                        origin.uid(),
                        origin.source(),
                        origin.organizer(),
                        mail.message(),
                        isUnnamed && date != null ? RecurrenceName.of(date) : origin.recurrenceId(),
                        isInvitation ? answersTo(by) : origin.answersTo()),
                event.content(),
                event.version(),
                event.mail(),
                event.author());
    }

    /** An event that is known, to be changed. */
    WholeEvent require(UUID id) {
        return WholeEvent.require(tx(), view(), id, List.of());
    }
}
