package dev.inboxd.platform.job;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.id.Uuid7;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds jobs and runs the due ones. */
public final class Jobs implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);
    private static final Duration REST = Duration.ofSeconds(2);
    private static final int AT_ONCE = 50;

    private final Database database;
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private final PeriodicTask task = new PeriodicTask("jobs", REST, this::runDue);
    private volatile boolean stopping;

    /** Jobs in a database; none run before {@link #start}. */
    public Jobs(Database database) {
        this.database = database;
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

    /** Registers the handler of a kind of job; call it before {@link #start}. */
    public void handle(String kind, Handler handler) {
        handlers.put(kind, handler);
    }

    /** Starts to run due jobs. */
    public void start() {
        task.start();
    }

    /** Adds a job in the caller's transaction, due at once. A kind has at most one job for a subject. */
    public void add(Tx tx, UUID organization, String kind, String subject) {
        tx.sql(View.of(organization), """
                insert into job (organization_id, job_id, kind, subject, due_at, created_at)
                values ({organization}, :id, :kind, :subject, {now}, {now})
                on conflict (organization_id, kind, subject) do update set due_at = excluded.due_at, attempts = 0""")
                .bind("id", Uuid7.next())
                .bind("kind", kind)
                .bind("subject", subject)
                .run();
        tx.afterCommit(task::wake);
    }

    @Override
    public void close() {
        stopping = true;
        task.close();
    }

    private record DueJob(UUID organization, UUID job, String kind, String subject) {
        View view() {
            return View.of(organization);
        }
    }

    private void runDue() {
        List<DueJob> due;
        do {
            due = database.read(tx -> tx.sqlAcrossTenants(
                            "select j.organization_id, j.job_id, j.kind, j.subject from job j"
                                    + " where j.due_at <= {now} order by j.due_at limit " + AT_ONCE)
                    .list(row -> new DueJob(
                            row.uuid("organization_id"), row.uuid("job_id"), row.text("kind"), row.text("subject"))));
            due.stream().takeWhile(_ -> !stopping).forEach(this::run);
        } while (!due.isEmpty() && !stopping);
    }

    /** Runs a job. A failure concerns this job alone: it is retried later, and the others go on. */
    private void run(DueJob due) {
        try {
            Handler handler = handlers.get(due.kind);
            Optional<Integer> claim = database.write(due.organization, tx -> claim(tx, due));
            if (handler != null && claim.isPresent()) {
                boolean done = handler.run(due.organization, due.subject);
                database.write(due.organization, tx -> settle(tx, due, claim.get(), done));
            }
        } catch (RuntimeException failure) {
            LOG.warn("job failed and will be retried: kind={}", due.kind, failure);
        }
    }

    /**
     * Claims the job for this node.
     *
     * @return the number of the attempt; empty when the job is not due any more
     */
    private static Optional<Integer> claim(Tx tx, DueJob due) {
        String claim = """
                update job j set due_at = ({now} at time zone 'UTC'
                        + make_interval(secs => least(3600, 30 * power(2, j.attempts)))) at time zone 'UTC',
                    attempts = j.attempts + 1
                where {j} and j.job_id = :job and j.due_at <= {now} returning j.attempts""";
        return tx.sql(due.view(), claim).bind("job", due.job).first(row -> row.integer("attempts"));
    }

    /** Records the end of a run. A job that was added again meanwhile is due again, and stays. */
    private static int settle(Tx tx, DueJob due, int attempt, boolean done) {
        String unchanged = " where {j} and j.job_id = :job and j.attempts = :attempt and j.due_at > {now}";
        return tx.sql(
                        due.view(),
                        (done ? "delete from job j" : "update job j set due_at = {now}, attempts = 0") + unchanged)
                .bind("job", due.job)
                .bind("attempt", attempt)
                .run();
    }
}
