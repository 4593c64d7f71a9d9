package dev.inboxd.sending.draft;

import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.platform.log.LogLine;
import dev.inboxd.sending.draft.DraftScheduleSql.DueDraft;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the drafts whose time has come (mail.md §8.8). A draft is claimed in a commit of its own, with a lease;
 * the message's commit asks whether the claim still holds. A process that dies in between leaves a claim that runs out.
 */
public final class DraftScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DraftScheduler.class);
    /** Due drafts are taken up within five seconds. */
    private static final Duration REST = Duration.ofSeconds(2);

    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final int LOOKED_FOR = 50;
    private static final int AT_ONCE = 4;
    private static final Duration LAST_WAIT = Duration.ofSeconds(20);
    /** Three more attempts within ten minutes, for faults that pass. */
    private static final List<Duration> WAITS =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(3), Duration.ofMinutes(6));

    private static final LabelChange AS_IT_IS = new LabelChange(Set.of(), Set.of());

    private final Database database;
    private final DraftSender departure;
    private final Semaphore room = new Semaphore(AT_ONCE, true);
    /** Organizations whose drafts are being sent, one at a time each: none can keep the others waiting. */
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();

    private final PeriodicTask beat = new PeriodicTask("scheduled drafts", REST, this::sendDue);
    private volatile boolean stopping;

    DraftScheduler(Database database, DraftSender departure) {
        this.database = database;
        this.departure = departure;
    }

    /** Begins to send what is due. */
    public void start() {
        beat.start();
    }

    /** Takes up at once what was being sent; for a start when no other process can be sending. */
    public void reclaim() {
        for (UUID organization : database.read(DraftScheduleSql::claimed)) {
            database.write(organization, tx -> DraftScheduleSql.reclaim(tx, View.of(organization)));
        }
    }

    /** Ends after what is under way, or leaves it to the end of its claim. */
    @Override
    public void close() {
        stopping = true;
        beat.close();
        try {
            if (room.tryAcquire(AT_ONCE, LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                room.release(AT_ONCE); // whoever still waits sees that it is over
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendDue() {
        for (UUID organization : database.read(DraftScheduleSql::organizationsWithDue)) {
            if (!stopping && busy.add(organization)) {
                Thread.startVirtualThread(() -> send(organization));
            }
        }
    }

    private void send(UUID organization) {
        try {
            List<DueDraft> due;
            do {
                due = database.read(tx -> DraftScheduleSql.due(tx, View.of(organization), LOOKED_FOR));
                due.forEach(this::send);
            } while (due.size() == LOOKED_FOR && !stopping);
        } catch (RuntimeException later) {
            LOG.warn("Due drafts of organization {} are looked for again later: {}", organization, later.toString());
        } finally {
            busy.remove(organization);
        }
    }

    private void send(DueDraft due) {
        room.acquireUninterruptibly();
        try {
            UUID claim = Uuid7.next();
            Optional<Integer> attempt = stopping
                    ? Optional.empty()
                    : database.write(due.organization(), tx -> DraftScheduleSql.claim(tx, due, claim, LEASE));
            if (attempt.isPresent()) {
                send(due, claim, attempt.get());
            }
        } catch (RuntimeException later) {
            LOG.warn("A due draft is taken up again later", later);
        } finally {
            room.release();
        }
    }

    private void send(DueDraft due, UUID claim, int attempt) {
        if (attempt > WAITS.size() + 1) {
            settle(due, claim, attempt, "every attempt was cut short");
            return;
        }
        try {
            departure.send(due.view(), due.draft(), AS_IT_IS, claim);
            outcome(due, "sent");
        } catch (Problem refusal) {
            settle(
                    due,
                    claim,
                    passes(refusal.code()) ? attempt : WAITS.size() + 1,
                    refusal.code().wireName());
        } catch (RuntimeException fault) {
            LOG.warn("A scheduled draft could not be sent", fault);
            settle(due, claim, attempt, ErrorCode.INTERNAL_ERROR.wireName());
        }
    }

    /** Whether a refusal says nothing about the draft, so that a later attempt may succeed. */
    private static boolean passes(ErrorCode code) {
        return code.status() >= 500 || code == ErrorCode.RATE_LIMIT_EXCEEDED;
    }

    /** A draft that somebody else has taken over stays as it is. */
    private void settle(DueDraft due, UUID claim, int attempt, String reason) {
        boolean again = attempt <= WAITS.size();
        int settled = database.write(
                due.organization(),
                tx -> again
                        ? DraftScheduleSql.postpone(tx, due, claim, WAITS.get(attempt - 1))
                        : DraftScheduleSql.fail(tx, due, claim));
        if (settled > 0) {
            outcome(due, (again ? "postponed: " : "failed: ") + reason);
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
