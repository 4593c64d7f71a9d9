package dev.inboxd.sending;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.View;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Work in the transaction that stores a sent message: it is committed with the message or not at all. Examples are the
 * idempotency record and the deletion of the sent draft. The methods are called in this order; the view is the whole
 * organization.
 */
public interface CommitHook {
    /** No further work. */
    CommitHook NONE = new CommitHook() {};

    /**
     * Keys that sends share. Of several sends with a common key, only the first goes into a transaction; the others
     * follow after its commit, and see it.
     */
    default Set<Object> only() {
        return Set.of();
    }

    /**
     * Adds queries to the round trip that locks the organization's clock row; they see everything committed before.
     * Other sends of the organization may share the same statement (see {@link RoundTrip#joinQuery}).
     */
    default void prefetch(RoundTrip opening, View all) {}

    /** The stored usage that the hook frees if it writes; known before the transaction. */
    default StoredUsage frees() {
        return StoredUsage.NONE;
    }

    /**
     * Decides with the results of the queries.
     *
     * @return null to send the message; otherwise the result to answer instead of sending
     * @throws dev.inboxd.platform.error.Problem to send nothing
     */
    default @Nullable SendResult decide() {
        return null;
    }

    /** Adds changes to the round trip that stores the message. Called again when the transaction is repeated. */
    default void appendTo(RoundTrip writes, View all, SendResult sent) {}

    /** This hook followed by another. */
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
