package dev.inboxd.search;

import dev.inboxd.database.Database;
import dev.inboxd.database.JointWrites;
import dev.inboxd.database.Tx;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.job.Beat;
import dev.inboxd.message.Contents;
import dev.inboxd.message.RecentlyShown;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index behind the mail by a fraction of a second: woken after a commit, it waits a moment for more and then
 * writes all that is new of the organization as one batch. What it was not told of, it finds in the rows.
 */
public final class Indexing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Indexing.class);
    /** Larger batches cost far less than many small ones; a search may be behind by a second. */
    private static final Duration GATHERING = Duration.ofMillis(700);
    private static final Duration REST = Duration.ofSeconds(15);
    /** Their batches share commits; each is in memory until then. */
    private static final int ORGANIZATIONS_AT_ONCE = 8;
    private static final int MOST_BEHIND = 1_000;

    private final Database database;
    private final Contents contents;
    private final RecentlyShown recent;
    private final Merging merging;
    private final JointWrites<Batch> writes;
    private final ConcurrentHashMap<UUID, State> organizations = new ConcurrentHashMap<>();
    private final Semaphore slots = new Semaphore(ORGANIZATIONS_AT_ONCE);
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closing = new CountDownLatch(1);
    private @Nullable Beat beat;

    /** Whether an organization that is being indexed has changed again. */
    private enum State { CURRENT, CHANGED }

    /**
     * An index of the mail in that database; nothing runs before {@link #start}.
     *
     * @param recent what need not be read again
     */
    public Indexing(Database database, Contents contents, RecentlyShown recent) {
        this.database = database;
        this.contents = contents;
        this.recent = recent;
        this.merging = new Merging(database);
        this.writes = new JointWrites<>(database, new Work());
    }

    /** Begins with what is behind and goes on as it is told. */
    public void start() {
        merging.start();
        beat = new Beat("search behind", REST, this::catchUp);
    }

    /** An organization has changed; a hint, never blocks. */
    public void changed(UUID organization) {
        boolean[] first = new boolean[1];
        organizations.compute(organization, (_, known) -> {
            first[0] = known == null;
            return known == null ? State.CURRENT : State.CHANGED;
        });
        if (first[0]) {
            try {
                workers.execute(() -> follow(organization));
            } catch (RejectedExecutionException closed) {
                LOG.debug("Mail of {} is indexed after the next start", organization);
            }
        }
    }

    /** The index of a pod goes with it, in the transaction that deletes it; its blocks are swept later. */
    public static void podDeleted(Tx tx, UUID organization, UUID pod) {
        RunSql.dropAll(tx, organization, pod);
    }

    /** Ends after the batches under way; what is left is found at the next start. */
    @Override
    public void close() {
        closing.countDown();
        Beat running = beat;
        if (running != null) {
            running.close();
        }
        workers.close();
        merging.close();
    }

    private void follow(UUID organization) {
        boolean more = false;
        try {
            // What is more than one batch is late already and waits for nothing.
            while (!closing.await(more ? 0 : GATHERING.toMillis(), TimeUnit.MILLISECONDS)) {
                organizations.replace(organization, State.CURRENT);
                more = indexOrLater(organization);
                if (!more && organizations.remove(organization, State.CURRENT)) {
                    return;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error failure) {
            LOG.warn("Mail of {} could not be indexed and will be later: {}", organization, failure.toString());
            organizations.remove(organization);
        }
    }

    /** What only comes at a bad moment is tried again as if it had come just now. */
    private boolean indexOrLater(UUID organization) throws InterruptedException {
        try {
            return index(organization, false);
        } catch (Problem busy) {
            if (busy.code() != Code.SERVICE_UNAVAILABLE) {
                throw busy;
            }
            organizations.replace(organization, State.CHANGED);
            return false;
        }
    }

    private void catchUp() {
        for (UUID organization : database.read(tx -> ProgressSql.behind(tx, MOST_BEHIND))) {
            if (closing.getCount() > 0 && organizations.putIfAbsent(organization, State.CURRENT) == null) {
                catchUp(organization);
            }
        }
    }

    private void catchUp(UUID organization) {
        try {
            boolean more = true;
            while (more && closing.getCount() > 0) {
                more = index(organization, true);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            LOG.warn("Mail of {} could not be indexed and will be later: {}", organization, failure.toString());
        } finally {
            release(organization);
        }
    }

    /** What came while we caught up is followed as usual. */
    private void release(UUID organization) {
        if (!organizations.remove(organization, State.CURRENT) && organizations.remove(organization, State.CHANGED)) {
            changed(organization);
        }
    }

    /**
     * Writes one batch.
     *
     * @param idle whether changes that are no mail are passed over too, which costs a commit
     * @return whether more is waiting
     */
    private boolean index(UUID organization, boolean idle) throws InterruptedException {
        slots.acquire();
        try {
            Batch batch = Batch.read(database, organization, new Reading(contents, recent));
            if (!batch.isEmpty() || (idle && batch.isBehind())) {
                writes.add(organization, batch);
                written(batch);
                if (batch.isOutdated()) {
                    return true;
                }
                merging.grown(organization, batch.scopes());
            }
            return batch.isFull();
        } finally {
            slots.release();
        }
    }

    private static void written(Batch batch) {
        try {
            batch.done().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
        }
    }

    /** An organization has one batch at a time. */
    private static final class Work implements JointWrites.Work<Batch> {
        @Override
        public Database.Planned planned(UUID organization, List<Batch> batches) {
            return batches.getFirst().planned();
        }

        @Override
        public void written(UUID organization, List<Batch> batches) {
            batches.getFirst().done().complete(null);
        }

        @Override
        public void failed(UUID organization, List<Batch> batches, Throwable failure) {
            batches.getFirst().done().completeExceptionally(failure);
        }
    }
}
