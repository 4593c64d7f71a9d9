package dev.inboxd.sending.idempotency;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.View;
import dev.inboxd.event.EventLog;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Work in the transaction that stores a sent message: it is committed with the message or not at all. Examples are the
 * idempotency record and the deletion of the sent draft. A commit has a list of hooks: each method is called on all of
 * them, one hook after another, before the next method. The view is the whole organization.
 */
public interface CommitHook {
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

    /** The stored usage that all of these hooks free. */
    static StoredUsage frees(List<CommitHook> hooks) {
        return hooks.stream().map(CommitHook::frees).reduce(StoredUsage.NONE, StoredUsage::plus);
    }

    /** The stored usage that the hook frees if it writes; known before the transaction. */
    default StoredUsage frees() {
        return StoredUsage.NONE;
    }

    /**
     * Decides with the results of the queries.
     *
     * @return null to send the message; otherwise the result to answer instead of sending
     * @throws dev.inboxd.base.error.Problem to send nothing
     */
    default @Nullable SendResult decide() {
        return null;
    }

    /**
     * Adds events that go with the message; at most one a hook. Called again when the transaction is repeated.
     *
     * @param sent the message as it is stored
     */
    default void addEvents(EventLog.EventBatch events, SendResult sent) {}

    /** Adds changes to the round trip that stores the message. Called again when the transaction is repeated. */
    default void appendTo(RoundTrip writes, View all, SendResult sent) {}
}
