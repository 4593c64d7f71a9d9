package dev.inboxd.mailbox.search.index;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.PendingCommit;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.mailbox.content.ReadableContentCache;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.search.merge.MergeScheduler;
import dev.inboxd.mailbox.search.segment.IndexProgressSql;
import dev.inboxd.mailbox.search.segment.SegmentSql;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the index behind new mail by less than a second. After a commit it waits a moment for more, and then writes all
 * new messages of the organization as one batch; batches of several organizations are read and written together.
 * Changes without a notification are found in the rows.
 */
public final class Indexer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Indexer.class);
    /** Large batches cost far less than many small ones; a search may miss mail of the last second. */
    private static final Duration DELAY = Duration.ofMillis(700);

    private static final Duration INTERVAL = Duration.ofSeconds(15);
    /** Organizations that are behind and brought up to date at a time. */
    private static final int AT_ONCE = 2;

    /** Organizations that are read and written together; their new messages are in memory until then. */
    private static final int TOGETHER = 16;
    /** While one worker waits for the database, another splits messages into terms. */
    private static final int WORKERS = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8);

    private final Database database;
    private final MessageContents contents;
    private final ReadableContentCache recent;
    private final MergeScheduler merging;
    private final GroupCommit<IndexBatch> writes;
    private final IndexQueue changed = new IndexQueue(DELAY);
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;

    /**
     * Indexes the mail of that database; nothing runs before {@link #start}.
     *
     * @param recent messages in memory that need not be read again
     * @param due finds organizations whose changes this node did not hear of
     */
    public Indexer(Database database, MessageContents contents, ReadableContentCache recent, DueWork due) {
        this.database = database;
        this.contents = contents;
        this.recent = recent;
        this.merging = new MergeScheduler(database);
        // An organization has one batch at a time.
        this.writes =
                GroupCommit.of(database, (tx, _, batches) -> batches.getFirst().in(tx));
        due.add(new WorkKind("search", IndexProgressSql.NEXT, WorkKind.Pace.patient(INTERVAL, AT_ONCE), this::catchUp));
    }

    /** Starts the workers and the merges. */
    public void start() {
        merging.start();
        for (int i = 0; i < WORKERS; i++) {
            workers.execute(this::follow);
        }
    }

    /** How long the oldest change at this node has waited for the index, in nanoseconds. */
    public long lag() {
        return changed.age();
    }

    /** Number of organizations with changes at this node that are not in the index. */
    public int waiting() {
        return changed.size();
    }

    /** Adds an organization with a change to the queue; a hint, never blocks. */
    public void changed(UUID organization) {
        changed.add(organization);
    }

    /** Removes the index of a pod in the transaction that deletes the pod; its blocks are removed later. */
    public static void podDeleted(Tx tx, UUID organization, UUID pod) {
        SegmentSql.dropAll(tx, organization, pod);
    }

    /** Ends after the current batches; the next start finds the rest. */
    @Override
    public void close() {
        closing = true;
        changed.close();
        workers.close();
        merging.close();
    }

    private void follow() {
        try {
            List<UUID> due = changed.takeDue(TOGETHER);
            while (!due.isEmpty()) {
                changed.done(due, indexOrLater(due)); // the rest of a full batch is late already, and due at once
                due = changed.takeDue(TOGETHER);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private List<UUID> indexOrLater(List<UUID> organizations) {
        try {
            return index(organizations, false);
        } catch (RuntimeException | Error failure) {
            organizations.forEach(organization -> later(organization, failure));
            return List.of();
        }
    }

    private void catchUp(UUID organization) {
        List<UUID> held = changed.claim(List.of(organization));
        try {
            while (!held.isEmpty() && !closing) {
                List<UUID> more = index(held, true);
                changed.done(
                        held.stream().filter(claimed -> !more.contains(claimed)).toList(), List.of());
                held = more;
            }
        } finally {
            changed.done(held, List.of());
        }
    }

    /**
     * Writes one batch of each organization; failures are logged and not thrown.
     *
     * @param idle whether to skip changes without new messages as well, which costs a commit
     * @return organizations with more new messages
     */
    private List<UUID> index(List<UUID> organizations, boolean idle) {
        List<IndexBatch> batches = read(organizations);
        Predicate<IndexBatch> needsWrite = batch -> !batch.isEmpty() || ((idle || batch.isFull()) && batch.isBehind());
        Set<IndexBatch> left =
                writes.submitAll(batches.stream().filter(needsWrite).toList(), IndexBatch::organization).stream()
                        .filter(pending -> !isWritten(pending))
                        .map(PendingCommit::item)
                        .collect(Collectors.toSet());
        return batches.stream()
                .filter(batch -> !left.contains(batch) && (batch.isOutdated() || batch.isFull()))
                .map(IndexBatch::organization)
                .toList();
    }

    /** A failure of one organization must not keep the mail of the others out of the index. */
    private List<IndexBatch> read(Collection<UUID> organizations) {
        try {
            return IndexBatch.read(database, organizations, new TextLoader(contents, recent));
        } catch (RuntimeException | Error failure) {
            if (organizations.size() > 1 && !isAway(failure)) {
                return organizations.stream()
                        .flatMap(organization -> read(List.of(organization)).stream())
                        .toList();
            }
            organizations.forEach(organization -> later(organization, failure));
            return List.of();
        }
    }

    private boolean isWritten(PendingCommit<IndexBatch> pending) {
        IndexBatch batch = pending.item();
        try {
            pending.await();
        } catch (RuntimeException failure) {
            later(batch.organization(), failure);
            return false;
        }
        if (!batch.isOutdated() && !batch.isEmpty()) {
            merging.grown(batch.organization(), batch.scopes());
        }
        return true;
    }

    /** When the database is away, the organization is queued again at once. */
    private void later(UUID organization, Throwable failure) {
        if (isAway(failure)) {
            changed.add(organization);
        } else {
            LOG.warn("indexing failed, retried later: organization_id={} cause={}", organization, failure.toString());
        }
    }

    private static boolean isAway(Throwable failure) {
        return failure instanceof Problem problem && problem.code() == ErrorCode.SERVICE_UNAVAILABLE;
    }
}
