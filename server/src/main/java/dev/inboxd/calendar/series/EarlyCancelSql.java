package dev.inboxd.calendar.series;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.List;

/** The rows of cancellations that came before what they cancel (ruling 157). */
public final class EarlyCancelSql {
    /** How many an inbox keeps; the oldest goes. */
    private static final int MOST = 1_000;

    private EarlyCancelSql() {}

    /**
     * A cancellation.
     *
     * @param recurrenceId the date that it is of, see {@link RecurrenceName}; empty for the whole event
     * @param organizer whose word it is, in lower case
     */
    public record EarlyCancel(String uid, String recurrenceId, String organizer, int sequence, Instant stamp) {}

    /** The cancellations of a UID. */
    public static List<EarlyCancel> list(Tx tx, View inbox, String uid) {
        return tx.sql(
                        inbox,
                        "select c.uid, c.recurrence_id, c.organizer, c.sequence, c.dtstamp from calendar_cancel c"
                                + " where {c} and c.uid = :uid")
                .bind("uid", uid)
                .list(row -> new EarlyCancel(
                        row.text("uid"),
                        row.text("recurrence_id"),
                        row.text("organizer"),
                        row.integer("sequence"),
                        row.instant("dtstamp")));
    }

    /** Keeps a cancellation; of several of one date by one organizer the newest. */
    public static void put(CalendarTx change, EarlyCancel cancel) {
        Tx tx = change.tx();
        tx.sql(change.all(), """
                insert into calendar_cancel (organization_id, inbox_id, uid, recurrence_id, pod_id, organizer, sequence,
                                             dtstamp, created_at)
                values ({organization}, :inbox, :uid, :date, :pod, :organizer, :sequence, :stamp, :now)
                on conflict (organization_id, inbox_id, uid, recurrence_id, organizer) do update
                set sequence = excluded.sequence, dtstamp = excluded.dtstamp, created_at = excluded.created_at
                where (excluded.sequence, excluded.dtstamp) > (calendar_cancel.sequence, calendar_cancel.dtstamp)""")
                .bind("inbox", change.inbox().id())
                .bind("uid", cancel.uid())
                .bind("date", cancel.recurrenceId())
                .bind("pod", change.inbox().pod())
                .bind("organizer", cancel.organizer())
                .bind("sequence", cancel.sequence())
                .bind("stamp", cancel.stamp())
                .bind("now", change.now())
                .run();
        List<Instant> past = tx.sql(
                        change.view(),
                        "select c.created_at from calendar_cancel c where {c} order by c.created_at desc"
                                + " offset :most limit 1")
                .bind("most", MOST)
                .list(row -> row.instant("created_at"));
        if (!past.isEmpty()) {
            tx.sql(change.view(), "delete from calendar_cancel c where {c} and c.created_at <= :past")
                    .bind("past", past.getFirst())
                    .run();
        }
    }
}
