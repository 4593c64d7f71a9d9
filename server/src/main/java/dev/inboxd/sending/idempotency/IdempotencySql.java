package dev.inboxd.sending.idempotency;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Statements on the answers of sends, one row for each key; views are the whole organization. */
final class IdempotencySql {
    private static final Duration NAMED_KEPT = Duration.ofHours(24);
    private static final Duration UNNAMED_KEPT = Duration.ofMinutes(2);
    static final Duration LEASE = Duration.ofSeconds(60);

    private IdempotencySql() {}

    /**
     * The row of a key.
     *
     * @param running whether the lease of its claim has not run out
     * @param node the node that has claimed it; null when it could not name itself
     * @param answer the result of the send; null while it is claimed only
     * @param over whether its time is over
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredAnswer(
            String key,
            byte[] fingerprint,
            long fence,
            boolean running,
            @Nullable UUID node,
            @Nullable SendResult answer,
            boolean over) {
        static StoredAnswer read(Row row) {
            String name = row.textOrNull("message_name");
            return new StoredAnswer(
                    row.text("key"),
                    row.bytes("fingerprint"),
                    row.longer("fence"),
                    row.flag("running"),
                    row.uuidOrNull("node_id"),
                    name == null ? null : new SendResult(name, row.uuid("thread_id"), null, row.uuidOrNull("draft_id")),
                    row.flag("over"));
        }
    }

    private static final RowStatement<String> FIND = RowStatement.of("""
            select {tenant}s.key, s.fingerprint, s.fence, s.message_name, s.thread_id, s.draft_id, s.node_id,
                   s.expires_at <= {now} as over,
                   coalesce(s.lease_until > {real_now}, false) as running
            from {rows} as r join send_memory s on {s} and s.key = r.key\
            """, RowStatement.text("key", key -> key));

    private static final RowStatement<Answered> COMPLETE = RowStatement.of(
            """
            insert into send_memory (organization_id, key, fingerprint, fence, message_name, thread_id, draft_id,
                                     completed_at, expires_at)
            select {organization}, r.key, r.fingerprint, r.fence, r.name, r.thread, r.draft, {now},
                   {now} + make_interval(secs => r.kept)
            from {rows} as r
            on conflict (organization_id, key) do update
            set lease_until = null, fence = excluded.fence, message_name = excluded.message_name,
                thread_id = excluded.thread_id, draft_id = excluded.draft_id, completed_at = excluded.completed_at,
                expires_at = excluded.expires_at\
            """,
            RowStatement.text("key", row -> row.claim.key().text()),
            RowStatement.bytes("fingerprint", row -> row.claim.key().fingerprint()),
            RowStatement.bigint("fence", row -> row.claim.fence()),
            RowStatement.text("name", row -> row.sent.messageName()),
            RowStatement.uuid("thread", row -> row.sent.thread()),
            RowStatement.uuid("draft", row -> row.sent.draft()),
            RowStatement.integer(
                    "kept",
                    row -> Math.toIntExact((row.claim.key().isNamed() ? NAMED_KEPT : UNNAMED_KEPT).toSeconds())));

    private static final RowStatement<AnsweredSends.SendRow> FORGET = RowStatement.of(
            "delete from send_memory s using {rows} as r" + " where {s} and s.key = r.key and s.fence = r.fence",
            RowStatement.text("key", AnsweredSends.SendRow::key),
            RowStatement.bigint("fence", AnsweredSends.SendRow::fence));

    private record Answered(IdempotencyClaim claim, SendResult sent) {}

    /** Looks up the row of a key, in one statement with those of the other sends of the round trip. */
    static RoundTrip.Result<StoredAnswer> prefetch(RoundTrip opening, View all, IdempotencyKey key) {
        return opening.joinQuery(all, FIND, List.of(key.text()), StoredAnswer::read);
    }

    /**
     * Who sends with a key.
     *
     * @param fence the number of the claim
     * @param node the node; null while it may be taken for dead
     */
    record Sender(long fence, @Nullable UUID node) {}

    /** Claims a key for one send: a row without a result, with a lease. */
    static void claim(Tx tx, View all, IdempotencyKey key, Sender sender) {
        tx.sql(all, """
                insert into send_memory (organization_id, key, fingerprint, fence, node_id, lease_until, expires_at)
                values ({organization}, :key, :fingerprint, :fence, :node, {real_now} + make_interval(secs => :lease),
                        {now} + make_interval(secs => :lease))
                on conflict (organization_id, key) do update
                set fingerprint = excluded.fingerprint, fence = excluded.fence, node_id = excluded.node_id,
                    lease_until = excluded.lease_until, message_name = null, thread_id = null, draft_id = null,
                    completed_at = null,
                    expires_at = excluded.expires_at\
                """)
                .bind("key", key.text())
                .bind("fingerprint", key.fingerprint())
                .bind("fence", sender.fence)
                .bind("node", sender.node)
                .bind("lease", LEASE.toSeconds())
                .run();
    }

    /** Stores the result of a send under its key, in the commit of its message. */
    static void appendCompletion(RoundTrip writes, View all, IdempotencyClaim claim, SendResult sent) {
        writes.joinChange(all, COMPLETE, List.of(new Answered(claim, sent)));
    }

    /** Deletes the claim of a send that came to nothing; returns how many rows that were. */
    static int release(Tx tx, View all, IdempotencyClaim claim) {
        return tx.sql(
                        all,
                        "delete from send_memory s where {s}"
                                + " and s.key = :key and s.fence = :fence and s.completed_at is null")
                .bind("key", claim.key().text())
                .bind("fence", claim.fence())
                .run();
    }

    /** Deletes rows of acknowledged sends. */
    static void appendRemoval(RoundTrip writes, View all, List<AnsweredSends.SendRow> rows) {
        writes.change(all, FORGET, rows);
    }
}
