package dev.inboxd.database;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Whose clock the gatherings of one database have: what one of them writes for an organization waits in memory, and
 * gathers, while another one writes for it; else both would be at the database, one of them in vain. All state of the
 * gatherings is guarded by this.
 */
final class Turns {
    private final Set<UUID> busy = new HashSet<>();
    private final List<Gathering<?>> gatherings = new ArrayList<>();

    synchronized void join(Gathering<?> gathering) {
        gatherings.add(gathering);
    }

    /** Whether somebody writes for it; call with the monitor held. */
    boolean isBusy(UUID organization) {
        return busy.contains(organization);
    }

    /** Somebody writes for these from now on; call with the monitor held. */
    void begin(Set<UUID> organizations) {
        busy.addAll(organizations);
    }

    /**
     * Nobody writes for these any more; call with the monitor held.
     *
     * @param last who did, and has its turn after all others
     * @return what is to be begun when the monitor is free
     */
    List<Runnable> end(Set<UUID> organizations, Gathering<?> last) {
        busy.removeAll(organizations);
        List<Runnable> next = new ArrayList<>();
        int at = gatherings.indexOf(last);
        for (int i = 1; i <= gatherings.size(); i++) {
            Runnable begun = gatherings.get((at + i) % gatherings.size()).next();
            if (begun != null) {
                next.add(begun);
            }
        }
        return next;
    }
}
