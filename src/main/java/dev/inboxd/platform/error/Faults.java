package dev.inboxd.platform.error;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects everything that is wrong with one request, so that the caller is told all of it at once. A request's query
 * and body share one collection; the handler calls {@link #check()} when it has read what it needs.
 */
public final class Faults {
    /** Hostile input can be wrong a million times; a caller cannot read more than these. */
    private static final int MOST = 100;

    private final List<Fault> found = new ArrayList<>();

    /** Notes a fault; the ones beyond the hundredth are dropped. */
    public void add(Fault fault) {
        if (found.size() < MOST) {
            found.add(fault);
        }
    }

    /** Notes a fault of one top-level member, query parameter or header. */
    public void add(String member, String message) {
        add(Fault.of(member, message));
    }

    /** Whether nothing was wrong so far. */
    public boolean none() {
        return found.isEmpty();
    }

    /**
     * Ends the reading of a request.
     *
     * @throws Problem {@link ErrorCode#VALIDATION_ERROR} with every fault found so far
     */
    public void check() {
        if (!found.isEmpty()) {
            throw Problem.invalid(found);
        }
    }
}
