package dev.inboxd.http;

import dev.inboxd.access.Caller;
import dev.inboxd.database.View;

/** Resolves the pod or inbox that a path names inside what its caller may see. */
@FunctionalInterface
public interface Narrowing {
    /**
     * The caller's view narrowed to that pod or inbox.
     *
     * @param level {@link Level#POD} or {@link Level#INBOX}, never another
     * @param id the path's pod or inbox id, percent-decoded, otherwise unchecked
     * @throws dev.inboxd.error.Problem {@code not_found} when the caller cannot see such a one
     */
    View narrow(Caller caller, Level level, String id);
}
