package dev.inboxd.sending;

import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Stores the results of sends (mail.md §11, promises P4 and P5). A send with an Idempotency-Key first claims the key,
 * in a commit of its own, with a lease and a fencing number; the message's transaction completes the claim. A send
 * without a key stores its result under the fingerprint of its request until its response was written. So a repeat
 * after a lost response finds the first result and sends no second message.
 */
public final class IdempotencyStore {
    private static final Duration NAMED_KEPT = Duration.ofHours(24);
    private static final Duration UNNAMED_KEPT = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Database database;
    private final AnsweredSends answered = new AnsweredSends();
    private final IdempotencyCleanup cleanup;

    /** The store in a database. */
    public IdempotencyStore(Database database) {
        this.database = database;
        this.cleanup = new IdempotencyCleanup(database, answered);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record StoredAnswer(
            String key,
            byte[] fingerprint,
            long fence,
            boolean running,
            @Nullable SendResult answer,
            boolean over) {
        static StoredAnswer read(Row row) {
            String name = row.textOrNull("message_name");
            return new StoredAnswer(
                    row.text("key"),
                    row.bytes("fingerprint"),
                    row.longer("fence"),
                    row.flag("running"),
                    name == null ? null : new SendResult(name, row.uuid("thread_id"), null, row.uuidOrNull("draft_id")),
                    row.flag("over"));
        }
    }

    static final RowStatement<String> LOOK = RowStatement.of("""
            select {tenant}s.key, s.fingerprint, s.fence, s.message_name, s.thread_id, s.draft_id,
                   s.expires_at <= {now} as over,
                   coalesce(s.lease_until > {now}, false) as running
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
            RowStatement.text("key", each -> each.claim.key().text()),
            RowStatement.bytes("fingerprint", each -> each.claim.key().fingerprint()),
            RowStatement.bigint("fence", each -> each.claim.fence()),
            RowStatement.text("name", each -> each.sent.messageName()),
            RowStatement.uuid("thread", each -> each.sent.thread()),
            RowStatement.uuid("draft", each -> each.sent.draft()),
            RowStatement.integer(
                    "kept",
                    each -> Math.toIntExact((each.claim.key().isNamed() ? NAMED_KEPT : UNNAMED_KEPT).toSeconds())));

    private record Answered(IdempotencyClaim claim, SendResult sent) {}

    /** Whom the message of a stored result went to; null when it was deleted since. */
    Message.@Nullable People people(View view, String name) {
        return database.read(
                tx -> Messages.find(tx, view, name).map(Message::people).orElse(null));
    }

    /**
     * Begins a send. The caller ends the claim in every case. Without an Idempotency-Key nothing is written yet.
     *
     * @throws Problem {@code conflict} when a request with this Idempotency-Key is in progress, or another request used
     *     it
     */
    IdempotencyClaim begin(IdempotencyKey key) {
        // Random, not counted: after the row was deleted, a counter could repeat an earlier fencing number.
        long fence = RANDOM.nextLong(Long.MAX_VALUE);
        return new IdempotencyClaim(key, answered, fence, key.isNamed() ? earlierOrClaimed(key, fence) : null);
    }

    /** The stored result of an earlier send with the key, or null when this send has claimed it. */
    private @Nullable SendResult earlierOrClaimed(IdempotencyKey key, long fence) {
        View view = View.of(key.organization());
        return database.write(key.organization(), 1, (tx, opening) -> {
            RoundTrip.Result<StoredAnswer> found = opening.query(view, LOOK, List.of(key.text()), StoredAnswer::read);
            opening.run();
            StoredAnswer kept = found.rows().stream()
                    .filter(each -> !each.over || each.running)
                    .findFirst()
                    .orElse(null);
            if (kept != null && !Arrays.equals(kept.fingerprint, key.fingerprint())) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The Idempotency-Key was used for a different request",
                        "Use a new key for a new request.");
            }
            if (kept != null && kept.answer != null) {
                return kept.answer;
            }
            if (kept != null && kept.running) {
                throw Problem.of(ErrorCode.CONFLICT, "A request with this Idempotency-Key is in progress")
                        .retryAfter(Duration.ofSeconds(1));
            }
            tx.sql(view, """
                insert into send_memory (organization_id, key, fingerprint, fence, lease_until, expires_at)
                values ({organization}, :key, :fingerprint, :fence, {now} + make_interval(secs => :lease),
                        {now} + make_interval(secs => :lease))
                on conflict (organization_id, key) do update
                set fingerprint = excluded.fingerprint, fence = excluded.fence, lease_until = excluded.lease_until,
                    message_name = null, thread_id = null, draft_id = null, completed_at = null,
                    expires_at = excluded.expires_at\
                """)
                    .bind("key", key.text())
                    .bind("fingerprint", key.fingerprint())
                    .bind("fence", fence)
                    .bind("lease", LEASE.toSeconds())
                    .run();
            return null;
        });
    }

    /** Releases every key whose send was interrupted. Only for a start when no other process can be sending. */
    public void reclaim() {
        for (UUID organization : database.read(tx -> tx.sqlAcrossTenants(
                        "select distinct s.organization_id from send_memory s" + " where s.lease_until is not null")
                .list(row -> row.uuid("organization_id")))) {
            database.write(
                    organization,
                    tx -> tx.sql(
                                    View.of(organization),
                                    "delete from send_memory s where {s} and s.lease_until is not null")
                            .run());
        }
    }

    /** Releases an Idempotency-Key after an error: a 4xx response does not use up the key. */
    void release(IdempotencyClaim claim) {
        IdempotencyKey key = claim.key();
        if (key.isNamed()) {
            View view = View.of(key.organization());
            database.write(
                    key.organization(),
                    tx -> tx.sql(
                                    view,
                                    "delete from send_memory s where {s}"
                                            + " and s.key = :key and s.fence = :fence and s.completed_at is null")
                            .bind("key", key.text())
                            .bind("fence", claim.fence())
                            .run());
        }
    }

    /**
     * The result of an equal send whose response was lost, for a request that can no longer be carried out.
     *
     * @return null when there is none; always null with an Idempotency-Key, which was looked up when the send began
     */
    @Nullable
    SendResult findUnacknowledged(IdempotencyClaim claim) {
        return claim.key().isNamed()
                ? null
                : database.read(tx -> {
                    RoundTrip lookup = tx.roundTrip();
                    claim.prefetch(lookup, View.of(claim.key().organization()));
                    lookup.run();
                    return claim.decide();
                });
    }

    /** Stores the result of a send under its key, in the commit of its message. */
    static void appendCompletion(RoundTrip writes, View all, IdempotencyClaim claim, SendResult sent) {
        writes.joinChange(all, COMPLETE, List.of(new Answered(claim, sent)));
    }

    /** Deletes the rows of acknowledged sends; called at short intervals, for many rows at a time. */
    public void cleanUp() {
        cleanup.run();
    }
}
