package dev.inboxd.tenant.inbox;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.KeysetList;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a pause dropped: who wrote and when, never what (ruling 176). An inbox lists as many as {@link #MOST} of 30
 * days; the count goes on, so that a flood takes no room.
 */
public final class DroppedMail {
    /** The largest number of listed messages of an inbox. */
    static final int MOST = 10_000;

    private static final int LONGEST_SENDER = 320;
    /** What is older does not count; RetentionRule removes it. */
    private static final String SINCE = "{now} - interval '30 days'";

    private static final String FIRST_DAY = "(({now} - interval '30 days') at time zone 'UTC')::date";

    private static final RowStatement<Listed> LIST = RowStatement.of(
            withRoom("""
                    insert into dropped_message (organization_id, inbox_id, dropped_id, sender, dropped_at)
                    select {organization}, r.inbox_id, r.dropped_id, r.sender, r.dropped_at
                    from {rows} as r where r.place <= :room"""),
            RowStatement.uuid("inbox_id", row -> row.message.inbox),
            RowStatement.uuid("dropped_id", row -> row.message.id),
            RowStatement.text("sender", row -> row.message.sender),
            RowStatement.time("dropped_at", row -> row.message.at),
            RowStatement.integer("place", Listed::place));

    private static final RowStatement<Map.Entry<UUID, Integer>> COUNT = RowStatement.of(
            withRoom("""
                    insert into dropped_count as c (organization_id, inbox_id, day, messages, listed)
                    select {organization}, r.inbox_id, ({now} at time zone 'UTC')::date, r.dropped,
                           greatest(0, least(r.dropped, :room))::integer
                    from {rows} as r
                    on conflict (organization_id, inbox_id, day)
                    do update set messages = c.messages + excluded.messages, listed = c.listed + excluded.listed"""),
            RowStatement.uuid("inbox_id", Map.Entry::getKey),
            RowStatement.integer("dropped", Map.Entry::getValue));
    private static final KeysetList MESSAGES = KeysetList.byTimeAndId("m.dropped_at", "m.dropped_id");

    private final Database database;

    /** What was dropped, in a database. */
    DroppedMail(Database database) {
        this.database = database;
    }

    /** Puts in how many more messages of the inbox of a row may be listed. */
    private static String withRoom(String statement) {
        String room = """
                (:most - coalesce((select sum(x.listed) from dropped_count x
                                   where x.organization_id = {organization} and x.inbox_id = r.inbox_id
                                     and x.day >= :first), 0))""";
        return statement
                .replace(":room", room)
                .replace(":most", String.valueOf(MOST))
                .replace(":first", FIRST_DAY);
    }

    /**
     * A message that was dropped.
     *
     * @param inbox the internal id of the inbox that it was for
     * @param sender the address that it names as its author, or of its envelope; null when neither can be read
     */
    public record DroppedMessage(
            UUID inbox, UUID id, @Nullable String sender, Instant at) {
        public DroppedMessage {
            sender = sender == null ? null : sender.substring(0, Math.min(sender.length(), LONGEST_SENDER));
        }

        /** The JSON form. */
        JsonObject json() {
            return JsonObject.of("from_address", sender).with("timestamp", at);
        }

        private static DroppedMessage read(Row row) {
            return new DroppedMessage(
                    row.uuid("inbox_id"), row.uuid("dropped_id"), row.textOrNull("sender"), row.instant("dropped_at"));
        }
    }

    /**
     * A message with its place among those of one transaction for its inbox.
     *
     * @param place from 1
     */
    private record Listed(DroppedMessage message, int place) {}

    /** A page of what was dropped, and how many messages were in 30 days, with those that are not listed. */
    record DroppedPage(Slice<DroppedMessage> slice, long total) {}

    /** Adds dropped messages to the writes of a transaction. */
    public static void appendTo(RoundTrip writes, View all, List<DroppedMessage> dropped) {
        if (dropped.isEmpty()) {
            return;
        }
        Map<UUID, Integer> counts = new HashMap<>();
        List<Listed> listed = new ArrayList<>();
        dropped.forEach(message -> listed.add(new Listed(message, counts.merge(message.inbox, 1, Integer::sum))));
        writes.change(all, LIST, listed);
        writes.change(all, COUNT, List.copyOf(counts.entrySet()));
    }

    /** What an inbox dropped, the newest first unless the page says otherwise. */
    DroppedPage page(View view, UUID inbox, PageRequest page) {
        return database.read(tx -> new DroppedPage(
                page.slice(list(tx, view, inbox, page), message -> Cursor.of(message.at, message.id)),
                total(tx, view, inbox)));
    }

    private static List<DroppedMessage> list(Tx tx, View view, UUID inbox, PageRequest page) {
        String select = "select m.inbox_id, m.dropped_id, m.sender, m.dropped_at from dropped_message m"
                + " where m.organization_id = {organization} and m.inbox_id = :inbox and m.dropped_at > " + SINCE;
        return MESSAGES.page(tx, view, select, page).bind("inbox", inbox).list(DroppedMessage::read);
    }

    private static long total(Tx tx, View view, UUID inbox) {
        return tx.sql(
                        view,
                        "select coalesce(sum(c.messages), 0)::int8 as n from dropped_count c"
                                + " where c.organization_id = {organization} and c.inbox_id = :inbox"
                                + " and c.day >= " + FIRST_DAY)
                .bind("inbox", inbox)
                .single(row -> row.longer("n"));
    }
}
