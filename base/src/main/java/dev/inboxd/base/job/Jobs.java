package dev.inboxd.base.job;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds jobs and runs the due ones. */
public final class Jobs {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final String KIND = "jobs";
    /** Organizations whose jobs run at a time on a node; of each it is one job. */
    private static final int AT_ONCE = 4;

    private static final int PAGE = 50;
    private static final ClaimedRows CLAIMED =
            new ClaimedRows(KIND, "job", "claimed_by", "due_at", "c.claimed_by is not null");

    private final Database database;
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private final DueWork due;
    private final Supplier<@Nullable UUID> claimant;

    /**
     * Jobs in a database.
     *
     * @param due finds them, once it is started
     * @param claimant the name under which this process claims, or null while it must claim nothing
     */
    public Jobs(Database database, DueWork due, Supplier<@Nullable UUID> claimant) {
        this.database = database;
        this.due = due;
        this.claimant = claimant;
        due.add(new WorkKind(
                KIND,
                "select min(j.due_at) from job j where j.organization_id = {organization}",
                WorkKind.Pace.of(INTERVAL, AT_ONCE),
                this::runDue));
    }

    /** Handler of one kind of job. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Does one step of the work. It may be called again for the same job at any time, also after the work is done.
         *
         * @param organization the organization of the job
         * @param subject the id of its object
         * @return whether the work is done; otherwise it is called again soon
         */
        boolean run(UUID organization, String subject);
    }

    /** Registers the handler of a kind of job; call it before the start. */
    public void handle(String kind, Handler handler) {
        handlers.put(kind, handler);
    }

    /** Adds a job in the caller's transaction, due at once. A kind has at most one job for a subject. */
    public void add(Tx tx, UUID organization, String kind, String subject) {
        tx.sql(View.of(organization), """
                insert into job (organization_id, job_id, kind, subject, due_at, created_at)
                values ({organization}, :id, :kind, :subject, {now}, {now})
                on conflict (organization_id, kind, subject)
                do update set due_at = excluded.due_at, attempts = 0, claimed_by = null""")
                .bind("id", Uuid7.next())
                .bind("kind", kind)
                .bind("subject", subject)
                .run();
        tx.afterCommit(() -> due.wake(KIND, organization));
    }

    /** Lets the jobs of an organization that wait for another try have it now, in the caller's transaction. */
    public static void hasten(Tx tx, UUID organization) {
        tx.sql(
                        View.of(organization),
                        "update job j set due_at = {now}, attempts = 0, claimed_by = null"
                                + " where {j} and j.attempts > 0 and j.due_at > {now}")
                .run();
    }

    /** Makes jobs that a dead node was at due again. */
    public TakeOver.Claims claims() {
        return new TakeOver.Claims() {
            @Override
            public ClaimedRows rows() {
                return CLAIMED;
            }

            @Override
            public void release(Tx tx, View all, UUID node) {
                tx.sql(
                                all,
                                "update job j set due_at = {now}, claimed_by = null"
                                        + " where {j} and j.claimed_by = :node")
                        .bind("node", node)
                        .run();
            }
        };
    }

    private record DueJob(UUID organization, UUID job, String kind, String subject) {
        View view() {
            return View.of(organization);
        }
    }

    private void runDue(UUID organization) {
        List<DueJob> page;
        do {
            if (claimant.get() == null) {
                return;
            }
            page = database.read(tx -> tx.sql(
                            View.of(organization),
                            "select j.job_id, j.kind, j.subject from job j where {j} and j.due_at <= {now}"
                                    + " order by j.due_at limit " + PAGE)
                    .list(row -> new DueJob(organization, row.uuid("job_id"), row.text("kind"), row.text("subject"))));
            page.stream().takeWhile(_ -> !due.isStopping()).forEach(this::run);
        } while (!page.isEmpty() && !due.isStopping());
    }

    /** Runs a job. A failure concerns this job alone: it is retried later, and the others go on. */
    private void run(DueJob job) {
        UUID node = claimant.get();
        try {
            Handler handler = handlers.get(job.kind);
            Optional<Integer> claim = database.write(job.organization, tx -> claim(tx, job, node));
            if (handler != null && claim.isPresent()) {
                boolean done = handler.run(job.organization, job.subject);
                database.write(job.organization, tx -> recordEnd(tx, job, claim.get(), done));
            }
        } catch (RuntimeException failure) {
            LOG.warn("job failed and will be retried: kind={}", job.kind, failure);
        }
    }

    /**
     * Claims the job for this node.
     *
     * @return the number of the attempt; empty when the job is not due any more
     */
    private static Optional<Integer> claim(Tx tx, DueJob due, @Nullable UUID node) {
        String claim = """
                update job j set due_at = ({now} at time zone 'UTC'
                        + make_interval(secs => least(3600, 30 * power(2, j.attempts)))) at time zone 'UTC',
                    attempts = j.attempts + 1, claimed_by = :node
                where {j} and j.job_id = :job and j.due_at <= {now} returning j.attempts""";
        return tx.sql(due.view(), claim).bind("job", due.job).bind("node", node).first(row -> row.integer("attempts"));
    }

    /** Records the end of a run. A job that was added again meanwhile is due again, and stays. */
    private static int recordEnd(Tx tx, DueJob due, int attempt, boolean done) {
        String unchanged = " where {j} and j.job_id = :job and j.attempts = :attempt and j.due_at > {now}";
        return tx.sql(
                        due.view(),
                        (done
                                        ? "delete from job j"
                                        : "update job j set due_at = {now}, attempts = 0, claimed_by = null")
                                + unchanged)
                .bind("job", due.job)
                .bind("attempt", attempt)
                .run();
    }
}
