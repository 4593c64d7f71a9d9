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
 * What sends were answered (mail.md §11, promises P4 and P5). A send with an Idempotency-Key claims it first,
 * in a commit of its own, with a lease and a fencing number; the message's transaction completes the claim. A send
 * without one leaves a note under its own fingerprint until its answer was written, so that a repeat after a lost answer
 * finds the first one instead of making a second mail.
 */
public final class IdempotencyStore {
    private static final Duration NAMED_KEPT = Duration.ofHours(24);
    private static final Duration UNNAMED_KEPT = Duration.ofMinutes(2);
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String UNNAMED = "unnamed:";

    private final Database database;
    private final AnsweredSends heard = new AnsweredSends();
    private final IdempotencyCleanup forgetting;

    /** The memory in a database. */
    public IdempotencyStore(Database database) {
        this.database = database;
        this.forgetting = new IdempotencyCleanup(database, heard);
    }

    /**
     * A send that is running.
     *
     * @param key the Idempotency-Key, or one made of the fingerprint
     * @param named whether the caller gave the key
     * @param fence who of several that claimed the key one after another may complete it
     * @param began when, among the answers that were written
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Claim(UUID organization, String key, byte[] fingerprint, boolean named, long fence, long began) {
        AnsweredSends.SendRow row(long maker) {
            return new AnsweredSends.SendRow(organization, key, maker);
        }
    }

    /** Either the answer of before, or a claim. */
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
                thread_id = excluded.thread_id, completed_at = excluded.completed_at, expires_at = excluded.expires_at""",
            RowStatement.text("key", each -> each.claim.key),
            RowStatement.bytes("fingerprint", each -> each.claim.fingerprint),
            RowStatement.bigint("fence", each -> each.claim.fence),
            RowStatement.text("name", each -> each.sent.messageName()),
            RowStatement.uuid("thread", each -> each.sent.thread()),
            RowStatement.integer(
                    "kept", each -> Math.toIntExact((each.claim.named ? NAMED_KEPT : UNNAMED_KEPT).toSeconds())));

    private record Answered(Claim claim, SendResult sent) {}

    /** Begins a send that the caller gave no key; nothing is written yet. Comes to its {@link #end} in every case. */
    Claim unnamed(UUID organization, byte[] fingerprint) {
        String key = UNNAMED + HexFormat.of().formatHex(fingerprint);
        return new Claim(organization, key, fingerprint, false, RANDOM.nextLong(Long.MAX_VALUE), heard.begin(key));
    }

    /** A send is over, whatever became of it. */
    void end(Claim claim) {
        if (!claim.named) {
            heard.end(claim.key);
        }
    }

    /**
     * Begins a send under a caller's key.
     *
     * @throws Problem {@code conflict} when the key is in use for this or was used for another request
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
            // Drawn, not counted: a row that was removed in between must not lead back to a number given before.
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

    /** Gives every key free whose send was cut short; for a start when no other process can be sending. */
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

    /** Gives a caller's key free again after a refusal: a 4xx uses no key up. */
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
     * The answer of an equal send that went unheard, for a claim whose request cannot be carried out any more.
     *
     * @return null when there is none, and for a caller's key, which was asked when it began
     */
    @Nullable
    SendResult findUnacknowledged(IdempotencyHook noting) {
        return noting.claim.named
                ? null
                : database.read(tx -> {
                    RoundTrip look = tx.roundTrip();
                    noting.prefetch(look, View.of(noting.claim.organization));
                    look.run();
                    return noting.decide();
                });
    }

    /** What the claim's send does in the transaction that stores its message. */
    IdempotencyHook hook(Claim claim) {
        return new IdempotencyHook(claim);
    }

    /** One send: whether the message may be made, and what it was answered. */
    final class IdempotencyHook implements CommitHook {
        private final Claim claim;
        private RoundTrip.Result<StoredAnswer> kept = RoundTrip.Result.none();
        /** Of the send that made the message: this one, or the equal one before it. */
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
            fence = claim.fence; // whatever an attempt that came to nothing found
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

        /** The answer of this send was written to its caller: an equal send is a new one from now on. */
        void acknowledge() {
            if (!claim.named) {
                heard.add(claim.row(fence));
            }
        }
    }

    /**
     * The equal send whose answer never reached its caller, or this one if it was made before; null to go on.
     *
     * @param kept what is known of the claim, read under the organization's lock
     * @throws Problem {@code conflict} when somebody else has taken the claim over meanwhile
     */
    private @Nullable StoredAnswer before(Claim claim, @Nullable StoredAnswer kept) {
        if (claim.named) {
            if (kept == null || kept.fence != claim.fence) {
                throw Problem.of(ErrorCode.CONFLICT, "Another request with this Idempotency-Key took over")
                        .retryAfter(Duration.ofSeconds(1));
            }
            return kept.answer == null ? null : kept; // this very send was committed before
        }
        boolean waits = kept != null
                && !kept.over
                && kept.answer != null
                && !heard.isBefore(claim.row(kept.fence), claim.began);
        return waits ? kept : null;
    }

    /** Removes the notes of sends whose answers were written; run every moment, for many at a time. */
    public void cleanUp() {
        forgetting.run();
    }
}
