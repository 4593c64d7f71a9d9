package dev.inboxd.calendar;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.calendar.feed.CalendarFeedSql;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.tenant.inbox.Inboxes;
import java.util.List;
import java.util.UUID;

/** Deletes the calendar of a deleted inbox slice by slice (decision 0001); no route shows it any more. */
public final class CalendarPurge implements Jobs.Handler, Inboxes.DeletionHook {
    /** The kind of the job; its subject is the inbox id. */
    public static final String KIND = "calendar.purge";

    private static final int SLICE = 200;

    private final Database database;
    private final Jobs jobs;

    /** A purge of a database. */
    public CalendarPurge(Database database, Jobs jobs) {
        this.database = database;
        this.jobs = jobs;
    }

    @Override
    public void deleted(Tx tx, UUID organization, UUID inbox) {
        jobs.add(tx, organization, KIND, inbox.toString());
    }

    @Override
    public boolean run(UUID organization, String subject) {
        View inbox = View.of(organization).inbox(UUID.fromString(subject));
        return database.write(organization, tx -> slice(tx, inbox));
    }

    private static boolean slice(Tx tx, View inbox) {
        List<UUID> events = tx.sql(inbox, "select e.event_id from calendar_event e where {e} limit :slice")
                .bind("slice", SLICE)
                .list(row -> row.uuid("event_id"));
        if (!events.isEmpty()) {
            CalendarEventSql.delete(tx, View.of(inbox.organization()), events);
            return false;
        }
        tx.sql(inbox, "delete from calendar_mail m where {m}").run();
        tx.sql(inbox, "delete from calendar_client_id c where {c}").run();
        tx.sql(inbox, "delete from calendar_cancel c where {c}").run();
        tx.sql(inbox, "delete from calendar_deletion d where {d}").run();
        CalendarFeedSql.delete(tx, inbox);
        tx.sql(inbox, "delete from calendar c where {c}").run();
        return true;
    }
}
