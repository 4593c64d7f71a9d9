package dev.inboxd.mailbox.search;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/**
 * A message that matches a query.
 *
 * @param rank how well it matches, 0 best; a constant of {@link MatchRank}
 * @param at when it was stored; unique in the organization
 */
record Hit(UUID message, UUID thread, int rank, Instant at) {
    static final Comparator<Hit> NEWEST_FIRST = Comparator.comparing(Hit::at).reversed();
    /** The order of search results (mail.md §17). */
    static final Comparator<Hit> BEST_FIRST = Comparator.comparingInt(Hit::rank).thenComparing(NEWEST_FIRST);
}
