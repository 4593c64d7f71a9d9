package dev.inboxd.base.job;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What leaves this process: attempts to deliver mail and to post events, drafts at their time, starts and ends. Nothing
 * begins while the marks hold it, and what had begun is counted until it is over.
 */
public final class Departures {
    private final BooleanSupplier isTrusted;
    private final Supplier<Marks> marks;
    private final Predicate<UUID> isPaused;
    private final Map<UUID, Integer> begun = new ConcurrentHashMap<>();

    /**
     * Departures under marks.
     *
     * @param isTrusted whether the others still count on this process
     * @param marks those that this process goes by
     * @param isPaused whether the work of an organization waits because somebody tests that
     */
    Departures(BooleanSupplier isTrusted, Supplier<Marks> marks, Predicate<UUID> isPaused) {
        this.isTrusted = isTrusted;
        this.marks = marks;
        this.isPaused = isPaused;
    }

    /** Something that leaves; closed when its result is written, or on its way. */
    public final class Departure implements AutoCloseable {
        private final UUID organization;

        private Departure(UUID organization) {
            this.organization = organization;
        }

        @Override
        public void close() {
            begun.compute(organization, (_, count) -> count == null || count == 1 ? null : count - 1);
        }
    }

    /** Whether nothing leaves at all, so that nobody need look for what is due. */
    public boolean areHeld() {
        return marks.get().isHeld();
    }

    /** Whether something of an organization may begin to leave now. */
    public boolean mayBegin(UUID organization) {
        return isTrusted.getAsBoolean() && !marks.get().isHeld(organization) && !isPaused.test(organization);
    }

    /**
     * Does what lets something of an organization leave, unless that is held.
     *
     * @return whether it was done
     */
    public boolean run(UUID organization, Runnable departure) {
        // Counted before the marks are looked at: whoever reads new marks and then counts misses none.
        try (Departure _ = count(organization)) {
            if (!mayBegin(organization)) {
                return false;
            }
            departure.run();
            return true;
        }
    }

    /** A worker that lets something leave: what is held stays due. */
    public WorkKind.Worker worker(WorkKind.Worker work) {
        return new WorkKind.Worker() {
            @Override
            public void run(UUID organization) {
                Departures.this.run(organization, () -> work.run(organization));
            }

            @Override
            public boolean isHeld() {
                return areHeld();
            }
        };
    }

    /** Counts what follows a departure, until it is closed: a result that is written later, with others. */
    public Departure count(UUID organization) {
        begun.merge(organization, 1, Integer::sum);
        return new Departure(organization);
    }

    /** Whether everything that the marks hold is over. */
    boolean areSettled() {
        return begun.keySet().stream().noneMatch(marks.get()::isHeld);
    }
}
