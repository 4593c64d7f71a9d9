package dev.inboxd.mailbox.attachment;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** The attachment rows. A view that shows a message shows its attachments; callers check the message. */
public final class Attachments {
    static final String COLUMNS = """
            a.attachment_id, a.inbox_id, a.message_id, a.thread_id, a.part, a.filename, a.media_type, a.inline,
            a.content_id, a.size, a.text is not null as has_text""";

    private static final RowStatement<Attachment> INSERT = RowStatement.of(
            """
            insert into attachment (organization_id, attachment_id, inbox_id, message_id, thread_id, part, filename,
                                    media_type, inline, content_id, size, text_due_at)
            select {organization}, a.attachment_id, a.inbox_id, a.message_id, a.thread_id, a.part, a.filename,
                   a.media_type, a.inline, a.content_id, a.size, case when a.readable then {now} end
            from {rows} as a""",
            RowStatement.uuid("attachment_id", Attachment::id),
            RowStatement.uuid("inbox_id", attachment -> attachment.owner().inbox()),
            RowStatement.uuid("message_id", attachment -> attachment.owner().message()),
            RowStatement.uuid("thread_id", attachment -> attachment.owner().thread()),
            RowStatement.integer("part", Attachment::part),
            RowStatement.text("filename", Attachment::filename),
            RowStatement.text("media_type", Attachment::mediaType),
            RowStatement.flag("inline", Attachment::inline),
            RowStatement.text("content_id", Attachment::contentId),
            RowStatement.bigint("size", Attachment::size),
            RowStatement.flag("readable", Attachment::isReadable));

    private static final RowStatement<UUID> OF_MESSAGES = RowStatement.of(
            "select a.* from {rows} as w"
                    + " cross join lateral (select " + COLUMNS
                    + " from attachment a where a.organization_id = {organization} and a.message_id = w.message_id"
                    + " offset 0) as a order by a.part",
            RowStatement.uuid("message_id", id -> id));

    /** The most attachments that are shown of a thread, the oldest ones. */
    public static final int MOST_OF_A_THREAD = 1_000;

    private Attachments() {}

    /** Adds the inserts of attachments to a round trip. */
    public static void appendTo(RoundTrip trip, View view, List<Attachment> attachments) {
        trip.change(view, INSERT, attachments);
    }

    /** The attachments of some messages, by message, in the order of their parts. */
    public static Map<UUID, List<Attachment>> ofMessages(Tx tx, View view, Collection<UUID> messages) {
        if (messages.isEmpty()) {
            return Map.of();
        }
        return tx
                .sql(
                        view,
                        "select " + COLUMNS + " from attachment a where a.organization_id = {organization}"
                                + " and a.message_id = any (:messages) order by a.message_id, a.part")
                .bind("messages", messages.toArray(UUID[]::new))
                .list(Attachments::read)
                .stream()
                .collect(Collectors.groupingBy(attachment -> attachment.owner().message()));
    }

    /** Adds a look-up of the attachments of some messages to a round trip, in the order of their parts. */
    public static RoundTrip.Result<Attachment> prefetch(RoundTrip trip, View view, List<UUID> messages) {
        return trip.query(view, OF_MESSAGES, messages, Attachments::read);
    }

    /** The attachments that the view shows of some threads, by thread, oldest message first (mail.md §10.4). */
    public static Map<UUID, List<Attachment>> ofThreads(Tx tx, View view, Collection<UUID> threads) {
        if (threads.isEmpty()) {
            return Map.of();
        }
        String query =
                "select a.* from unnest(:threads::uuid[]) as w (thread_id) cross join lateral (select " + COLUMNS + """

                from attachment a
                join message m on m.organization_id = a.organization_id and m.message_id = a.message_id
                join thread t on t.organization_id = a.organization_id and t.thread_id = a.thread_id
                where a.organization_id = {organization} and a.thread_id = w.thread_id and {m visible}
                  and m.restricted & (EXCLUDED) = 0
                order by m.created_at, a.part limit MOST) as a""";
        String excluded = RestrictedLabel.excludedBits("t.restricted");
        return tx
                .sql(view, query.replace("EXCLUDED", excluded).replace("MOST", String.valueOf(MOST_OF_A_THREAD)))
                .bind("threads", threads.toArray(UUID[]::new))
                .list(Attachments::read)
                .stream()
                .collect(Collectors.groupingBy(attachment -> attachment.owner().thread()));
    }

    /** The attachments of these ids, by id, without those that were deleted. */
    public static Map<UUID, Attachment> byId(Tx tx, View view, Collection<UUID> ids) {
        return ids.isEmpty()
                ? Map.of()
                : tx
                        .sql(
                                view,
                                "select " + COLUMNS + " from unnest(:ids::uuid[]) as l (id) join attachment a"
                                        + " on a.organization_id = {organization} and a.attachment_id = l.id")
                        .bind("ids", ids.toArray(UUID[]::new))
                        .list(Attachments::read)
                        .stream()
                        .collect(Collectors.toMap(Attachment::id, attachment -> attachment));
    }

    /** One attachment, if the view's organization has it. The caller checks that the view shows its message. */
    public static Optional<Attachment> find(Tx tx, View view, UUID id) {
        return tx.sql(
                        view,
                        "select " + COLUMNS + " from attachment a where a.organization_id = {organization}"
                                + " and a.attachment_id = :id")
                .bind("id", id)
                .first(Attachments::read);
    }

    static Attachment read(Row row) {
        return new Attachment(
                row.uuid("attachment_id"),
                new Attachment.Owner(row.uuid("inbox_id"), row.uuid("message_id"), row.uuid("thread_id")),
                row.integer("part"),
                row.textOrNull("filename"),
                row.text("media_type"),
                row.flag("inline"),
                row.textOrNull("content_id"),
                row.longer("size"),
                row.flag("has_text"));
    }
}
