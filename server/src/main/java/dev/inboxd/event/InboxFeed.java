package dev.inboxd.event;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The event feed of an inbox: one entry for each added or removed label (events.md §7). */
public final class InboxFeed {
    /** Maximum number of labels of a row, each of which is one entry. */
    private static final int MOST_LABELS = 128;

    private final Database database;

    /** The feeds of a database. */
    public InboxFeed(Database database) {
        this.database = database;
    }

    /** An entry. */
    record Entry(Tx.Stamp stamp, boolean removed, UUID pod, String inboxName, String messageName, String label) {}

    private record Line(
            long seq,
            Instant at,
            boolean removed,
            UUID pod,
            String inboxName,
            String messageName,
            List<String> labels) {
        static Line read(Row row) {
            return new Line(
                    row.longer("seq"),
                    row.instant("at"),
                    row.text("type").equals(EventType.LABEL_REMOVED.wireName()),
                    row.uuid("pod_id"),
                    row.text("inbox_name"),
                    row.text("message_name"),
                    row.texts("labels"));
        }

        /** The entry of the label at a position; its number is the row's number plus the position. */
        Entry entry(int position) {
            return new Entry(
                    new Tx.Stamp(seq + 1 + position, at), removed, pod, inboxName, messageName, labels.get(position));
        }
    }

    /**
     * A page of the feed. Entries of messages that are hidden from the view now are left out; for a deleted message
     * its last labels decide.
     *
     * @throws Problem {@code validation_error} for the token of a page behind which entries are not kept any more, the
     *     oldest first; the newest first end there
     */
    Slice<Entry> list(View view, PageRequest page) {
        List<Entry> entries = new ArrayList<>();
        for (Line line : database.read(tx -> lines(tx, view, page))) {
            List<Entry> lineEntries = new ArrayList<>();
            for (int i = 0; i < line.labels.size(); i++) {
                Entry entry = line.entry(i);
                if (isBehind(page, entry.stamp.number())) {
                    lineEntries.add(entry);
                }
            }
            entries.addAll(page.ascending() ? lineEntries : lineEntries.reversed());
        }
        List<Entry> fetched = entries.subList(0, Math.min(entries.size(), page.fetch()));
        return page.slice(fetched, entry -> Cursor.of(entry.stamp.number()));
    }

    private static boolean isBehind(PageRequest page, long number) {
        Cursor cursor = page.after();
        return cursor == null || (page.ascending() ? number > cursor.number(0) : number < cursor.number(0));
    }

    /** The rows of a page; the row that the page before ended in is read again, for its other labels. */
    private static List<Line> lines(Tx tx, View view, PageRequest page) {
        Cursor cursor = page.after();
        boolean up = page.ascending();
        if (cursor != null && up && cursor.number(0) < EventHorizon.of(tx, View.of(view.organization()))) {
            throw Problem.invalid(
                    "page_token",
                    "events that followed this page are older than events are kept here; begin without page_token");
        }
        String sql = """
                select e.seq, e.at, e.type, e.pod_id, i.address as inbox_name, e.message_name, e.labels
                from event e
                join inbox i on i.organization_id = e.organization_id and i.inbox_id = e.inbox_id
                left join message m on m.organization_id = e.organization_id and m.message_id = e.message_id
                where {e} and e.labels is not null and coalesce(m.restricted, e.restricted) & :hidden = 0
                  and (:since::timestamptz is null or (e.at >= :since and coalesce(m.created_at, e.at) >= :since))
                """
                + (cursor == null
                        ? ""
                        : up
                                ? " and e.seq > :cursor - " + MOST_LABELS
                                        + " and e.seq + cardinality(e.labels) > :cursor"
                                : " and e.seq < :cursor - 1")
                + " order by e.seq " + (up ? "asc" : "desc") + " limit :limit";
        return tx.sql(view, sql)
                .bind("hidden", view.hidden())
                .bind("since", view.since())
                .bind("limit", page.fetch() + 1)
                .bind("cursor", cursor == null ? null : cursor.number(0))
                .list(Line::read);
    }
}
