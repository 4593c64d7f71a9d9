package dev.inboxd.sending.idempotency;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The claim of one send on its key. As the hook of the send's commit it finds an earlier result, or stores the result
 * of this send.
 */
final class IdempotencyClaim implements CommitHook {
    private final IdempotencyKey key;
    private final AnsweredSends answered;
    private final RunningClaims running;
    /** The fencing number: of several claims of the key one after another, only the latest may complete. */
    private final long fence;
    /** The start of the send in the sequence of acknowledgements, see {@link AnsweredSends#begin}. */
    private final long began;

    private final @Nullable SendResult earlier;
    private RoundTrip.Result<IdempotencySql.StoredAnswer> answers = RoundTrip.Result.none();
    /** The fencing number of the send that stored the message: this one, or an equal one before it. */
    private long stored;
    /** Whether an equal send before it has made what is answered. */
    private boolean isRepeat;

    /** The sends of this process, with an Idempotency-Key and without. */
    record Sends(AnsweredSends answered, RunningClaims running) {}

    /**
     * A claim, begun now.
     *
     * @param earlier the result of an equal send with the same Idempotency-Key, which leaves nothing to claim; or null
     */
    IdempotencyClaim(IdempotencyKey key, Sends sends, long fence, @Nullable SendResult earlier) {
        this.key = key;
        this.answered = sends.answered;
        this.running = sends.running;
        this.fence = fence;
        this.began = key.isNamed() ? 0 : answered.begin(key.text());
        this.earlier = earlier;
        this.stored = fence;
    }

    IdempotencyKey key() {
        return key;
    }

    long fence() {
        return fence;
    }

    /** The result to answer with instead of sending, or null. */
    @Nullable
    SendResult earlier() {
        return earlier;
    }

    @Override
    public void prefetch(RoundTrip opening, View all) {
        answers = IdempotencySql.prefetch(opening, all, key);
    }

    @Override
    public @Nullable SendResult decide() {
        isRepeat = false;
        stored = fence; // an earlier try of the transaction may have set another
        IdempotencySql.StoredAnswer storedAnswer = answers.rows().stream()
                .filter(answer -> answer.key().equals(key.text()))
                .findFirst()
                .orElse(null);
        IdempotencySql.StoredAnswer before = key.isNamed() ? own(storedAnswer) : unacknowledged(storedAnswer);
        if (before == null) {
            return null;
        }
        stored = before.fence();
        isRepeat = true;
        return before.answer();
    }

    /**
     * The result of this very send, if it was committed before.
     *
     * @throws Problem {@code conflict} when another request has taken over the claim
     */
    private IdempotencySql.@Nullable StoredAnswer own(IdempotencySql.@Nullable StoredAnswer storedAnswer) {
        if (storedAnswer == null || storedAnswer.fence() != fence) {
            throw Problem.of(ErrorCode.CONFLICT, "Another request with this Idempotency-Key took over")
                    .retryAfter(Duration.ofSeconds(1));
        }
        return storedAnswer.answer() == null ? null : storedAnswer;
    }

    /** The result of an equal send whose response never reached its caller. */
    private IdempotencySql.@Nullable StoredAnswer unacknowledged(IdempotencySql.@Nullable StoredAnswer storedAnswer) {
        boolean isUnacknowledged = storedAnswer != null
                && !storedAnswer.over()
                && storedAnswer.answer() != null
                && !answered.isBefore(row(storedAnswer.fence()), began);
        return isUnacknowledged ? storedAnswer : null;
    }

    @Override
    public void appendTo(RoundTrip writes, View all, SendResult sent) {
        IdempotencySql.appendCompletion(writes, all, this, sent);
    }

    @Override
    public Set<Object> only() {
        return Set.of(key.text());
    }

    /** Whether an equal send before it has made what is answered. */
    boolean isRepeat() {
        return isRepeat || earlier != null;
    }

    /** The response of this send was written to its caller: an equal request is a new send from now on. */
    void acknowledge() {
        if (!key.isNamed()) {
            answered.add(row(stored));
        }
    }

    /** Ends the send, whatever its outcome. */
    void end() {
        if (key.isNamed()) {
            running.end(fence);
        } else {
            answered.end(key.text());
        }
    }

    private AnsweredSends.SendRow row(long maker) {
        return new AnsweredSends.SendRow(key.organization(), key.text(), maker);
    }
}
