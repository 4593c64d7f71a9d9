package dev.inboxd.base.database;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The clock's row as a writer left it.
 *
 * @param lookAt when the organization is looked at; null: nothing has changed since the last look
 * @param movedTo where the organization is now; null while it is here
 */
record ClockState(
        Tx.Stamp last,
        @Nullable Instant lookAt,
        StoredUsage usage,
        @Nullable String movedTo) {
    /**
     * Refuses to commit in the place that the organization left: this process may have been frozen or cut off while it
     * moved (decision 0076).
     *
     * @throws dev.inboxd.base.error.Problem where it went
     */
    void requireHere() {
        if (movedTo != null) {
            throw WriteGate.moved("The organization", movedTo);
        }
    }
}
