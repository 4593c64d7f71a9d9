package dev.inboxd.calendar.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.calendar.content.Calendar;
import dev.inboxd.calendar.input.Precondition;
import dev.inboxd.calendar.series.CalendarSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.ZoneId;
import java.util.Objects;

/** The settings of calendars. */
public final class Calendars {
    private final Database database;

    public Calendars(Database database) {
        this.database = database;
    }

    /** A calendar with the inbox that has it. */
    record OfInbox(Inbox inbox, Calendar calendar) {
        JsonObject json() {
            return calendar.json(inbox);
        }
    }

    /** The calendar of the view's inbox. */
    OfInbox get(View view) {
        return database.read(tx -> new OfInbox(
                Inboxes.find(tx, view, Objects.requireNonNull(view.inbox()))
                        .orElseThrow(() -> Problem.notFound("Inbox")),
                CalendarSql.get(tx, view)));
    }

    /**
     * Sets the zone of new events.
     *
     * @throws Problem {@code precondition_failed}
     */
    OfInbox setZone(View view, ZoneId zone, Precondition precondition) {
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, view, false);
            Calendar before = CalendarSql.get(tx, view);
            precondition.require(before.tag(), before.revision());
            CalendarSql.setZone(change, zone);
            return new OfInbox(change.inbox(), CalendarSql.get(tx, view));
        });
    }
}
