package dev.inboxd.sending;

import dev.inboxd.mailbox.message.StoredContent;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.queue.SubmissionQueue;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A message that waits for its commit, which it may share with other messages, and the thread that waits for it. */
final class PendingSend {
    private final UUID organization;
    private final PreparedMessage leaving;
    private final StoredContent content;
    private final CommitHook hook;
    private final SubmissionQueue.@Nullable ImmediateSlot handover;
    private final CompletableFuture<SendResult> done = new CompletableFuture<>();
    private volatile boolean late;
    // The decision of the running transaction; valid once it is committed.
    private @Nullable SendResult sent;
    private @Nullable RuntimeException refusal;

    /**
     * A message that is not decided yet.
     *
     * @param handover a slot to deliver the message right after the commit, or null; closed at the end
     */
    PendingSend(
            UUID organization,
            PreparedMessage leaving,
            StoredContent content,
            CommitHook hook,
            SubmissionQueue.@Nullable ImmediateSlot handover) {
        this.organization = organization;
        this.leaving = leaving;
        this.content = content;
        this.hook = hook;
        this.handover = handover;
    }

    UUID organization() {
        return organization;
    }

    PreparedMessage leaving() {
        return leaving;
    }

    StoredContent content() {
        return content;
    }

    CommitHook hook() {
        return hook;
    }

    SubmissionQueue.@Nullable ImmediateSlot handover() {
        return handover;
    }

    /**
     * Keys that messages share. Of several messages with a common key, only one goes into a transaction: the next must
     * see it committed.
     */
    Set<Object> only() {
        Set<Object> all = new HashSet<>(hook.only());
        if (leaving.named()) {
            all.add(leaving.name());
        }
        return all;
    }

    /** Begins a transaction that may decide the message. */
    void begin() {
        sent = null;
        refusal = null;
    }

    /** Decides: the message is sent, once the transaction is committed. */
    void accept(SendResult result) {
        sent = result;
    }

    /** Decides: this message is rejected. */
    void refuse(RuntimeException why) {
        refusal = why;
    }

    /** Whether the transaction has decided; if not, the message goes into another one. */
    boolean isDecided() {
        return sent != null || refusal != null;
    }

    /** The transaction is committed: gives the waiting thread the decision. */
    void complete() {
        close();
        if (refusal != null) {
            done.completeExceptionally(refusal);
        } else {
            done.complete(sent);
        }
    }

    /** The transaction failed, or its outcome is unknown. */
    void fail(Throwable failure) {
        close();
        done.completeExceptionally(failure);
    }

    /** Whether the waiting thread has given up: the message goes into no further transaction. */
    boolean isLate() {
        return late;
    }

    /** Fails: the time was over and nothing was written. */
    void failLate() {
        fail(Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The database is busy or away")
                .retryAfter(Duration.ofSeconds(1)));
    }

    private void close() {
        if (handover != null) {
            handover.close();
        }
    }

    /**
     * Waits for the commit. A transaction that has begun is awaited however long it takes: it ends with the timeouts of
     * the database, and an undecided message then goes into no further transaction.
     *
     * @param patience until a transaction has to begin
     * @param withdraw removes the message from the queue unless it is being written
     * @throws Problem the rejection; {@code service_unavailable} when no transaction began in time
     */
    SendResult await(Duration patience, BooleanSupplier withdraw) {
        boolean interrupted = false;
        try {
            return done.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            giveUp(withdraw);
        } catch (InterruptedException stopped) {
            interrupted = true;
            giveUp(withdraw);
        } catch (ExecutionException failure) {
            throw cause(failure);
        }
        try {
            return done.join();
        } catch (CompletionException failure) {
            throw cause(failure);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void giveUp(BooleanSupplier withdraw) {
        late = true; // before it may be given back
        if (withdraw.getAsBoolean()) {
            failLate();
        }
    }

    private static RuntimeException cause(Exception failure) {
        return failure.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failure);
    }
}
