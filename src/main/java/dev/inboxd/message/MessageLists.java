package dev.inboxd.message;

import dev.inboxd.database.Row;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.page.Cursor;
import dev.inboxd.page.Page;
import dev.inboxd.page.Sieve;
import dev.inboxd.page.Slice;
import dev.inboxd.thread.MailFilter;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Pages of messages. A window of rows is looked through for those that are wanted, and only these are read whole. */
final class MessageLists {
    static final MailFilter.Columns COLUMNS = new MailFilter.Columns("m.labels", "m.sender",
            "array_to_string(m.recipients_to || m.recipients_cc || m.recipients_bcc, chr(10))", "m.subject");

    private MessageLists() {}

    private record Line(MessageReads.@Nullable Full message, int seen, int shown, @Nullable Instant reached) {
        static Line read(Row row) {
            return new Line(row.uuidOrNull("message_id") == null ? null : MessageReads.full(row),
                    row.integer("seen"), row.integer("visible"), row.instantOrNull("reached"));
        }
    }

    static Slice<MessageReads.Full> page(Tx tx, View view, MailFilter filter, Page page) {
        return Sieve.fill(page, window -> look(tx, view, filter, page, window),
                full -> Cursor.of(full.message().createdAt()));
    }

    private static Sieve.Caught<MessageReads.Full> look(Tx tx, View view, MailFilter filter, Page page,
            Sieve.Window window) {
        String direction = page.ascending() ? "asc" : "desc";
        String sql = "with w as materialized (select m.message_id, m.created_at,"
                + " ({m visible}) as shown, (m.restricted & :excluded = 0 and " + filter.wanted(COLUMNS) + ") as wanted"
                + " from message m where {m}" + filter.within("m.created_at", window, page) + " limit :window)"
                + " select r.seen, r.visible, r.reached, " + MessageReads.COLUMNS + MessageReads.HEADER
                + " from (select count(*) as seen, count(*) filter (where w.shown) as visible, "
                + (page.ascending() ? "max" : "min") + "(w.created_at) as reached from w) r"
                + " left join lateral (select w.message_id from w where w.shown and w.wanted"
                + " order by w.created_at " + direction + " limit :fetch) x on true"
                + " left join message m on m.organization_id = {organization} and m.message_id = x.message_id"
                + " left join message_content c on c.organization_id = {organization} and c.message_id = x.message_id"
                + " left join inbox i on i.organization_id = {organization} and i.inbox_id = m.inbox_id"
                + " order by m.created_at " + direction;
        List<Line> lines = tx.sql(view, sql).bind("excluded", filter.excluded()).bind("labels", filter.labels())
                .bind("senders", filter.texts().senders()).bind("recipients", filter.texts().recipients())
                .bind("subject", filter.texts().subject()).bind("after", filter.after())
                .bind("before", filter.before()).bind("cursor", MailFilter.cursor(window))
                .bind("window", window.rows()).bind("fetch", window.wanted()).list(Line::read);
        Line first = lines.getFirst();
        return new Sieve.Caught<>(lines.stream().map(Line::message).filter(Objects::nonNull).toList(), first.seen,
                first.shown, first.reached == null ? null : Cursor.of(first.reached));
    }
}
