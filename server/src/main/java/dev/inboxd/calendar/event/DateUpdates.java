package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.calendar.content.DateFields;
import dev.inboxd.calendar.content.EventVersion;
import dev.inboxd.calendar.input.DateRequest;
import dev.inboxd.calendar.input.EventMembers;
import dev.inboxd.calendar.series.CalendarEvent;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.OverrideSql;
import dev.inboxd.calendar.series.SeriesDate;
import dev.inboxd.calendar.series.SeriesDates;
import dev.inboxd.calendar.series.SeriesParts;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.recurrence.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes of single dates of a series, alone or with those that follow. */
public final class DateUpdates {
    private static final int MOST_ALONE = SeriesDates.MOST_ALONE;
    private static final int MOST_FOLLOWING = 64;

    private final Database database;
    private final CalendarLog log;
    private final InvitationSender invitations;

    public DateUpdates(Database database, CalendarLog log, InvitationSender invitations) {
        this.database = database;
        this.log = log;
        this.invitations = invitations;
    }

    /**
     * Changes a date.
     *
     * @param future whether the dates that follow change too
     * @throws Problem as calendar.md §5 says
     */
    EventResult update(CalendarTx.Editor editor, DateRequest dateRequest, EventMembers members, boolean future) {
        View view = editor.view();
        Slot slot = dateRequest.slot();
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, editor, members.sends());
            WholeEvent wholeEvent = WholeEvent.require(tx, view, dateRequest.series(), List.of(slot));
            SeriesDate before = wholeEvent.date(slot);
            dateRequest
                    .precondition()
                    .require(before.tag(), before.series().version().revision());
            EventUpdates.requireOurs(wholeEvent.event(), members.sends());
            if (future) {
                DateChange.requireSameStart(members);
            }
            DateFields fields =
                    DateChange.fields(members, before, future, change.inbox().address());
            EventRules.requireDate(before, wholeEvent.raised(), members, change.now());
            requireRoom(wholeEvent.dates(), slot, future);
            return stored(change, wholeEvent, new Edit(before, fields, future), members);
        });
    }

    private record Edit(SeriesDate before, DateFields fields, boolean future) {}

    private EventResult stored(CalendarTx change, WholeEvent wholeEvent, Edit edit, EventMembers members) {
        SeriesDate before = edit.before;
        // Charged before anything is stored: the mail goes to those who are attendees after the change.
        if (members.sends()) {
            invitations.charge(change, mail(wholeEvent, edit, withFields(before, edit.fields)));
        }
        boolean isFirst = before.own() == null;
        store(change, wholeEvent, edit, members);
        EventVersion counted = wholeEvent.event().version().dateChanged(change.operation());
        // What is sent of dates that follow has no date's own sequence.
        boolean bumps = edit.future && members.sends();
        CalendarEvent series = wholeEvent
                .event()
                .with(wholeEvent.event().content(), bumps ? counted.sequence(counted.sequence() + 1) : counted);
        if (members.sends()) {
            series = MailStates.sent(change, series);
        }
        EventWrites.update(change, series, wholeEvent.eras().size(), wholeEvent.raised());
        SeriesDate after = reloaded(change, before);
        boolean isCancelled = after.content().isCancelled() && !before.content().isCancelled();
        log.add(
                change,
                isFirst && !edit.future && !isCancelled
                        ? EventType.CALENDAR_EVENT_CREATED
                        : EventType.CALENDAR_EVENT_UPDATED,
                after);
        if (members.sends()) {
            invitations.send(change, mail(wholeEvent, edit, after));
        }
        return EventResult.of(after, change.operation());
    }

    private static void store(CalendarTx change, WholeEvent wholeEvent, Edit edit, EventMembers members) {
        SeriesDate before = edit.before;
        Slot slot = before.slot();
        DateOverride own = before.own();
        if (edit.future) {
            DateOverride override = wholeEvent.dates().following().get(slot.at());
            Integer sequence = override == null ? null : override.version().sequence();
            if (members.sends()) { // attendees have the rest as a series of its own from now on
                sequence = wholeEvent.event().version().sequence() + 1;
            }
            DateOverride.Version version = version(change, override, sequence);
            put(change, wholeEvent, new DateOverride(slot, true, over(override, edit.fields), false, version));
        }
        if (!edit.future || own != null) { // what the date has of its own would hide the change
            Integer sequence = own == null ? null : own.version().sequence();
            if (members.sends()) {
                sequence = before.sequence() + 1;
            }
            DateFields fields =
                    DateChange.fields(members, before, false, change.inbox().address());
            DateOverride.Version version = version(change, own, sequence);
            put(
                    change,
                    wholeEvent,
                    new DateOverride(slot, false, over(own, fields), own != null && own.pinned(), version));
        }
    }

    private static InvitationChange mail(WholeEvent wholeEvent, Edit edit, SeriesDate after) {
        InvitationChange.Trigger ofDate = after.content().isCancelled()
                ? InvitationChange.Trigger.DATE_CANCELLED
                : InvitationChange.Trigger.DATE_CHANGED;
        return new InvitationChange(
                edit.future ? InvitationChange.Trigger.FOLLOWING_CHANGED : ofDate,
                wholeEvent.event(),
                after.series(),
                after,
                edit.before,
                SeriesParts.announcedCuts(wholeEvent));
    }

    private static SeriesDate withFields(SeriesDate date, DateFields fields) {
        return new SeriesDate(
                date.series(), date.slot(), date.original(), fields.over(date.content()), date.place(), date.own());
    }

    /** The date as it is now, with everything. */
    public static SeriesDate reloaded(CalendarTx change, SeriesDate before) {
        return WholeEvent.find(change.tx(), change.view(), before.series().id(), List.of(before.slot()))
                .orElseThrow()
                .date(before.slot());
    }

    public static void put(CalendarTx change, WholeEvent wholeEvent, DateOverride edit) {
        OverrideSql.put(change.tx(), change.all(), wholeEvent.event(), edit);
    }

    public static DateFields over(@Nullable DateOverride override, DateFields fields) {
        return override == null ? fields : override.fields().with(fields);
    }

    public static DateOverride.Version version(
            CalendarTx change, @Nullable DateOverride override, @Nullable Integer sequence) {
        if (override != null) {
            return override.version().changed(sequence, change.operation(), change.now());
        }
        DateOverride.Version first = DateOverride.Version.first(change.operation(), change.now());
        return sequence == null ? first : first.changed(sequence, change.operation(), change.now());
    }

    /** Refuses one more edited date than a series may have: {@code limit_exceeded}. */
    static void requireRoom(SeriesDates dates, Slot slot, boolean future) {
        if (future) {
            if (!dates.following().containsKey(slot.at()) && dates.following().size() >= MOST_FOLLOWING) {
                throw full("following-edits", MOST_FOLLOWING);
            }
        } else if (!dates.alone().containsKey(slot) && dates.alone().size() >= MOST_ALONE) {
            throw full("edited dates", MOST_ALONE);
        }
    }

    private static Problem full(String what, int most) {
        return Problem.limit(
                what, most, "The series has its " + most + " " + what + " already", "Change the series itself.");
    }

    /** Whether a series may have a date of its own there, or has one. */
    public static boolean hasRoom(WholeEvent wholeEvent, Slot slot) {
        return wholeEvent.dates().alone().containsKey(slot)
                || wholeEvent.dates().alone().size() < MOST_ALONE;
    }
}
