package dev.inboxd.mailbox.message;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Which blobs hold pieces of which messages. The rows are the only count of a blob's uses: it goes with the last of
 * them, decided under the organization's lock, and its name is never given again.
 */
final class SharedChunkSql {
    /** The pieces of a content row {@code c}, in their order; null when it has none. */
    static final String OF_CONTENT = """
            case when c.blob is not null then
                (select array_agg(concat_ws(' ', p.position, p.length, p.line, p.size, p.blob) order by p.position)
                 from message_piece p
                 where p.organization_id = c.organization_id and p.message_id = c.message_id) end""";

    private static final String COLUMNS = "p.message_id, p.position, p.length, p.line, p.size, p.blob, p.sha256";

    /** Blobs of these messages that no other message of the organization has. */
    private static final String GARBAGE = """
            with gone as (
                select c.blob from message_content c where c.organization_id = {organization}
                                                       and c.message_id = any (:ids) and c.blob is not null
                union
                select p.blob from message_piece p where p.organization_id = {organization}
                                                     and p.message_id = any (:ids))
            select g.blob from gone g
            where not exists (select 1 from message_content o where o.organization_id = {organization}
                                                                and o.blob = g.blob and not o.message_id = any (:ids))
              and not exists (select 1 from message_piece o where o.organization_id = {organization}
                                                              and o.blob = g.blob and not o.message_id = any (:ids))""";

    private static final RowStatement<MessageChunk> INSERT = RowStatement.of(
            """
            insert into message_piece (organization_id, message_id, position, length, line, size, blob, sha256)
            select {organization}, p.* from {rows} as p""",
            RowStatement.uuid("message_id", MessageChunk::message),
            RowStatement.bigint("position", of -> of.piece.position()),
            RowStatement.bigint("length", of -> of.piece.length()),
            RowStatement.integer("line", of -> of.piece.line()),
            RowStatement.bigint("size", of -> of.piece.size()),
            RowStatement.text("blob", of -> of.piece.blob()),
            RowStatement.bytes("sha256", of -> of.piece.sha256()));

    private static final RowStatement<String> USED = RowStatement.of(
            "select {tenant}r.blob from {rows} as r where exists (select 1"
                    + " from message_piece p where {p} and p.blob = r.blob)",
            RowStatement.text("blob", blob -> blob));

    private SharedChunkSql() {}

    /** A piece of a message. */
    record MessageChunk(UUID message, SharedChunk piece) {}

    /** The blobs that hold what has these digests. */
    static Map<ByteBuffer, String> findKnown(Tx tx, View all, List<byte[]> digests) {
        Map<ByteBuffer, String> known = new HashMap<>();
        tx.sql(
                        all,
                        "select " + COLUMNS + " from message_piece p where p.organization_id = {organization}"
                                + " and p.sha256 = any (:digests)")
                .bind("digests", digests.toArray(byte[][]::new))
                .list(SharedChunkSql::read)
                .forEach(of -> known.putIfAbsent(ByteBuffer.wrap(of.piece.sha256()), of.piece.blob()));
        return known;
    }

    /** Adds a look at which of some blobs are still used to the round trip that takes the organization's clock. */
    static RoundTrip.Result<String> prefetchUsed(RoundTrip opening, View all, Collection<String> blobs) {
        return opening.query(all, USED, List.copyOf(blobs), row -> row.text("blob"));
    }

    /** Adds the writing of pieces to a round trip. */
    static void appendInsert(RoundTrip trip, View all, List<MessageChunk> pieces) {
        if (!pieces.isEmpty()) {
            trip.change(all, INSERT, pieces);
        }
    }

    /**
     * Adds the removal of the pieces of some messages to a round trip, before their content is removed.
     *
     * @return the names of the blobs, of pieces and of whole messages, to delete after the commit
     */
    static RoundTrip.Result<String> appendDelete(RoundTrip trip, View all, UUID[] messages) {
        RoundTrip.Result<String> garbage = trip.query(all, GARBAGE, row -> row.text("blob"), "ids", messages);
        trip.change(
                all,
                "delete from message_piece d where d.organization_id = {organization}"
                        + " and d.message_id = any (:ids)",
                "ids",
                messages);
        return garbage;
    }

    private static MessageChunk read(Row row) {
        return new MessageChunk(
                row.uuid("message_id"),
                new SharedChunk(
                        row.longer("position"),
                        row.longer("length"),
                        row.integer("line"),
                        row.longer("size"),
                        row.text("blob"),
                        row.bytes("sha256"),
                        true));
    }
}
