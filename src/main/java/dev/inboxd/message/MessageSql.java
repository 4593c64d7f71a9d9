package dev.inboxd.message;

import dev.inboxd.access.RestrictedLabel;
import dev.inboxd.database.Row;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.TextArray;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.Threads;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The message rows as they are made, many at a time. Reading is in {@link MessageReads}. */
final class MessageSql {
    private MessageSql() {}

    /** A thread that a name led to; the key is the reference asked for. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Hit(byte[] key, MailThread thread) {}

    /** A Message-ID that a stored message refers to. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Reference(UUID inbox, byte[] reference, UUID thread) {}

    /** A message to be stored with its content. */
    record Line(Message message, Content content) {}

    /** No thread from before a rotated key's time is joined (contract README, ruling 23). */
    private static final String SINCE = """

            and t.created_at >= coalesce((select o.mail_since from organization o
                                           where o.organization_id = {organization}), '-infinity')""";

    private static final String THREADS_OF_NAMES = "select substring(sha256(convert_to(m.name, 'UTF8')) for 16) as key, "
            + Threads.COLUMNS + """

            from unnest(:inboxes::uuid[], :names::text[]) as w (inbox_id, name)
             join message m on m.organization_id = {organization} and m.inbox_id = w.inbox_id and m.name = w.name
             join thread t on t.organization_id = m.organization_id and t.thread_id = m.thread_id
            where {t}""" + SINCE;

    private static final String THREADS_OF_REFERENCES = "select r.reference as key, " + Threads.COLUMNS + """

            from unnest(:inboxes::uuid[], :references::bytea[]) as w (inbox_id, reference)
             join message_reference r on r.organization_id = {organization} and r.inbox_id = w.inbox_id
                                     and r.reference = w.reference
             join thread t on t.organization_id = r.organization_id and t.thread_id = r.thread_id
            where {t}""" + SINCE;

    private static final String INSERT_REFERENCES = """
            insert into message_reference (organization_id, inbox_id, reference, thread_id)
            select {organization}, r.inbox_id, r.reference, r.thread_id
            from unnest(:inboxes::uuid[], :references::bytea[], :threads::uuid[]) as r (inbox_id, reference, thread_id)
            on conflict do nothing""";

    private static final String INSERT = """
            insert into message (organization_id, message_id, inbox_id, pod_id, thread_id, name, labels, restricted,
                                 outgoing, sender, recipients_to, recipients_cc, recipients_bcc, subject, preview, size,
                                 attachments, created_at, updated_at)
            select {organization}, m.id, m.inbox_id, m.pod_id, m.thread_id, m.name, m.labels::text[], m.restricted,
                   m.outgoing, m.sender, m.addressees::text[], m.cc::text[], m.bcc::text[], m.subject, m.preview, m.size,
                   m.attachments, m.at, m.at
            from unnest(:ids::uuid[], :inboxes::uuid[], :pods::uuid[], :threads::uuid[], :names::text[],
                        :labels::text[], :restricted::int[], :outgoing::bool[], :senders::text[], :to::text[],
                        :cc::text[], :bcc::text[], :subjects::text[], :previews::text[], :sizes::bigint[],
                        :attachments::int[], :ats::timestamptz[])
                 as m (id, inbox_id, pod_id, thread_id, name, labels, restricted, outgoing, sender, addressees, cc, bcc,
                       subject, preview, size, attachments, at)""";

    private static final String INSERT_CONTENT = """
            insert into message_content (organization_id, message_id, inbox_id, raw, header_size, blob, shown, sha256)
            select {organization}, c.id, c.inbox_id, c.raw, c.header_size, c.blob, c.shown, c.sha256
            from unnest(:ids::uuid[], :inboxes::uuid[], :raws::bytea[], :sizes::int[], :blobs::text[], :shown::bytea[],
                        :digests::bytea[])
                 as c (id, inbox_id, raw, header_size, blob, shown, sha256)""";

    static RoundTrip.Pending<Hit> threadsOfNames(RoundTrip trip, View view, List<UUID> inboxes, List<String> names) {
        return trip.look(view, THREADS_OF_NAMES, MessageSql::hit,
                "inboxes", inboxes.toArray(UUID[]::new), "names", names);
    }

    static RoundTrip.Pending<Hit> threadsOfReferences(RoundTrip trip, View view, List<UUID> inboxes,
            byte[][] references) {
        return trip.look(view, THREADS_OF_REFERENCES, MessageSql::hit,
                "inboxes", inboxes.toArray(UUID[]::new), "references", references);
    }

    private static Hit hit(Row row) {
        return new Hit(row.bytes("key"), Threads.read(row));
    }

    static RoundTrip.Pending<Messages.Taken> taken(RoundTrip trip, View view, List<UUID> inboxes, List<String> names) {
        return trip.look(view, "select m.inbox_id, m.name, m.message_id, m.outgoing"
                + " from unnest(:inboxes::uuid[], :names::text[]) as w (inbox_id, name)"
                + " join message m on m.inbox_id = w.inbox_id and m.name = w.name where {m}",
                row -> new Messages.Taken(row.uuid("inbox_id"), row.text("name"), row.uuid("message_id"),
                        row.flag("outgoing")),
                "inboxes", inboxes.toArray(UUID[]::new), "names", names);
    }

    static void insertReferences(RoundTrip trip, View view, List<Reference> references) {
        if (!references.isEmpty()) {
            trip.change(view, INSERT_REFERENCES,
                    "inboxes", references.stream().map(Reference::inbox).toArray(UUID[]::new),
                    "references", references.stream().map(Reference::reference).toArray(byte[][]::new),
                    "threads", references.stream().map(Reference::thread).toArray(UUID[]::new));
        }
    }

    static void insert(RoundTrip trip, View view, List<Line> lines) {
        if (lines.isEmpty()) {
            return;
        }
        UUID[] ids = lines.stream().map(line -> line.message.id()).toArray(UUID[]::new);
        UUID[] inboxes = lines.stream().map(line -> line.message.place().inbox()).toArray(UUID[]::new);
        trip.change(view, INSERT, "ids", ids, "inboxes", inboxes,
                "pods", lines.stream().map(line -> line.message.place().pod()).toArray(UUID[]::new),
                "threads", lines.stream().map(line -> line.message.place().thread()).toArray(UUID[]::new),
                "names", texts(lines, Message::name),
                "labels", texts(lines, message -> TextArray.literal(message.labels())),
                "restricted", lines.stream().map(line -> line.message.restricted()).toArray(Integer[]::new),
                "outgoing", lines.stream().map(line -> line.message.outgoing()).toArray(Boolean[]::new),
                "senders", texts(lines, message -> message.people().from()),
                "to", texts(lines, message -> TextArray.literal(message.people().to())),
                "cc", texts(lines, message -> someOrNull(message.people().cc())),
                "bcc", texts(lines, message -> someOrNull(message.people().bcc())),
                "subjects", texts(lines, Message::subject),
                "previews", texts(lines, Message::preview),
                "sizes", lines.stream().map(line -> line.message.size()).toArray(Long[]::new),
                "attachments", lines.stream().map(line -> line.message.attachments()).toArray(Integer[]::new),
                "ats", lines.stream().map(line -> line.message.createdAt()).toArray(Instant[]::new));
        trip.change(view, INSERT_CONTENT, "ids", ids, "inboxes", inboxes,
                "raws", lines.stream().map(line -> line.content.raw()).toArray(byte[][]::new),
                "sizes", lines.stream().map(line -> line.content.headerSize()).toArray(Integer[]::new),
                "blobs", lines.stream().map(line -> line.content.blob()).toArray(String[]::new),
                "shown", lines.stream().map(line -> line.content.shown()).toArray(byte[][]::new),
                "digests", lines.stream().map(line -> line.content.sha256()).toArray(byte[][]::new));
    }

    static void relabel(Tx tx, View view, UUID message, List<String> labels, Instant now) {
        tx.sql(view, "update message m set labels = :labels, restricted = :restricted, updated_at = :now"
                + " where {m} and m.message_id = :message")
                .bind("labels", labels).bind("restricted", RestrictedLabel.bits(labels)).bind("now", now)
                .bind("message", message).run();
    }

    private static String[] texts(List<Line> lines, Function<Message, @Nullable String> part) {
        return lines.stream().map(line -> part.apply(line.message)).toArray(String[]::new);
    }

    private static @Nullable String someOrNull(List<String> addresses) {
        return addresses.isEmpty() ? null : TextArray.literal(addresses);
    }
}
