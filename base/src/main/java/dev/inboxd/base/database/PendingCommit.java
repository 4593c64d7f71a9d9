package dev.inboxd.base.database;

import dev.inboxd.base.database.pool.ConnectionPool;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The commit that an item of a {@link GroupCommit} waits for.
 *
 * @param <T> what is to be written
 */
public final class PendingCommit<T> {
    private final UUID organization;
    private final T item;
    private final CommitGroup<PendingCommit<T>> group;
    private final CompletableFuture<T> done = new CompletableFuture<>();
    private volatile boolean late;

    PendingCommit(UUID organization, T item, CommitGroup<PendingCommit<T>> group) {
        this.organization = organization;
        this.item = item;
        this.group = group;
    }

    UUID organization() {
        return organization;
    }

    /** The item as it was submitted. */
    public T item() {
        return item;
    }

    /**
     * Completed after the commit with the item, or with a failure: nothing of it was kept, or the database went away
     * and it is not known whether it was.
     */
    public CompletionStage<T> done() {
        return done;
    }

    /**
     * Blocks until the commit.
     *
     * @return the item
     * @throws RuntimeException why nothing of it was kept
     */
    public T await() {
        try {
            return done.join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(failure.getCause());
        }
    }

    /**
     * Waits so long for the commit, or until the thread is interrupted, and gives up then. If its transaction has not
     * begun, nothing of the item is written: it ends as when the database is busy. If the transaction has begun, its
     * commit may still come; an item left undecided by it goes into no other.
     *
     * @return whether the end came in time; {@link #await()} tells it
     */
    public boolean await(Duration patience) {
        try {
            done.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException _) {
            return true;
        } catch (TimeoutException _) {
            giveUp();
        } catch (InterruptedException _) {
            giveUp();
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void giveUp() {
        late = true; // before it may be put back
        if (group.cancel(organization, this)) {
            fail(ConnectionPool.busy());
        }
    }

    /**
     * Its transaction is committed.
     *
     * @param decided whether that wrote or refused the item
     * @return false when the item must go into another transaction
     */
    boolean complete(boolean decided) {
        if (decided) {
            done.complete(item);
        } else if (late) {
            fail(ConnectionPool.busy());
        }
        return decided || late;
    }

    /** Nothing of it was kept, or it is not known whether the commit was. */
    void fail(Throwable failure) {
        done.completeExceptionally(failure);
    }
}
