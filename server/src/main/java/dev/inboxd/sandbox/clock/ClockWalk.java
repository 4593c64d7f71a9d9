package dev.inboxd.sandbox.clock;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.WorkSurvey;
import dev.inboxd.base.job.WorkSurvey.Finding;
import dev.inboxd.base.job.WorkSurvey.Slot;
import dev.inboxd.base.log.LogLine;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One call that moves the clock, in its turn: what is due on the way is done at its time. */
final class ClockWalk {
    /** Real time that what is due at one moment gets. */
    private static final Duration STOP = Duration.ofSeconds(5);

    static final int MOST_STEPS = 10_000;
    /** Until the lease ends of what is still being done when the walk is over. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final Duration BETWEEN_EXTENSIONS = Duration.ofSeconds(1);
    private static final long SHORTEST_PAUSE = 1;
    private static final long LONGEST_PAUSE = 50;

    private final StoredClock clock;
    private final StoredClock.Turn turn;
    private final WorkSurvey survey;
    private final BooleanSupplier stopping;
    /** What did not end in its time; nobody waits for it again. */
    private final Set<Slot> late = new HashSet<>();

    private long extended = System.nanoTime();
    private int steps;

    /** @param stopping whether this process is about to end */
    ClockWalk(StoredClock clock, StoredClock.Turn turn, WorkSurvey survey, BooleanSupplier stopping) {
        this.clock = clock;
        this.turn = turn;
        this.survey = survey;
        this.stopping = stopping;
    }

    /** The moments at which it stood. */
    int steps() {
        return steps;
    }

    /**
     * Goes to a time at once, and on from there.
     *
     * @param target not before what the clock shows
     * @param since the real time at which it has that time
     */
    void goTo(Instant target, Instant since) {
        survey.extend(scan(target, false), target.plus(LEASE));
        turn.resume(target, since);
    }

    /**
     * Goes towards a time by way of each moment at which something is due, which is done before it goes on, and stands
     * at the last of them.
     *
     * @param most how many moments there may be
     * @throws Problem after more: it goes on from where it came to
     */
    void walk(Instant target, int most) {
        Instant at = clock.now();
        turn.stand(at);
        try {
            for (Instant next = next(target); next != null; next = next(target)) {
                if (steps == most) {
                    throw Problem.of(
                            ErrorCode.UNPROCESSABLE,
                            "The clock came to " + at + ", after " + most + " moments at which something was due",
                            "Call again to go on from there, or go by \"jump\": true.");
                }
                at = next;
                turn.stand(at);
                steps++;
            }
        } catch (RuntimeException stopped) {
            turn.resume(at);
            throw stopped;
        }
    }

    /** Waits for what is due now, and finds when the next is; null: nothing up to the target. */
    private @Nullable Instant next(Instant target) {
        Finding finding = await(target, STOP, false);
        if (!finding.begun().isEmpty()) {
            survey.extend(finding, target.plus(LEASE));
            finding = scan(target, false);
        }
        return finding.next();
    }

    /**
     * Has everything done that is due now.
     *
     * @return what is left after that time, by kind; nothing when all is done
     */
    Map<String, Integer> drain(Duration most) {
        late.clear();
        Map<String, Integer> left = new HashMap<>();
        await(clock.now(), most, true)
                .waiting()
                .forEach((slot, number) -> left.merge(slot.kind(), number, Integer::sum));
        return left;
    }

    /** Looks until nothing waits, twice in a row: what was due at one look may be claimed at the next. */
    private Finding await(Instant until, Duration most, boolean patient) {
        long end = System.nanoTime() + most.toNanos();
        long pause = SHORTEST_PAUSE;
        int calm = 0;
        Finding finding;
        while (true) {
            finding = scan(until, patient);
            Set<Slot> waiting = finding.waiting().keySet();
            late.retainAll(waiting);
            if (late.containsAll(waiting)) {
                if (++calm > 1) {
                    return finding;
                }
            } else {
                calm = 0;
                survey.take(finding);
                if (System.nanoTime() - end >= 0) {
                    waiting.forEach(slot -> LogLine.of("clock_goes_on")
                            .with("undone", slot.kind())
                            .with("organization_id", slot.organization())
                            .write());
                    late.addAll(waiting);
                    return finding;
                }
                sleep(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE);
            }
            extendTurn();
        }
    }

    private Finding scan(Instant until, boolean patient) {
        return survey.scan(clock.now(), until, patient);
    }

    private void extendTurn() {
        if (stopping.getAsBoolean()) {
            throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The server is stopping");
        }
        if (System.nanoTime() - extended > BETWEEN_EXTENSIONS.toNanos()) {
            turn.extend();
            extended = System.nanoTime();
        }
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
