package dev.inboxd.sending.draft;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.job.ClaimedRows;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.job.TakeOver;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.sending.draft.DraftScheduleSql.DueDraft;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends drafts at their send time (mail.md §8.8). A draft is claimed in a commit of its own, with a lease; the
 * message's commit checks that the claim is still valid. A process that dies in between leaves a claim that expires.
 */
public final class DraftScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DraftScheduler.class);
    /** What could not be taken up is tried again after this time. */
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(2);

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final int PAGE = 50;
    private static final int AT_ONCE = 4;
    private static final Duration LAST_WAIT = Duration.ofSeconds(20);
    /** Pauses before three more attempts within ten minutes, for temporary errors. */
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(3), Duration.ofMinutes(6));

    private static final LabelChange NO_LABEL_CHANGE = new LabelChange(Set.of(), Set.of());

    private final Database database;
    private final DraftSender sender;
    private final Semaphore room = new Semaphore(AT_ONCE, true);
    private final Nodes nodes;
    private volatile boolean stopping;

    /**
     * The schedule of drafts.
     *
     * @param due finds them: of each organization one is sent at a time
     * @param nodes the name under which this process claims, and what may leave: what is held stays due
     */
    DraftScheduler(Database database, DraftSender sender, DueWork due, Nodes nodes) {
        this.database = database;
        this.sender = sender;
        this.nodes = nodes;
        due.add(new WorkKind(
                "drafts",
                DraftScheduleSql.NEXT,
                WorkKind.Pace.of(RETRY_INTERVAL, AT_ONCE),
                nodes.departures().worker(this::send)));
    }

    /** Makes drafts that a dead node was sending due again. */
    TakeOver.Claims claims() {
        return new TakeOver.Claims() {
            @Override
            public ClaimedRows rows() {
                return DraftScheduleSql.HELD;
            }

            @Override
            public void release(Tx tx, View all, UUID node) {
                DraftScheduleSql.release(tx, all, node);
            }
        };
    }

    /** Waits for drafts that are being sent, for a limited time; the claims of the others expire. */
    @Override
    public void close() {
        stopping = true;
        try {
            if (room.tryAcquire(AT_ONCE, LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                room.release(AT_ONCE); // threads that still wait then see that it is stopping
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(UUID organization) {
        List<DueDraft> page;
        do {
            page = database.read(tx -> DraftScheduleSql.due(tx, View.of(organization), PAGE));
            page.forEach(this::send);
        } while (page.size() == PAGE && !isStopping(organization));
    }

    private boolean isStopping(UUID organization) {
        return stopping || !nodes.departures().mayBegin(organization);
    }

    private void send(DueDraft due) {
        room.acquireUninterruptibly();
        try {
            UUID claim = Uuid7.next();
            UUID node = nodes.claimant();
            Optional<Integer> attempt = isStopping(due.organization()) || node == null
                    ? Optional.empty()
                    : database.write(
                            due.organization(),
                            tx -> DraftScheduleSql.claim(tx, due, new DraftScheduleSql.Claim(claim, node), LEASE));
            if (attempt.isPresent()) {
                send(due, claim, attempt.get());
            }
        } catch (RuntimeException later) {
            LOG.warn("due draft postponed organization_id={} draft={}", due.organization(), due.draft(), later);
        } finally {
            room.release();
        }
    }

    private void send(DueDraft due, UUID claim, int attempt) {
        if (attempt > PAUSES.size() + 1) {
            recordFailure(due, claim, attempt, SendFailure.INTERRUPTED);
            return;
        }
        try {
            sender.send(
                    () -> sender.prepared(due.view(), due.draft(), NO_LABEL_CHANGE, SendTurn.scheduled(claim)),
                    List.of());
            outcome(due, "sent");
        } catch (Problem refusal) {
            if (refusal.code() == ErrorCode.INBOX_PAUSED && isStopped(due)) {
                database.write(due.organization(), tx -> DraftScheduleSql.postpone(tx, due, claim, Duration.ZERO));
                return; // it is due again when the stop ends
            }
            recordFailure(
                    due, claim, isTemporary(refusal.code()) ? attempt : PAUSES.size() + 1, SendFailure.of(refusal));
        } catch (RuntimeException fault) {
            LOG.warn(
                    "scheduled draft not sent organization_id={} draft={} attempt={}",
                    due.organization(),
                    due.draft(),
                    attempt,
                    fault);
            recordFailure(due, claim, attempt, SendFailure.FAULT);
        }
    }

    /** Whether a stop holds the draft back, not its paused inbox: what a stop holds back goes on after it. */
    private boolean isStopped(DueDraft due) {
        return database.read(tx -> DraftSql.find(tx, due.view(), due.draft())
                .flatMap(draft -> Inboxes.find(tx, due.view(), draft.place().inbox()))
                .filter(Inbox::isHeldByStop)
                .isPresent());
    }

    /** Whether an error does not depend on the draft, so that a later attempt may succeed. */
    private static boolean isTemporary(ErrorCode code) {
        return code.status() >= 500 || code == ErrorCode.RATE_LIMIT_EXCEEDED;
    }

    /** Writes the outcome of a failed attempt. A draft whose claim was taken over stays as it is. */
    private void recordFailure(DueDraft due, UUID claim, int attempt, SendFailure failure) {
        boolean again = attempt <= PAUSES.size();
        int settled = database.write(
                due.organization(),
                tx -> again
                        ? DraftScheduleSql.postpone(tx, due, claim, PAUSES.get(attempt - 1))
                        : DraftScheduleSql.fail(tx, due, claim, failure.sentence));
        if (settled > 0) {
            outcome(due, (again ? "postponed: " : "failed: ") + failure.code);
        }
    }

    /**
     * Why an attempt failed.
     *
     * @param code for the log, which has nothing of a mail
     * @param sentence for the owner of the draft
     */
    private record SendFailure(String code, String sentence) {
        private static final SendFailure INTERRUPTED =
                new SendFailure("interrupted", "The server was stopped during every attempt to send it");
        private static final SendFailure FAULT = new SendFailure(
                ErrorCode.INTERNAL_ERROR.wireName(), "The server had a fault during every attempt to send it");

        static SendFailure of(Problem refusal) {
            String sentence = refusal.faults().isEmpty()
                    ? refusal.message()
                    : refusal.faults().stream().map(Fault::message).collect(Collectors.joining("; "));
            return new SendFailure(refusal.code().wireName(), refusal.code().wireName() + ": " + sentence);
        }
    }

    private static void outcome(DueDraft due, String outcome) {
        LogLine.of("draft")
                .with("organization_id", due.organization())
                .with("draft_id", due.draft())
                .with("outcome", outcome)
                .write();
    }
}
