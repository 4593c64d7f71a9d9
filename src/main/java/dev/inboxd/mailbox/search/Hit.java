package dev.inboxd.mailbox.search;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/**
 * A message that was found.
 *
 * @param rank how well it fits, 0 best; a constant of {@link MatchRank}
 * @param at when it was stored, which no other message of its organization was
 */
record Hit(UUID message, UUID thread, int rank, Instant at) {
    static final Comparator<Hit> NEWEST_FIRST = Comparator.comparing(Hit::at).reversed();
    /** The order of search results (mail.md §17). */
    static final Comparator<Hit> BEST_FIRST = Comparator.comparingInt(Hit::rank).thenComparing(NEWEST_FIRST);
}
