package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.label.Labels;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a person should know of the conversations of an organization, by one statement that looks at the newest
 * {@value #NEWEST}, and for what is unread at as many of the newest before the given time.
 *
 * @param unread those that are unread and older than the given time
 * @param delayed those with a message that could not leave yet
 * @param loops those in which a machine and an agent answer each other, the newest first
 */
public record ThreadAlerts(int unread, int delayed, List<MailLoop> loops) {
    private static final int NEWEST = 2_000;
    private static final int MOST_LOOPS = 5;

    /** Limited before anything is looked for: the newest conversations may all be what no list shows. */
    private static final String SQL = """
            with n as materialized (
                select t.thread_id, t.inbox_id, t.labels, t.message_count, t.at,
                       ({t visible} and t.restricted = 0) as shown
                from thread t where {t} order by t.at desc limit :newest),
            o as materialized (
                select t.inbox_id, t.labels, ({t visible} and t.restricted = 0) as shown
                from thread t where {t} and t.at < :since order by t.at desc limit :newest)
            select c.unread, c.delayed, l.thread_id, l.inbox_name, l.message_count
            from (select (select count(*) from o join inbox i on i.organization_id = {organization}
                                                             and i.inbox_id = o.inbox_id and not i.deleting
                          where o.shown and o.labels @> :unread::text[])::int as unread,
                         (select count(*) from n join inbox i on i.organization_id = {organization}
                                                             and i.inbox_id = n.inbox_id and not i.deleting
                          where n.shown and n.labels @> :delayed::text[])::int as delayed) as c
            left join (select n.thread_id, i.address as inbox_name, n.message_count, n.at
                       from n join inbox i on i.organization_id = {organization} and i.inbox_id = n.inbox_id
                                          and not i.deleting
                       where n.shown and n.labels @> :loop::text[] and n.at >= :since and n.message_count >= :long
                       order by n.at desc limit :most) as l on true
            order by l.at desc""";

    public ThreadAlerts {
        loops = List.copyOf(loops);
    }

    /**
     * A conversation that looks like a loop.
     *
     * @param inboxName the public id of its inbox
     * @param messages how many it has
     */
    public record MailLoop(UUID thread, String inboxName, int messages) {}

    private record Line(int unread, int delayed, @Nullable MailLoop loop) {
        static Line read(Row row) {
            UUID thread = row.uuidOrNull("thread_id");
            return new Line(
                    row.integer("unread"),
                    row.integer("delayed"),
                    thread == null ? null : new MailLoop(thread, row.text("inbox_name"), row.integer("message_count")));
        }
    }

    /**
     * Reads them.
     *
     * @param since what is unread and older counts, and loops that go on since then
     * @param loop messages from which a conversation with a machine looks like a loop
     */
    public static ThreadAlerts of(Tx tx, View view, Instant since, int loop) {
        List<Line> lines = tx.sql(view, SQL)
                .bind("newest", NEWEST)
                .bind("unread", new String[] {Labels.UNREAD})
                .bind("delayed", new String[] {Labels.DELAYED})
                .bind("loop", new String[] {Labels.AUTO_REPLY, Labels.SENT})
                .bind("since", since)
                .bind("long", loop)
                .bind("most", MOST_LOOPS)
                .list(Line::read);
        return new ThreadAlerts(
                lines.getFirst().unread,
                lines.getFirst().delayed,
                lines.stream().map(Line::loop).filter(Objects::nonNull).toList());
    }
}
