package dev.inboxd.sending;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.View;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happens in the very transaction that stores a sent message, or not at all: what a send was answered is noted,
 * the draft that was sent goes. Called in this order; the view is the whole organization.
 */
public interface CommitHook {
    /** Nothing else happens. */
    CommitHook NONE = new CommitHook() {};

    /**
     * Of several sends with one of these in common, only the first is in a transaction; the others come after its commit,
     * and see it.
     */
    default Set<Object> only() {
        return Set.of();
    }

    /**
     * Adds look-ups by rows to the round trip that takes the organization's clock; they see everything committed before.
     * Other sends of the organization may look with the same statement (see {@link RoundTrip#joinQuery}).
     */
    default void prefetch(RoundTrip opening, View all) {}

    /** What it makes less of what is kept, if it writes; known before. */
    default StoredUsage frees() {
        return StoredUsage.NONE;
    }

    /**
     * Decides on what was looked up.
     *
     * @return null to go on; what to answer instead of sending
     * @throws dev.inboxd.platform.error.Problem to send nothing
     */
    default @Nullable SendResult decide() {
        return null;
    }

    /** Adds changes by rows to the round trip that stores the message; may be called again when that comes to nothing. */
    default void appendTo(RoundTrip writes, View all, SendResult sent) {}

    /** This and, behind it, another. */
    default CommitHook and(CommitHook next) {
        CommitHook first = this;
        return new CommitHook() {
            @Override
            public Set<Object> only() {
                Set<Object> both = new HashSet<>(first.only());
                both.addAll(next.only());
                return both;
            }

            @Override
            public void prefetch(RoundTrip opening, View all) {
                first.prefetch(opening, all);
                next.prefetch(opening, all);
            }

            @Override
            public StoredUsage frees() {
                return first.frees().plus(next.frees());
            }

            @Override
            public @Nullable SendResult decide() {
                SendResult sent = first.decide();
                return sent != null ? sent : next.decide();
            }

            @Override
            public void appendTo(RoundTrip writes, View all, SendResult sent) {
                first.appendTo(writes, all, sent);
                next.appendTo(writes, all, sent);
            }
        };
    }
}
