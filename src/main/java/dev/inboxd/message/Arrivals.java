package dev.inboxd.message;

import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.http.Query;
import dev.inboxd.json.JsonObject;
import dev.inboxd.thread.MailFilter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What arrived in an inbox, in the order of the event log, for whoever waits for one message. */
public final class Arrivals {
    private static final int WINDOW = 50;

    private final Database database;
    private final Messages messages;
    private final Contents contents;

    /** The arrivals of a database. */
    public Arrivals(Database database, Messages messages, Contents contents) {
        this.database = database;
        this.messages = messages;
        this.contents = contents;
    }

    /**
     * What a message must be like.
     *
     * @param filter sender and subject as in a list
     * @param inReplyTo the message it answers, with its angle brackets, or null
     */
    public record Sought(MailFilter filter, @Nullable String inReplyTo) {}

    /**
     * What a look found.
     *
     * @param reached the number of the event of the message, or the last number there was
     * @param message as GET shows it, or null
     */
    public record Look(long reached, @Nullable JsonObject message) {}

    private record Row(long number, MessageReads.Full full) {}

    /** Reads what is sought from a query: {@code from}, {@code subject}, {@code in_reply_to} and the flags of lists. */
    public static Sought sought(Query query) {
        MailFilter filter = MessageHttp.filter(query).with(
                new MailFilter.Texts(query.list("from"), List.of(), query.list("subject")));
        String inReplyTo = query.text("in_reply_to");
        return new Sought(filter, inReplyTo == null || inReplyTo.isEmpty() ? null : MessageHttp.named(inReplyTo));
    }

    /**
     * The first message that arrived behind that number and is sought.
     *
     * @param inbox a view of one inbox
     */
    public Look next(View inbox, Sought sought, long after) {
        long head = database.read(tx -> tx.sql(View.of(inbox.organization()),
                "select k.event_seq from organization_clock k where {k}").one(row -> row.longer("event_seq")));
        long at = after;
        List<Row> rows;
        do {
            long from = at;
            rows = database.read(tx -> rows(tx, inbox, sought, from, head));
            for (Row row : rows) {
                at = row.number;
                if (isSought(sought, row.full)) {
                    Optional<JsonObject> message = whole(inbox, row.full.message());
                    if (message.isPresent()) {
                        return new Look(row.number, message.get());
                    }
                }
            }
        } while (rows.size() == WINDOW);
        return new Look(Math.max(head, after), null);
    }

    private boolean isSought(Sought sought, MessageReads.Full full) {
        return sought.inReplyTo == null || sought.inReplyTo.equals(contents.shown(full.content()).inReplyTo());
    }

    private Optional<JsonObject> whole(View view, Message message) {
        return messages.find(view, message.id()).map(found -> contents.json(view.organization(), found));
    }

    private static List<Row> rows(Tx tx, View view, Sought sought, long after, long upTo) {
        MailFilter filter = sought.filter();
        return tx.sql(view, "select e.seq, " + MessageReads.COLUMNS + MessageReads.HEADER + """
                 from event e
                join message m on m.organization_id = e.organization_id and m.message_id = e.message_id
                join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id and not i.deleting
                join message_content c on c.organization_id = m.organization_id and c.message_id = m.message_id
                where {e} and e.type like 'message.received%' and e.seq > :after and e.seq <= :upto and {m visible}
                  and m.restricted & :excluded = 0 and\s""" + filter.wanted(MessageLists.COLUMNS)
                + (filter.after() == null ? "" : " and m.created_at >= :since")
                + (filter.before() == null ? "" : " and m.created_at < :before") + " order by e.seq limit :window")
                .bind("after", after).bind("upto", upTo).bind("excluded", filter.excluded())
                .bind("labels", filter.labels()).bind("senders", filter.texts().senders())
                .bind("subject", filter.texts().subject()).bind("since", filter.after())
                .bind("before", filter.before()).bind("window", WINDOW)
                .list(row -> new Row(row.longer("seq"), MessageReads.full(row)));
    }
}
