package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Digests;
import dev.inboxd.mail.message.RelayIds;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Statements about the ids that lead to threads: public ids, further ids of messages, and ids they refer to. */
final class ReferenceSql {
    private static final int REFERENCE_BYTES = 16;

    private ReferenceSql() {}

    /**
     * A thread found by an id.
     *
     * @param key the hash of the id asked for
     * @param restricted the bits of the labels that hide what was found
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ThreadHit(byte[] key, int restricted, MailThread thread) {}

    /**
     * An id in the index.
     *
     * @param message the message that has this id beside its public one; null when a message refers to it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Reference(
            UUID inbox,
            byte[] reference,
            UUID thread,
            @Nullable UUID message) {}

    /** After a key rotation, no thread from before its time is joined (ruling 23). */
    private static final String SINCE = """

            and t.created_at >= coalesce((select o.mail_since from organization o
                                           where o.organization_id = {organization}), '-infinity')""";

    private static final RowStatement<MessageNames.NameQuery> THREADS_OF_NAMES = RowStatement.of(
            "select {tenant}substring(sha256(convert_to(m.name, 'UTF8')) for 16) as key, m.restricted as hiding, "
                    + Threads.COLUMNS + """

            from {rows} as w
             join message m on m.organization_id = {organization} and m.inbox_id = w.inbox_id and m.name = w.name
             join thread t on t.organization_id = m.organization_id and t.thread_id = m.thread_id
            where {t}""" + SINCE,
            RowStatement.uuid("inbox_id", MessageNames.NameQuery::inbox),
            RowStatement.text("name", MessageNames.NameQuery::name));

    private static final RowStatement<MessageNames.NameQuery> THREADS_OF_REFERENCES = RowStatement.of(
            "select {tenant}r.reference as key, t.restricted | coalesce(m.restricted, 0) as hiding, " + Threads.COLUMNS
                    + """

            from {rows} as w
             join message_reference r on r.organization_id = {organization} and r.inbox_id = w.inbox_id
                                     and r.reference = w.reference
             join thread t on t.organization_id = r.organization_id and t.thread_id = r.thread_id
             left join message m on m.organization_id = r.organization_id and m.message_id = r.message_id
            where {t}""" + SINCE,
            RowStatement.uuid("inbox_id", MessageNames.NameQuery::inbox),
            RowStatement.bytes("reference", nameQuery -> reference(nameQuery.name())));

    private static final RowStatement<MessageNames.NameQuery> MESSAGES_OF_REFERENCES = RowStatement.of(
            """
            select {tenant}w.inbox_id, w.name, m.message_id, m.outgoing,
                   case when m.outgoing then m.recipients_to || m.recipients_cc || m.recipients_bcc end as recipients
            from {rows} as w
             join message_reference r on r.inbox_id = w.inbox_id and r.reference = w.reference
             join message m on m.organization_id = r.organization_id and m.message_id = r.message_id
            where {r}""",
            RowStatement.uuid("inbox_id", MessageNames.NameQuery::inbox),
            RowStatement.text("name", MessageNames.NameQuery::name),
            RowStatement.bytes("reference", nameQuery -> reference(nameQuery.name())));

    private static final RowStatement<Reference> INSERT_REFERENCES = RowStatement.of(
            """
            insert into message_reference (organization_id, inbox_id, reference, thread_id)
            select {organization}, r.inbox_id, r.reference, r.thread_id from {rows} as r
            on conflict do nothing""",
            RowStatement.uuid("inbox_id", Reference::inbox),
            RowStatement.bytes("reference", Reference::reference),
            RowStatement.uuid("thread_id", Reference::thread));

    /** The message that has an id goes before those that referred to it, and the first one before others. */
    private static final RowStatement<Reference> INSERT_ALIASES = RowStatement.of(
            """
            insert into message_reference as x (organization_id, inbox_id, reference, thread_id, message_id)
            select {organization}, r.inbox_id, r.reference, r.thread_id, r.message_id from {rows} as r
            on conflict (organization_id, inbox_id, reference) do update
            set thread_id = excluded.thread_id, message_id = excluded.message_id where x.message_id is null""",
            RowStatement.uuid("inbox_id", Reference::inbox),
            RowStatement.bytes("reference", Reference::reference),
            RowStatement.uuid("thread_id", Reference::thread),
            RowStatement.uuid("message_id", Reference::message));

    static RoundTrip.Result<ThreadHit> threadsOfNames(RoundTrip trip, View view, List<MessageNames.NameQuery> names) {
        return trip.query(view, THREADS_OF_NAMES, names, ReferenceSql::hit);
    }

    static RoundTrip.Result<ThreadHit> threadsOfReferences(
            RoundTrip trip, View view, List<MessageNames.NameQuery> names) {
        return trip.query(view, THREADS_OF_REFERENCES, names, ReferenceSql::hit);
    }

    private static ThreadHit hit(Row row) {
        return new ThreadHit(row.bytes("key"), row.integer("hiding"), Threads.read(row));
    }

    /** Adds a look-up of the messages that have these ids beside their public ones. */
    static RoundTrip.Result<MessageNames.ExistingName> messages(
            RoundTrip trip, View view, List<MessageNames.NameQuery> names) {
        return trip.query(view, MESSAGES_OF_REFERENCES, names, MessageNames::existing);
    }

    static void insertReferences(RoundTrip trip, View view, List<Reference> references) {
        trip.change(view, INSERT_REFERENCES, references);
    }

    /** Adds further ids of messages, each at most once. */
    static void insertAliases(RoundTrip trip, View view, List<Reference> aliases) {
        trip.change(view, INSERT_ALIASES, aliases);
    }

    /** The key of an id in the index of references. */
    static byte[] reference(String id) {
        return name(RelayIds.key(id));
    }

    /** The key of a public id. */
    static byte[] name(String id) {
        return Arrays.copyOf(Digests.sha256(id), REFERENCE_BYTES);
    }
}
