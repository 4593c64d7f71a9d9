package dev.inboxd.sending;

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
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
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
    private static final String UNNAMED = "unnamed:";

    private final Database database;
    private final AnsweredSends answered = new AnsweredSends();
    private final IdempotencyCleanup cleanup;

    /** The store in a database. */
    public IdempotencyStore(Database database) {
        this.database = database;
        this.cleanup = new IdempotencyCleanup(database, answered);
    }

    /**
     * The claim of a running send.
     *
     * @param key the Idempotency-Key, or a key made from the fingerprint
     * @param named whether the caller gave the key
     * @param fence the fencing number: of several claims of the key one after another, only the latest may complete
     * @param began the start of the send in the sequence of acknowledgements, see {@link AnsweredSends#begin}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Claim(UUID organization, String key, byte[] fingerprint, boolean named, long fence, long began) {
        AnsweredSends.SendRow row(long maker) {
            return new AnsweredSends.SendRow(organization, key, maker);
        }
    }

    /** Either the stored result of an earlier send, or a new claim. */
    record ClaimResult(
            @Nullable SendResult before, @Nullable Claim claim) {}

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
                    name == null ? null : new SendResult(name, row.uuid("thread_id")),
                    row.flag("over"));
        }
    }

    private static final RowStatement<String> LOOK = RowStatement.of("""
            select {tenant}s.key, s.fingerprint, s.fence, s.message_name, s.thread_id, s.expires_at <= {now} as over,
                   coalesce(s.lease_until > {now}, false) as running
            from {rows} as r join send_memory s on {s} and s.key = r.key""", RowStatement.text("key", key -> key));

    private static final RowStatement<Answered> COMPLETE = RowStatement.of(
            """
            insert into send_memory (organization_id, key, fingerprint, fence, message_name, thread_id, completed_at,
                                     expires_at)
            select {organization}, r.key, r.fingerprint, r.fence, r.name, r.thread, {now},
                   {now} + make_interval(secs => r.kept)
            from {rows} as r
            on conflict (organization_id, key) do update
            set lease_until = null, fence = excluded.fence, message_name = excluded.message_name,
                thread_id = excluded.thread_id, completed_at = excluded.completed_at,
                expires_at = excluded.expires_at""",
            RowStatement.text("key", each -> each.claim.key),
            RowStatement.bytes("fingerprint", each -> each.claim.fingerprint),
            RowStatement.bigint("fence", each -> each.claim.fence),
            RowStatement.text("name", each -> each.sent.messageName()),
            RowStatement.uuid("thread", each -> each.sent.thread()),
            RowStatement.integer(
                    "kept", each -> Math.toIntExact((each.claim.named ? NAMED_KEPT : UNNAMED_KEPT).toSeconds())));

    private record Answered(Claim claim, SendResult sent) {}

    /** Begins a send without an Idempotency-Key; writes nothing yet. The caller calls {@link #end} in every case. */
    Claim unnamed(UUID organization, byte[] fingerprint) {
        String key = UNNAMED + HexFormat.of().formatHex(fingerprint);
        return new Claim(organization, key, fingerprint, false, RANDOM.nextLong(Long.MAX_VALUE), answered.begin(key));
    }

    /** Ends a send, whatever its outcome. */
    void end(Claim claim) {
        if (!claim.named) {
            answered.end(claim.key);
        }
    }

    /**
     * Begins a send with an Idempotency-Key.
     *
     * @throws Problem {@code conflict} when a request with this key is in progress, or another request used it
     */
    ClaimResult begin(UUID organization, String key, byte[] fingerprint) {
        View view = View.of(organization);
        return database.write(organization, 1, (tx, opening) -> {
            RoundTrip.Result<StoredAnswer> found = opening.query(view, LOOK, List.of(key), StoredAnswer::read);
            opening.run();
            StoredAnswer kept = found.rows().stream()
                    .filter(each -> !each.over || each.running)
                    .findFirst()
                    .orElse(null);
            if (kept != null && !Arrays.equals(kept.fingerprint, fingerprint)) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The Idempotency-Key was used for a different request",
                        "Use a new key for a new request.");
            }
            if (kept != null && kept.answer != null) {
                return new ClaimResult(kept.answer, null);
            }
            if (kept != null && kept.running) {
                throw Problem.of(ErrorCode.CONFLICT, "A request with this Idempotency-Key is in progress")
                        .retryAfter(Duration.ofSeconds(1));
            }
            // Random, not counted: after the row was deleted, a counter could repeat an earlier fencing number.
            long fence = RANDOM.nextLong(Long.MAX_VALUE);
            tx.sql(view, """
                    insert into send_memory (organization_id, key, fingerprint, fence, lease_until, expires_at)
                    values ({organization}, :key, :fingerprint, :fence, {now} + make_interval(secs => :lease),
                            {now} + make_interval(secs => :lease))
                    on conflict (organization_id, key) do update
                    set fingerprint = excluded.fingerprint, fence = excluded.fence, lease_until = excluded.lease_until,
                        message_name = null, thread_id = null, completed_at = null, expires_at = excluded.expires_at""")
                    .bind("key", key)
                    .bind("fingerprint", fingerprint)
                    .bind("fence", fence)
                    .bind("lease", LEASE.toSeconds())
                    .run();
            return new ClaimResult(null, new Claim(organization, key, fingerprint, true, fence, 0));
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
    void release(Claim claim) {
        if (claim.named) {
            View view = View.of(claim.organization);
            database.write(
                    claim.organization,
                    tx -> tx.sql(
                                    view,
                                    "delete from send_memory s where {s}"
                                            + " and s.key = :key and s.fence = :fence and s.completed_at is null")
                            .bind("key", claim.key)
                            .bind("fence", claim.fence)
                            .run());
        }
    }

    /**
     * The result of an equal send whose response was lost, for a request that can no longer be carried out.
     *
     * @return null when there is none; always null with an Idempotency-Key, which was looked up when the send began
     */
    @Nullable
    SendResult findUnacknowledged(IdempotencyHook hook) {
        return hook.claim.named
                ? null
                : database.read(tx -> {
                    RoundTrip lookup = tx.roundTrip();
                    hook.prefetch(lookup, View.of(hook.claim.organization));
                    lookup.run();
                    return hook.decide();
                });
    }

    /** The commit hook of a claim. */
    IdempotencyHook hook(Claim claim) {
        return new IdempotencyHook(claim);
    }

    /** The commit hook of one send: finds an earlier result, or stores the result of this send. */
    final class IdempotencyHook implements CommitHook {
        private final Claim claim;
        private RoundTrip.Result<StoredAnswer> kept = RoundTrip.Result.none();
        /** The fencing number of the send that stored the message: this one, or an equal one before it. */
        private long fence;

        private IdempotencyHook(Claim claim) {
            this.claim = claim;
            this.fence = claim.fence;
        }

        @Override
        public void prefetch(RoundTrip opening, View all) {
            kept = opening.joinQuery(all, LOOK, List.of(claim.key), StoredAnswer::read);
        }

        @Override
        public @Nullable SendResult decide() {
            fence = claim.fence; // an earlier try of the transaction may have set another
            StoredAnswer known = kept.rows().stream()
                    .filter(each -> each.key.equals(claim.key))
                    .findFirst()
                    .orElse(null);
            StoredAnswer before = IdempotencyStore.this.before(claim, known);
            if (before == null) {
                return null;
            }
            fence = before.fence;
            return before.answer;
        }

        @Override
        public void appendTo(RoundTrip writes, View all, SendResult sent) {
            writes.joinChange(all, COMPLETE, List.of(new Answered(claim, sent)));
        }

        @Override
        public Set<Object> only() {
            return Set.of(claim.key);
        }

        /** The response of this send was written to its caller: an equal request is a new send from now on. */
        void acknowledge() {
            if (!claim.named) {
                answered.add(claim.row(fence));
            }
        }
    }

    /**
     * The earlier result to answer with: of an equal send whose response never reached its caller, or of this send if
     * it was committed before. Null to send the message.
     *
     * @param kept the stored row of the key, read under the organization's lock
     * @throws Problem {@code conflict} when another request has taken over the claim
     */
    private @Nullable StoredAnswer before(Claim claim, @Nullable StoredAnswer kept) {
        if (claim.named) {
            if (kept == null || kept.fence != claim.fence) {
                throw Problem.of(ErrorCode.CONFLICT, "Another request with this Idempotency-Key took over")
                        .retryAfter(Duration.ofSeconds(1));
            }
            return kept.answer == null ? null : kept; // this very send was committed before
        }
        boolean unacknowledged = kept != null
                && !kept.over
                && kept.answer != null
                && !answered.isBefore(claim.row(kept.fence), claim.began);
        return unacknowledged ? kept : null;
    }

    /** Deletes the rows of acknowledged sends; called at short intervals, for many rows at a time. */
    public void cleanUp() {
        cleanup.run();
    }
}
