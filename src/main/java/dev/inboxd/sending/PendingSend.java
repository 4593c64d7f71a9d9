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

/** One message on its way to a commit that it may share with others, and somebody who waits for that. */
final class PendingSend {
    private final UUID organization;
    private final PreparedMessage leaving;
    private final StoredContent content;
    private final CommitHook hook;
    private final SubmissionQueue.@Nullable ImmediateSlot handover;
    private final CompletableFuture<SendResult> done = new CompletableFuture<>();
    private volatile boolean late;
    // What the transaction that is under way decided, which counts once it is committed.
    private @Nullable SendResult sent;
    private @Nullable RuntimeException refusal;

    /**
     * A message that nothing is known of yet.
     *
     * @param handover room to carry it as soon as it is committed, or null; closed when this is settled
     */
    PendingSend(
            UUID organization,
            PreparedMessage leaving,
            StoredContent content,
            CommitHook companion,
            SubmissionQueue.@Nullable ImmediateSlot handover) {
        this.organization = organization;
        this.leaving = leaving;
        this.content = content;
        this.hook = companion;
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

    /** Of several postings with one of these in common, only one is in a transaction: the next shall see it. */
    Set<Object> only() {
        Set<Object> all = new HashSet<>(hook.only());
        if (leaving.named()) {
            all.add(leaving.name());
        }
        return all;
    }

    /** A transaction begins in which it may be decided. */
    void begin() {
        sent = null;
        refusal = null;
    }

    /** It is answered with that, once the transaction is committed. */
    void accept(SendResult made) {
        sent = made;
    }

    /** It alone comes to nothing. */
    void refuse(RuntimeException why) {
        refusal = why;
    }

    /** Whether the transaction decided; if not, it goes into another one. */
    boolean isDecided() {
        return sent != null || refusal != null;
    }

    /** The transaction is committed: who waits is told what it decided. */
    void complete() {
        close();
        if (refusal != null) {
            done.completeExceptionally(refusal);
        } else {
            done.complete(sent);
        }
    }

    /** No transaction came to its end, or perhaps none. */
    void fail(Throwable failure) {
        close();
        done.completeExceptionally(failure);
    }

    /** Whether who waits has lost patience: it goes into no further transaction. */
    boolean isLate() {
        return late;
    }

    /** It took too long, and nothing of it is written. */
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
     * Waits for the commit. One that was begun is waited for, whatever its transaction takes:
     * that ends with the waits of the database, and undecided it goes into no other.
     *
     * @param patience until it has to be begun
     * @param withdraw takes it back, unless it is being written
     * @throws Problem why it was refused; {@code service_unavailable} when nobody began to write it
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
