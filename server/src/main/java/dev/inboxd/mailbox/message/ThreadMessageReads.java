package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.WeighedPage;
import java.util.UUID;

/** Reads the messages of a thread, a few of any size at a time. */
final class ThreadMessageReads {
    /** The octets of a thread's messages that are read together. */
    private static final long ROOM_OF_THREAD = 1 << 20;

    private static final String OF_KEY = " join message m on m.organization_id = {organization}"
            + " and m.message_id = k.message_id join message_content c on c.organization_id = {organization}"
            + " and c.message_id = k.message_id";

    private ThreadMessageReads() {}

    /** The messages of a thread that the view shows, the newest first, as far as there is room for them. */
    static WeighedPage.Rows<MessageReads.Light> ofThread(
            Tx tx, View view, UUID thread, int excluded, PageRequest page) {
        String keys = "select m.message_id, m.created_at" + MessageReads.FROM
                + " where {m visible} and m.thread_id = :thread"
                + " and m.restricted & :excluded = 0" + (page.after() == null ? "" : " and m.created_at < :cursor")
                + " order by m.created_at desc limit :limit";
        return WeighedPage.Rows.of(tx.sql(
                        view,
                        "select " + MessageReads.COLUMNS + MessageReads.LIGHT_COLUMNS + ", x.found from "
                                + WeighedPage.within(keys, OF_KEY, MessageReads.WEIGHT_WITH_BODIES, "created_at desc")
                                + " as x" + OF_KEY.replace("k.", "x.") + " join inbox i"
                                + " on i.organization_id = {organization} and i.inbox_id = m.inbox_id"
                                + " where x.ahead < :room order by x.created_at desc")
                .bind("thread", thread)
                .bind("excluded", excluded)
                .bind("limit", page.fetch())
                .bind("room", ROOM_OF_THREAD)
                .bind("cursor", page.after() == null ? null : page.after().instant(0))
                .list(row -> new WeighedPage.Counted<>(MessageReads.light(row), row.integer("found"))));
    }
}
