package dev.inboxd.mailbox.search.segment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The document map of a merge: the messages of the new segment, and the new numbers of the old documents.
 *
 * @param messages the messages of the new segment, in its order
 * @param renumbered by the number of each old segment: the new numbers of its documents; -1 for a deleted one
 */
public record DocumentMap(List<UUID> messages, Map<Long, int[]> renumbered) {
    public DocumentMap {
        messages = List.copyOf(messages);
        renumbered = Map.copyOf(renumbered);
    }

    /**
     * The document map of a merge.
     *
     * @param segments the old segments, oldest first
     * @param all the messages of a segment
     * @param deleted the deleted messages
     * @throws IllegalStateException when blocks of a segment are missing: another node has replaced and removed it
     */
    public static DocumentMap of(List<Segment> segments, Function<Segment, List<UUID>> all, Set<UUID> deleted) {
        List<UUID> remaining = new ArrayList<>();
        Map<Long, int[]> renumbered = new HashMap<>();
        for (Segment segment : segments) {
            List<UUID> messages = all.apply(segment);
            if (messages.size() != segment.documents()) {
                throw new IllegalStateException("another node has merged the segments");
            }
            int[] numbers = new int[messages.size()];
            for (int i = 0; i < numbers.length; i++) {
                boolean stays = !deleted.contains(messages.get(i));
                numbers[i] = stays ? remaining.size() : -1;
                if (stays) {
                    remaining.add(messages.get(i));
                }
            }
            renumbered.put(segment.number(), numbers);
        }
        return new DocumentMap(remaining, renumbered);
    }

    /** The new numbers of a segment's documents. */
    public int[] of(Segment segment) {
        return renumbered.getOrDefault(segment.number(), new int[0]);
    }
}
