package dev.inboxd.base.error;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects all faults of one request, so that the caller learns all of them at once. The query and the body of a
 * request share one collection; the handler calls {@link #check()} when it has read what it needs.
 */
public final class Faults {
    /** Maximum number of faults reported. Hostile input can have a million; no caller reads more than these. */
    private static final int MOST = 100;

    private final List<Fault> faults = new ArrayList<>();
    private final List<Runnable> reviews = new ArrayList<>(2);

    /** Adds a fault; those beyond the hundredth are dropped. */
    public void add(Fault fault) {
        if (faults.size() < MOST) {
            faults.add(fault);
        }
    }

    /** Adds a fault of one top-level member, query parameter or header. */
    public void add(String member, String message) {
        add(Fault.of(member, message));
    }

    /** Registers work that looks for further faults at each check: by then it is known what the route reads. */
    public void atCheck(Runnable review) {
        reviews.add(review);
    }

    /** Whether something at this path is a fault already. */
    public boolean isFaulty(List<Object> path) {
        return faults.stream().anyMatch(fault -> fault.path().equals(path));
    }

    /** Whether there is no fault so far. */
    public boolean none() {
        return faults.isEmpty();
    }

    /**
     * Ends the parsing of a request.
     *
     * @throws Problem {@link ErrorCode#VALIDATION_ERROR} with every fault found so far
     */
    public void check() {
        reviews.forEach(Runnable::run);
        if (!faults.isEmpty()) {
            throw Problem.invalid(faults);
        }
    }
}
