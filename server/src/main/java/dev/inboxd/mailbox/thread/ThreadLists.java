package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.FilteredPage;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.claim.ShownClaim;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Pages of threads. Windows of rows are filtered first; only the matching rows are then read whole. Their addresses are
 * as long as their senders like, so a page ends early when it would exceed the memory for them.
 */
final class ThreadLists {
    private static final MailFilter.Columns COLUMNS = new MailFilter.Columns(
            "t.labels",
            "array_to_string(t.senders, chr(10))",
            "array_to_string(t.recipients, chr(10))",
            "t.subject",
            "t.attachments");

    private final Tx tx;
    private final View view;
    private final ThreadFilter filter;
    private final PageRequest page;
    private long room;

    private ThreadLists(Tx tx, View view, ThreadFilter filter, PageRequest page) {
        this.tx = tx;
        this.view = view;
        this.filter = filter;
        this.page = page;
        this.room = page.room();
    }

    private record Line(
            Threads.@Nullable InboxThread thread,
            long weight,
            int rowsRead,
            int shown,
            int total,
            @Nullable Instant reached) {
        static Line read(Row row) {
            boolean hasThread = row.uuidOrNull("thread_id") != null;
            return new Line(
                    hasThread ? ThreadSql.readNamed(row) : null,
                    hasThread ? row.longer("weight") : 0,
                    row.integer("seen"),
                    row.integer("visible"),
                    row.integer("found"),
                    row.instantOrNull("reached"));
        }
    }

    static Slice<Threads.InboxThread> page(Tx tx, View view, ThreadFilter filter, PageRequest page) {
        ThreadLists list = new ThreadLists(tx, view, filter, page);
        return FilteredPage.fill(page, list::readWindow, named -> filter.place(named.thread()));
    }

    private FilteredPage.WindowResult<Threads.InboxThread> readWindow(FilteredPage.Window window) {
        String direction = page.ascending() ? "asc" : "desc";
        String key = filter.key();
        String sql = "with c as materialized (select t.thread_id, t.inbox_id, " + key + " as at,"
                + " ({t visible}) as shown, (t.restricted & :excluded = 0 and "
                + filter.condition(COLUMNS) + ") as wanted"
                + " from thread t where {t}" + filter.within(window, page) + " limit :window),"
                + " x as materialized (select y.thread_id, y.inbox_name, " + ThreadSql.WEIGHT
                + " as weight, coalesce(sum(" + ThreadSql.WEIGHT + ") over (order by y.at " + direction
                + " rows between unbounded preceding and 1 preceding), 0) as ahead"
                + " from (select c.thread_id, c.at, i.address as inbox_name from c join inbox i"
                + " on i.organization_id = {organization} and i.inbox_id = c.inbox_id and not i.deleting"
                + " where c.shown and c.wanted order by c.at " + direction + " limit :fetch) y"
                + " join thread t on t.organization_id = {organization} and t.thread_id = y.thread_id)"
                + " select r.seen, r.visible, r.reached, r.found, x.weight, x.inbox_name, "
                + (filter.waiting() == null ? ThreadSql.SHOWN : ThreadSql.COLUMNS) + ", " + ShownClaim.OF_THREAD
                + " from (select count(*) as seen, count(*) filter (where c.shown) as visible, "
                + (page.ascending() ? "max" : "min") + "(c.at) as reached,"
                + " (select count(*) from x) as found from c) r"
                + " left join x on x.ahead < :room"
                + " left join thread t on t.organization_id = {organization} and t.thread_id = x.thread_id"
                + " order by " + key + " " + direction;
        List<Line> lines =
                filter.bind(tx.sql(view, sql), window).bind("room", room).list(Line::read);
        Line first = lines.getFirst();
        List<Threads.InboxThread> threads =
                lines.stream().map(Line::thread).filter(Objects::nonNull).toList();
        room -= lines.stream().mapToLong(Line::weight).sum();
        return new FilteredPage.WindowResult<>(
                threads,
                first.rowsRead,
                first.shown,
                first.reached == null ? null : Cursor.of(first.reached),
                threads.size() < first.total);
    }
}
