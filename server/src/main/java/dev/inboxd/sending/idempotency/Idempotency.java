package dev.inboxd.sending.idempotency;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends the message of a request exactly once (mail.md §11, promises P4 and P5): a repeat after a lost response finds
 * the first result and sends no second message. From the request to the stored answer:
 *
 * <ol>
 *   <li>Repeats of a request have one {@link IdempotencyKey}: the Idempotency-Key, or one made from the request.
 *   <li>{@link #begin} claims it. For an Idempotency-Key, this is a commit of its own, with a lease and a fencing
 *       number, and the answer of an equal send before may be found there.
 *   <li>The message is sent. Its commit has the {@link IdempotencyClaim} as a hook, which finds an earlier answer, or
 *       stores this one under the key.
 *   <li>When the response was written, the claim is acknowledged. Without an Idempotency-Key an equal request is a new
 *       send from then on, and {@link #cleanUp} deletes the answer.
 * </ol>
 */
public final class Idempotency {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Database database;
    private final Nodes nodes;
    private final RunningClaims running = new RunningClaims();
    private final AnsweredSends answered = new AnsweredSends();
    private final IdempotencyCleanup cleanup;

    /**
     * Sends whose answers are stored in a database.
     *
     * @param nodes name this process in its claims, and know whose claims are nobody's any more
     */
    public Idempotency(Database database, Nodes nodes) {
        this.database = database;
        this.nodes = nodes;
        this.cleanup = new IdempotencyCleanup(database, answered);
    }

    /**
     * The result of a send, or of the equal one before it.
     *
     * @param isRepeat whether it is that of the equal one, and nothing was sent now
     * @param acknowledge to call when the reply was written: an equal send is a new one from then on
     */
    public record Execution(SendResult sent, boolean isRepeat, Runnable acknowledge) {}

    /**
     * Answers a request to send; see {@link #execute(IdempotencyKey, Function)}.
     *
     * @return the response of the first of equal requests
     * @throws Problem as {@link IdempotencyKey#of}, too
     */
    public Response execute(Request request, Function<CommitHook, SendResult> send) {
        return Response.ok(result(request, send).json());
    }

    /** Answers a request to reply. The response also names whom the reply went to: the original may decide that. */
    public Response executeReply(Request request, Function<CommitHook, SendResult> send) {
        SendResult sent = result(request, send);
        Message.People people = sent.people() == null ? people(request.view(), sent.messageName()) : sent.people();
        return Response.ok(people == null ? sent.json() : people.withRecipients(sent.json()));
    }

    /** Whom the message of a stored result went to; null when it was deleted since. */
    private Message.@Nullable People people(View view, String name) {
        return database.read(
                tx -> Messages.find(tx, view, name).map(Message::people).orElse(null));
    }

    private SendResult result(Request request, Function<CommitHook, SendResult> send) {
        Execution execution = execute(IdempotencyKey.of(request), send);
        request.onAnswered(written -> {
            if (written) {
                execution.acknowledge.run();
            }
        });
        return execution.isRepeat ? request.change().of(Outcome.same(execution.sent)) : execution.sent;
    }

    /**
     * Sends, unless an equal send was answered before or its response was lost.
     *
     * @param send sends with this hook in its commit. It is called only when no earlier result is found, so a repeat
     *     does not need a draft or message that may be deleted by now
     * @throws Problem as {@code send}, and {@code conflict} (mail.md §11.1)
     */
    public Execution execute(IdempotencyKey key, Function<CommitHook, SendResult> send) {
        IdempotencyClaim claim = begin(key);
        try {
            SendResult earlier = claim.earlier();
            SendResult sent = earlier != null ? earlier : send.apply(claim);
            return new Execution(sent, claim.isRepeat(), claim::acknowledge);
        } catch (Problem refusal) {
            return new Execution(unacknowledged(claim, refusal), true, claim::acknowledge);
        } catch (RuntimeException failure) {
            release(claim, failure);
            throw failure;
        } finally {
            claim.end();
        }
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
        SendResult earlier = null;
        if (key.isNamed()) {
            running.begin(fence);
            try {
                earlier = earlierOrClaimed(key, fence);
            } catch (RuntimeException refusal) {
                running.end(fence);
                throw refusal;
            }
        }
        return new IdempotencyClaim(key, new IdempotencyClaim.Sends(answered, running), fence, earlier);
    }

    /** The stored result of an earlier send with the key, or null when this send has claimed it. */
    private @Nullable SendResult earlierOrClaimed(IdempotencyKey key, long fence) {
        View all = View.of(key.organization());
        return database.write(key.organization(), 1, (tx, opening) -> {
            RoundTrip.Result<IdempotencySql.StoredAnswer> answers = IdempotencySql.prefetch(opening, all, key);
            opening.run();
            IdempotencySql.StoredAnswer stored = answers.rows().stream()
                    .filter(answer -> !answer.over() || answer.running())
                    .findFirst()
                    .orElse(null);
            if (stored != null && !Arrays.equals(stored.fingerprint(), key.fingerprint())) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The Idempotency-Key was used for a different request",
                        "Use a new key for a new request.");
            }
            if (stored != null && stored.answer() != null) {
                return stored.answer();
            }
            if (stored != null && stored.running() && isAtIt(tx, stored)) {
                throw Problem.of(ErrorCode.CONFLICT, "A request with this Idempotency-Key is in progress")
                        .retryAfter(Duration.ofSeconds(1));
            }
            IdempotencySql.claim(tx, all, key, new IdempotencySql.Sender(fence, nodes.claimant()));
            return null;
        });
    }

    /**
     * Whether the send that has claimed a key still goes on: its node lives, and if that is this one, the request is
     * here. One that goes on all the same, as its process was frozen, finds another number at its commit and fails.
     */
    private boolean isAtIt(Tx tx, IdempotencySql.StoredAnswer claimed) {
        UUID node = claimed.node();
        if (nodes.self().equals(node)) {
            return running.contains(claimed.fence());
        }
        return node == null || !nodes.isDead(tx, node);
    }

    /**
     * The result of an equal send whose response was lost, when this one is refused. The refusal describes the present:
     * the draft is sent and deleted, the inbox paused since, or a remote file gone.
     *
     * @throws Problem the refusal, when there is no such result
     */
    private SendResult unacknowledged(IdempotencyClaim claim, Problem refusal) {
        try {
            SendResult earlier = claim.key().isNamed() ? null : lookUp(claim);
            if (earlier != null) {
                return earlier;
            }
        } catch (RuntimeException busy) {
            refusal.addSuppressed(busy);
        }
        release(claim, refusal);
        throw refusal;
    }

    private @Nullable SendResult lookUp(IdempotencyClaim claim) {
        return database.read(tx -> {
            RoundTrip lookup = tx.roundTrip();
            claim.prefetch(lookup, View.of(claim.key().organization()));
            lookup.run();
            return claim.decide();
        });
    }

    private void release(IdempotencyClaim claim, RuntimeException failure) {
        try {
            release(claim);
        } catch (RuntimeException busy) {
            failure.addSuppressed(busy);
            cleanup.add(claim);
        }
    }

    /** Releases the claim: a send that failed does not use up its key. */
    void release(IdempotencyClaim claim) {
        UUID organization = claim.key().organization();
        if (claim.key().isNamed()) {
            database.write(organization, tx -> IdempotencySql.release(tx, View.of(organization), claim));
        }
    }

    /** Deletes the rows of acknowledged and failed sends; called at short intervals, for many rows at a time. */
    public void cleanUp() {
        cleanup.run();
    }
}
