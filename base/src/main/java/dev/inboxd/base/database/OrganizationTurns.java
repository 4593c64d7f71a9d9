package dev.inboxd.base.database;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;

/**
 * Serializes batches per organization across all commit groups of a database, so that two batches never wait for the
 * same clock row. While one group writes for an organization, the items of the others wait in memory and gather. A
 * group that uses every free moment of an organization may pass another one {@link #PASSES} times; then the
 * organization is reserved for the other group, unless a slow commit holds that group up. The monitor of this object
 * guards the state of all groups.
 */
final class OrganizationTurns {
    /**
     * How often a group may be passed. A reservation for a group that is not ready leaves the organization idle, so it
     * comes only after several passes.
     */
    static final int PASSES = 4;

    private final Set<UUID> busy = new HashSet<>();
    private final List<CommitGroup<?>> gatherings = new ArrayList<>();
    /** Who waits for an organization, who has waited longest first, and how often each was passed by; none empty. */
    private final Map<UUID, SequencedMap<CommitGroup<?>, Integer>> lines = new HashMap<>();

    synchronized void join(CommitGroup<?> gathering) {
        gatherings.add(gathering);
    }

    /** Whether it may begin to write for it now; call with the monitor held. */
    boolean isFree(UUID organization, CommitGroup<?> gathering) {
        SequencedMap<CommitGroup<?>, Integer> line = lines.get(organization);
        return !busy.contains(organization)
                && (line == null
                        || line.firstEntry().getValue() < PASSES
                        || line.firstEntry().getKey() == gathering
                        || line.firstEntry().getKey().isHeldUp());
    }

    /** It writes for these from now on; call with the monitor held. */
    void begin(Set<UUID> organizations, CommitGroup<?> gathering) {
        busy.addAll(organizations);
        for (UUID organization : organizations) {
            leave(organization, gathering);
            lines.computeIfPresent(organization, (_, line) -> {
                line.replaceAll((_, passed) -> passed + 1);
                return line;
            });
        }
    }

    /** It has something for it that cannot be written now; call with the monitor held, perhaps again. */
    void await(UUID organization, CommitGroup<?> gathering) {
        lines.computeIfAbsent(organization, _ -> new LinkedHashMap<>()).putIfAbsent(gathering, 0);
    }

    /** It has nothing for it any more; call with the monitor held. */
    void leave(UUID organization, CommitGroup<?> gathering) {
        lines.computeIfPresent(organization, (_, line) -> {
            line.remove(gathering);
            return line.isEmpty() ? null : line;
        });
    }

    /**
     * Nobody writes for these any more; call with the monitor held.
     *
     * @param last who did, and has its turn after all others
     * @return what is to be begun when the monitor is free
     */
    List<Runnable> end(Set<UUID> organizations, CommitGroup<?> last) {
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
