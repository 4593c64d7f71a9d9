package dev.inboxd.mailbox.content;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The chunks of messages and their blobs. The rows are the only count of a blob's uses: it is deleted with the last of
 * them, which is decided under the organization's lock, and its name is never used again.
 */
public final class SharedChunkSql {
    /** The chunks of a content row {@code c}, in their order; null when it has none. */
    public static final String OF_CONTENT = """
            case when c.blob is not null then
                (select array_agg(concat_ws(' ', p.position, p.length, p.line, p.size, p.blob) order by p.position)
                 from message_piece p
                 where p.organization_id = {organization} and p.message_id = c.message_id) end""";

    private static final String COLUMNS = "p.message_id, p.position, p.length, p.line, p.size, p.blob, p.sha256";

    /** The blobs of these messages that no other message of the organization uses. */
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
            RowStatement.bigint("position", of -> of.chunk.position()),
            RowStatement.bigint("length", of -> of.chunk.length()),
            RowStatement.integer("line", of -> of.chunk.line()),
            RowStatement.bigint("size", of -> of.chunk.size()),
            RowStatement.text("blob", of -> of.chunk.blob()),
            RowStatement.bytes("sha256", of -> of.chunk.sha256()));

    private static final RowStatement<String> USED = RowStatement.of(
            "select {tenant}r.blob from {rows} as r where exists (select 1"
                    + " from message_piece p where {p} and p.blob = r.blob)",
            RowStatement.text("blob", blob -> blob));

    private SharedChunkSql() {}

    /** A chunk of a message. */
    public record MessageChunk(UUID message, SharedChunk chunk) {}

    /** The blobs whose decoded octets have these digests, by digest. */
    static Map<ByteBuffer, String> findKnown(Tx tx, View all, List<byte[]> digests) {
        Map<ByteBuffer, String> blobsByDigest = new HashMap<>();
        tx.sql(
                        all,
                        "select " + COLUMNS + " from message_piece p where p.organization_id = {organization}"
                                + " and p.sha256 = any (:digests)")
                .bind("digests", digests.toArray(byte[][]::new))
                .list(SharedChunkSql::read)
                .forEach(of -> blobsByDigest.putIfAbsent(ByteBuffer.wrap(of.chunk.sha256()), of.chunk.blob()));
        return blobsByDigest;
    }

    /** Adds a look-up of the blobs that are still used to the round trip that takes the organization's clock. */
    public static RoundTrip.Result<String> prefetchUsed(RoundTrip opening, View all, Collection<String> blobs) {
        return opening.query(all, USED, List.copyOf(blobs), row -> row.text("blob"));
    }

    /** Adds the inserts of chunks to a round trip. */
    public static void appendInsert(RoundTrip trip, View all, List<MessageChunk> chunks) {
        if (!chunks.isEmpty()) {
            trip.change(all, INSERT, chunks);
        }
    }

    /**
     * Adds the removal of the chunks of some messages to a round trip, before their content is removed.
     *
     * @return the names of the blobs, of chunks and of whole messages, to delete after the commit
     */
    public static RoundTrip.Result<String> appendDelete(RoundTrip trip, View all, UUID[] messages) {
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
