package dev.inboxd.sandbox.clock;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.WorkSurvey;
import dev.inboxd.base.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls that move the clock, one after the other on all nodes. */
final class ClockMoves {
    private static final long BETWEEN_TRIES = 20;

    private final StoredClock clock;
    private final WorkSurvey survey;
    private final Runnable moved;
    private final List<Runnable> behind;
    private volatile boolean stopping;

    /**
     * The moves of a clock.
     *
     * @param moved is told on this node after each move
     * @param behind what is done now and then, behind an advance
     */
    ClockMoves(StoredClock clock, WorkSurvey survey, Runnable moved, List<Runnable> behind) {
        this.clock = clock;
        this.survey = survey;
        this.moved = moved;
        this.behind = behind;
    }

    /** Calls end where they are. */
    void stop() {
        stopping = true;
    }

    /** Follows the clock. While it stands, work that waits for a later look is taken up all the same. */
    void follow() {
        clock.followed(moved);
        if (clock.stands()) {
            Instant now = clock.now();
            survey.take(survey.scan(now, now, true));
        }
    }

    /** What the clock shows. */
    JsonObject show() {
        return shown(clock.find().frozen());
    }

    private JsonObject shown(boolean frozen) {
        Instant now = clock.now();
        Instant real = clock.real();
        double offset = Duration.between(real, now).toMillis() / 1e3;
        return JsonObject.of("now", now)
                .with("real_now", real)
                .with("offset_seconds", offset)
                .with("frozen", frozen);
    }

    /**
     * Does what a call asks, and waits until what is due is done.
     *
     * @throws Problem why it cannot be done
     */
    JsonObject run(ClockOrder order) {
        try (StoredClock.Turn turn = turn()) {
            ClockWalk walk = new ClockWalk(clock, turn, survey, () -> stopping);
            switch (order.form()) {
                case ClockOrder.Advance advance -> advance(advance, walk);
                case ClockOrder.Word.FREEZE -> freeze(turn, true);
                case ClockOrder.Word.RESUME -> freeze(turn, false);
                case ClockOrder.Word.RESET -> reset(turn);
            }
            moved.run();
            Map<String, Integer> left = new TreeMap<>(walk.drain(order.settleTimeout()));
            List<JsonObject> pending = left.entrySet().stream()
                    .map(entry -> JsonObject.of("kind", entry.getKey()).with("count", entry.getValue()))
                    .toList();
            return shown(turn.isFrozen())
                    .with("steps", order.form() instanceof ClockOrder.Advance ? walk.steps() : null)
                    .with("settled", pending.isEmpty())
                    .with("pending", pending.isEmpty() ? null : pending);
        }
    }

    /** Shows the real time again, when no organization is left. */
    <T> T restart(Supplier<T> emptying) {
        T result;
        try (StoredClock.Turn turn = turn()) {
            result = emptying.get();
            turn.reset();
        }
        moved.run();
        return result;
    }

    private StoredClock.Turn turn() {
        while (true) {
            StoredClock.@Nullable Turn turn = clock.take();
            if (turn != null) {
                return turn;
            }
            if (stopping) {
                throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "The server is stopping");
            }
            try {
                Thread.sleep(BETWEEN_TRIES);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void advance(ClockOrder.Advance advance, ClockWalk walk) {
        Instant began = clock.real();
        Instant now = clock.now();
        Instant target = advance.to() == null ? now.plus(advance.by()) : advance.to();
        if (target.isBefore(now)) {
            throw Problem.invalid("set", "must not be before the time of the server: its clock never goes back");
        }
        if (!advance.jump()) {
            walk.walk(target, ClockWalk.MOST_STEPS);
        }
        // What was done on the way took none of the time that it went on by; a time that was set is that of the answer.
        walk.goTo(target, advance.to() == null ? began : clock.real());
        behind.forEach(Runnable::run);
    }

    private void freeze(StoredClock.Turn turn, boolean frozen) {
        if (turn.isFrozen() != frozen) {
            turn.freeze(frozen);
            turn.resume(clock.now());
        }
    }

    private static void reset(StoredClock.Turn turn) {
        if (turn.isInhabited()) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "The clock never goes back while there is an organization that it passed over",
                    "Start with an empty data folder, or reset everything by POST /sandbox/reset.");
        }
        turn.reset();
    }
}
