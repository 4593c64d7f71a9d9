package dev.inboxd.mailbox.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The messages of runs that become one.
 *
 * @param messages the messages of the new run, in its order
 * @param renumbered by the number of each run: what its documents are called in the new one; -1 for one that is gone
 */
record DocumentMap(List<UUID> messages, Map<Long, int[]> renumbered) {
    DocumentMap {
        messages = List.copyOf(messages);
        renumbered = Map.copyOf(renumbered);
    }

    /**
     * The members of a new run.
     *
     * @param runs the runs that it is made of, oldest first
     * @param all their messages
     * @param gone those of the messages that are deleted
     * @throws IllegalStateException when a run is not whole any more: then it was replaced and removed meanwhile
     */
    static DocumentMap of(List<Segment> runs, Function<Segment, List<UUID>> all, Set<UUID> gone) {
        List<UUID> kept = new ArrayList<>();
        Map<Long, int[]> renumbered = new HashMap<>();
        for (Segment run : runs) {
            List<UUID> messages = all.apply(run);
            if (messages.size() != run.documents()) {
                throw new IllegalStateException("another node has merged them");
            }
            int[] numbers = new int[messages.size()];
            for (int i = 0; i < numbers.length; i++) {
                boolean stays = !gone.contains(messages.get(i));
                numbers[i] = stays ? kept.size() : -1;
                if (stays) {
                    kept.add(messages.get(i));
                }
            }
            renumbered.put(run.number(), numbers);
        }
        return new DocumentMap(kept, renumbered);
    }

    /** What the documents of a run are called in the new one. */
    int[] of(Segment run) {
        return renumbered.getOrDefault(run.number(), new int[0]);
    }
}
