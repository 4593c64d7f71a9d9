package dev.inboxd.base.database;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a caller may see: one organization, perhaps narrowed to a pod or an inbox, without the messages whose
 * restricted labels it may not read. Every statement on a tenant table takes a view and expands it, so foreign, hidden
 * and missing rows give the same empty result.
 *
 * @param organization the tenant
 * @param pod only rows of this pod, or null for all
 * @param inbox only rows of this inbox, or null for all
 * @param hidden bit set of restricted labels that this caller may not read
 * @param since only mail from this moment on, or null for all: a key that was rotated before its organization was
 *     verified sees nothing older (ruling 23)
 */
public record View(
        UUID organization,
        @Nullable UUID pod,
        @Nullable UUID inbox,
        int hidden,
        @Nullable Instant since) {
    /** The whole organization; for background work, never for a caller's request. */
    public static View of(UUID organization) {
        return new View(organization, null, null, 0, null);
    }

    /**
     * Whether rows of this inbox and pod, of the same organization, are within the view; the counterpart in Java of
     * {@code {m}}.
     */
    public boolean holds(UUID ofPod, UUID ofInbox) {
        return (pod == null || pod.equals(ofPod)) && (inbox == null || inbox.equals(ofInbox));
    }

    /** This view narrowed to one of its pods. */
    public View pod(UUID onlyPod) {
        return new View(organization, onlyPod, inbox, hidden, since);
    }

    /** This view narrowed to one of its inboxes. */
    public View inbox(UUID onlyInbox) {
        return new View(organization, pod, onlyInbox, hidden, since);
    }
}
