package dev.inboxd.mailbox.message;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.claim.ShownClaim;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.content.SharedChunk;
import dev.inboxd.mailbox.content.SharedChunkSql;
import dev.inboxd.mailbox.content.StoredContent;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queries of the message rows, always through a view. */
public final class MessageReads {
    public static final String COLUMNS = """
            m.message_id, m.inbox_id, i.address as inbox_name, m.pod_id, m.thread_id, m.name, m.labels, m.outgoing,
            m.sender, m.recipients_to, m.recipients_cc, m.recipients_bcc, m.delivered_to, m.subject, m.preview, m.size,
            m.attachments, m.created_at, m.updated_at, m.opened_at, m.first_contact""" + ", " + MessageSecurity.COLUMN;

    public static final String FROM = """
             from message m
             join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id and not i.deleting
            """;
    private static final String CONTENT = " join message_content c on c.organization_id = m.organization_id"
            + " and c.message_id = m.message_id where {m visible}";
    /** Larger stored bodies, in octets, are read only after memory was reserved for them. */
    static final int HEAVY = 64 * 1024;

    private static final String CHUNKS = ", " + SharedChunkSql.OF_CONTENT + " as pieces, " + ShownClaim.OF_MESSAGE;
    private static final String WITH_CONTENT =
            ", c.raw, c.shown, c.bodies, c.blob, c.header_size, c.sha256" + CHUNKS + FROM + CONTENT;
    public static final String LIGHT_COLUMNS = ", c.raw, c.shown, case when octet_length(c.bodies) <= " + HEAVY
            + " then c.bodies end as bodies, coalesce(octet_length(c.bodies), 0) > " + HEAVY
            + " as heavy, c.blob, c.header_size, c.sha256" + CHUNKS;
    private static final String LIGHT = LIGHT_COLUMNS + FROM + CONTENT;
    /** The content columns of a list: no more of the bytes than a list shows. */
    public static final String HEADER =
            ", substring(c.raw for case when c.shown is null then c.header_size else 0 end) as raw, c.shown,"
                    + " null::bytea as bodies, c.blob, c.header_size, c.sha256" + CHUNKS;
    /**
     * The octets that a message has in a list, with its attachments. Rows written before bodies had a column of their
     * own are read with their bodies.
     */
    static final String WEIGHT = "(greatest(c.header_size, octet_length(c.shown)) + 640 * m.attachments"
            + " + octet_length(array_to_string(m.labels || m.recipients_to || m.recipients_cc || m.recipients_bcc, ''))"
            + " + 1024)";

    /** The octets that are read of a message with {@link #LIGHT_COLUMNS}. */
    public static final String WEIGHT_WITH_BODIES =
            WEIGHT + " + coalesce(octet_length(c.raw), 0) + least(octet_length(c.bodies), " + HEAVY + ")";

    private static final String WITH_HEADER = HEADER + FROM + CONTENT;

    private static final RowStatement<UUID> OF_KEYS =
            RowStatement.of("select {tenant}" + COLUMNS + """

             from {rows} as w
             join message m on {m} and m.message_id = w.message_id
             join inbox i on i.organization_id = m.organization_id and i.inbox_id = m.inbox_id
                         and not i.deleting""", RowStatement.uuid("message_id", id -> id));

    /**
     * {@code offset 0} makes the planner look each message up by its id, and never scan all contents of the
     * organization.
     */
    private static final RowStatement<UUID> FULL_OF_KEYS = RowStatement.of(
            "select f.* from {rows} as w cross join lateral (select " + COLUMNS + WITH_CONTENT
                    + " and m.message_id = w.message_id offset 0) as f",
            RowStatement.uuid("message_id", id -> id));

    private MessageReads() {}

    /** A message with its content. */
    public record Full(Message message, StoredContent content, ShownClaim claim) {}

    /**
     * A message without its bodies when these are heavy.
     *
     * @param heavy whether the bodies must be read by a second query
     */
    public record Light(Full full, boolean heavy) {}

    public static Optional<Message> find(Tx tx, View view, String name) {
        return tx.sql(view, "select " + COLUMNS + FROM + " where {m visible} and m.name = :name")
                .bind("name", name)
                .first(MessageReads::message);
    }

    public static Optional<Message> find(Tx tx, View view, UUID id) {
        return tx.sql(view, "select " + COLUMNS + FROM + " where {m visible} and m.message_id = :id")
                .bind("id", id)
                .first(MessageReads::message);
    }

    public static Optional<Light> light(Tx tx, View view, String name) {
        return tx.sql(view, "select " + COLUMNS + LIGHT + " and m.name = :name")
                .bind("name", name)
                .first(MessageReads::light);
    }

    public static Optional<Light> light(Tx tx, View view, UUID id) {
        return tx.sql(view, "select " + COLUMNS + LIGHT + " and m.message_id = :id")
                .bind("id", id)
                .first(MessageReads::light);
    }

    public static Light light(Row row) {
        return new Light(full(row), row.flag("heavy"));
    }

    public static Optional<Full> full(Tx tx, View view, String name) {
        return tx.sql(view, "select " + COLUMNS + WITH_CONTENT + " and m.name = :name")
                .bind("name", name)
                .first(MessageReads::full);
    }

    public static Optional<Full> full(Tx tx, View view, UUID id) {
        return tx.sql(view, "select " + COLUMNS + WITH_CONTENT + " and m.message_id = :id")
                .bind("id", id)
                .first(MessageReads::full);
    }

    /** Adds a look-up of the messages of these ids with their content to a round trip. */
    public static RoundTrip.Result<Full> prefetchFull(RoundTrip trip, View view, List<UUID> ids) {
        return trip.query(view, FULL_OF_KEYS, ids, MessageReads::full);
    }

    /**
     * Adds a look-up of messages by their public ids to a round trip; messages that the view does not show are left
     * out.
     */
    public static RoundTrip.Result<Message> prefetch(RoundTrip trip, View view, Collection<String> names) {
        return trip.query(
                view,
                "select " + COLUMNS + FROM + " where {m visible} and m.name = any (:names)",
                MessageReads::message,
                "names",
                List.copyOf(names));
    }

    /** Adds a look-up of the oldest messages of a thread that the view shows, at most {@code limit}, oldest first. */
    public static RoundTrip.Result<Message> prefetchMembers(RoundTrip trip, View view, UUID thread, int limit) {
        return trip.query(
                view,
                "select " + COLUMNS + FROM + " where {m visible} and m.thread_id = :thread"
                        + " order by m.created_at limit :limit",
                MessageReads::message,
                "thread",
                thread,
                "limit",
                limit);
    }

    /** The messages of these public ids that the view shows, with the content that a list shows. */
    static List<Full> headed(Tx tx, View view, List<String> names) {
        return tx.sql(view, "select " + COLUMNS + WITH_HEADER + " and m.name = any (:names)")
                .bind("names", names)
                .list(MessageReads::full);
    }

    /** The messages of these ids that the view shows. */
    public static List<Message> byKey(Tx tx, View view, Collection<UUID> ids) {
        return ids.isEmpty()
                ? List.of()
                : tx.sql(view, "select " + COLUMNS + FROM + " where {m visible} and m.message_id = any (:ids)")
                        .bind("ids", ids.toArray(UUID[]::new))
                        .list(MessageReads::message);
    }

    /** Adds a look-up of the messages of these ids, in the whole organization. */
    public static RoundTrip.Result<Message> prefetchKeys(RoundTrip trip, View organization, List<UUID> ids) {
        return trip.query(organization, OF_KEYS, ids, MessageReads::message);
    }

    /** The messages of these ids that the view shows, with their whole content. */
    static List<Full> readFull(Tx tx, View view, Collection<UUID> ids) {
        return ids.isEmpty()
                ? List.of()
                : tx.sql(view, "select " + COLUMNS + WITH_CONTENT + " and m.message_id = any (:ids)")
                        .bind("ids", ids.toArray(UUID[]::new))
                        .list(MessageReads::full);
    }

    /** The messages of these ids that the view shows, with the content that a list shows. */
    static List<Full> headedByKey(Tx tx, View view, Collection<UUID> ids) {
        return tx.sql(view, "select " + COLUMNS + WITH_HEADER + " and m.message_id = any (:ids)")
                .bind("ids", ids.toArray(UUID[]::new))
                .list(MessageReads::full);
    }

    /** The octets that each of these messages has in a list. */
    static Map<UUID, Long> weights(Tx tx, View view, Collection<UUID> ids) {
        Map<UUID, Long> weights = new HashMap<>();
        tx.sql(
                        view,
                        "select m.message_id, " + WEIGHT + " as weight from message m" + CONTENT
                                + " and m.message_id = any (:ids)")
                .bind("ids", ids.toArray(UUID[]::new))
                .list(row -> weights.put(row.uuid("message_id"), row.longer("weight")));
        return weights;
    }

    static Message message(Row row) {
        return new Message(
                row.uuid("message_id"),
                new Message.Place(
                        row.uuid("inbox_id"), row.text("inbox_name"), row.uuid("pod_id"), row.uuid("thread_id")),
                row.text("name"),
                row.texts("labels"),
                row.flag("outgoing"),
                new Message.People(
                        row.text("sender"),
                        row.texts("recipients_to"),
                        row.texts("recipients_cc"),
                        row.texts("recipients_bcc"),
                        row.texts("delivered_to")),
                row.textOrNull("subject"),
                row.textOrNull("preview"),
                row.longer("size"),
                row.integer("attachments"),
                row.instant("created_at"),
                row.instant("updated_at"),
                row.instantOrNull("opened_at"),
                MessageSecurity.read(row.textOrNull("security")),
                row.flagOrNull("first_contact"));
    }

    public static Full full(Row row) {
        return new Full(
                message(row),
                new StoredContent(
                        row.bytesOrNull("raw"),
                        row.textOrNull("blob"),
                        row.integer("header_size"),
                        stored(row),
                        row.bytes("sha256"),
                        row.texts("pieces").stream().map(SharedChunk::parse).toList()),
                ShownClaim.read(row));
    }

    private static ReadableContent.@Nullable StoredForm stored(Row row) {
        byte[] head = row.bytesOrNull("shown");
        return head == null
                ? null
                : new ReadableContent.StoredForm(head, row.integer("header_size"), row.bytesOrNull("bodies"));
    }

    /** Adds the attachments of each message, the draft that it was, and the event that it made. */
    static List<FullMessage> withAttachments(Tx tx, View view, List<Full> messages) {
        List<UUID> withFiles = ids(messages, message -> message.attachments() > 0);
        List<UUID> outgoing = ids(messages, Message::outgoing);
        if (withFiles.isEmpty() && outgoing.isEmpty()) {
            return messages.stream()
                    .map(full -> new FullMessage(full.message(), full.content(), List.of(), null, null, full.claim()))
                    .toList();
        }
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<Attachment> attachmentRows = Attachments.prefetch(trip, view, withFiles);
        RoundTrip.Result<SentDrafts.SentDraft> drafts = SentDrafts.prefetch(trip, view, outgoing);
        RoundTrip.Result<CalendarMessages.MailedCalendar> events = CalendarMessages.prefetch(
                trip, view, ids(messages, message -> message.attachments() > 0 && !message.outgoing()));
        trip.run();
        Map<UUID, CalendarMessages.MailedCalendar> calendars = events.rows().stream()
                .collect(Collectors.toMap(CalendarMessages.MailedCalendar::message, calendar -> calendar));
        Map<UUID, List<Attachment>> attachments = attachmentRows.rows().stream()
                .collect(Collectors.groupingBy(attachment -> attachment.owner().message()));
        Map<UUID, UUID> origins = drafts.rows().stream()
                .collect(Collectors.toMap(SentDrafts.SentDraft::message, SentDrafts.SentDraft::draft));
        return messages.stream()
                .map(full -> new FullMessage(
                        full.message(),
                        full.content(),
                        attachments.getOrDefault(full.message().id(), List.of()),
                        origins.get(full.message().id()),
                        calendars.get(full.message().id()),
                        full.claim()))
                .toList();
    }

    private static List<UUID> ids(List<Full> messages, Predicate<Message> filter) {
        return messages.stream()
                .map(Full::message)
                .filter(filter)
                .map(Message::id)
                .toList();
    }
}
