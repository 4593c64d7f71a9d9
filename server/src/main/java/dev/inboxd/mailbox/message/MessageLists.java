package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.FilteredPage;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.thread.MailFilter;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Pages of messages. Windows of rows are filtered first; only the matching rows are then read whole. Their headers are
 * as long as their senders like, so a page ends early when its headers would exceed the memory for them.
 */
public final class MessageLists {
    public static final MailFilter.Columns COLUMNS = new MailFilter.Columns(
            "m.labels",
            "m.sender",
            "array_to_string(m.recipients_to || m.recipients_cc || m.recipients_bcc, chr(10))",
            "m.subject",
            "m.attachments");
    /** Headers are read whole, and hardly shown: 8 KiB for each message. */
    private static final int HEADERS = 2;

    private final Tx tx;
    private final View view;
    private final MailFilter filter;
    private final PageRequest page;
    private long room;

    private MessageLists(Tx tx, View view, MailFilter filter, PageRequest page) {
        this.tx = tx;
        this.view = view;
        this.filter = filter;
        this.page = page;
        this.room = HEADERS * page.room();
    }

    /**
     * A row of a window's result. The first row has the counts of the window; each row has a message, if any matches.
     */
    private record Line(
            MessageReads.@Nullable Full message,
            long weight,
            int rowsRead,
            int shown,
            int total,
            @Nullable Instant reached) {
        static Line read(Row row) {
            boolean hasMessage = row.uuidOrNull("message_id") != null;
            return new Line(
                    hasMessage ? MessageReads.full(row) : null,
                    hasMessage ? row.longer("weight") : 0,
                    row.integer("seen"),
                    row.integer("visible"),
                    row.integer("found"),
                    row.instantOrNull("reached"));
        }
    }

    static Slice<MessageReads.Full> page(Tx tx, View view, MailFilter filter, PageRequest page) {
        MessageLists list = new MessageLists(tx, view, filter, page);
        return FilteredPage.fill(
                page, list::readWindow, full -> Cursor.of(full.message().createdAt()));
    }

    private FilteredPage.WindowResult<MessageReads.Full> readWindow(FilteredPage.Window window) {
        List<Line> lines = filter.bind(tx.sql(view, sql(window)), window)
                .bind("room", room)
                .list(Line::read);
        Line first = lines.getFirst();
        List<MessageReads.Full> messages =
                lines.stream().map(Line::message).filter(Objects::nonNull).toList();
        room -= lines.stream().mapToLong(Line::weight).sum();
        return new FilteredPage.WindowResult<>(
                messages,
                first.rowsRead,
                first.shown,
                first.reached == null ? null : Cursor.of(first.reached),
                messages.size() < first.total);
    }

    /** The query of a window. A message is on the page when it begins within the room, so one message always fits. */
    private String sql(FilteredPage.Window window) {
        String direction = page.ascending() ? "asc" : "desc";
        return "with w as materialized (select m.message_id, m.created_at,"
                + " ({m visible}) as shown, (m.restricted & :excluded = 0 and " + filter.condition(COLUMNS)
                + ") as wanted from message m where {m}" + filter.within("m.created_at", window, page)
                + " limit :window),"
                + " x as materialized (select y.message_id, " + MessageReads.WEIGHT + " as weight, coalesce(sum("
                + MessageReads.WEIGHT + ") over (order by y.created_at " + direction
                + " rows between unbounded preceding and 1 preceding), 0) as ahead"
                + " from (select w.message_id, w.created_at from w where w.shown and w.wanted order by w.created_at "
                + direction + " limit :fetch) y join message_content c"
                + " on c.organization_id = {organization} and c.message_id = y.message_id"
                + " join message m on m.organization_id = {organization} and m.message_id = y.message_id)"
                + " select r.seen, r.visible, r.reached, r.found, x.weight, " + MessageReads.COLUMNS
                + MessageReads.HEADER
                + " from (select count(*) as seen, count(*) filter (where w.shown) as visible, "
                + (page.ascending() ? "max" : "min") + "(w.created_at) as reached,"
                + " (select count(*) from x) as found from w) r"
                + " left join x on x.ahead < :room"
                + " left join message m on m.organization_id = {organization} and m.message_id = x.message_id"
                + " left join message_content c on c.organization_id = {organization} and c.message_id = x.message_id"
                + " left join inbox i on i.organization_id = {organization} and i.inbox_id = m.inbox_id"
                + " order by m.created_at " + direction;
    }
}
