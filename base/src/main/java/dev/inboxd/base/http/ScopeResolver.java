package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Resolves the pod or inbox of a path within the caller's view. */
@FunctionalInterface
public interface ScopeResolver {
    /**
     * A resolved path.
     *
     * @param view the caller's view, narrowed to the pod or inbox of the path
     * @param resource the row read on the way, which the handler need not read again; null without one
     */
    record ResolvedScope(View view, @Nullable Object resource) {}

    /**
     * Narrows the caller's view to the pod or inbox.
     *
     * @param level {@link Level#POD} or {@link Level#INBOX}, never another
     * @param id the path's pod or inbox id, percent-decoded, otherwise unchecked
     * @throws dev.inboxd.base.error.Problem {@code not_found} when the caller cannot see it
     */
    ResolvedScope narrow(Caller caller, Level level, String id);

    /** Look-ups for a path whose caller is not known yet; they can run while the key is read. */
    default ScopePrefetch prefetch(Level level, String id) {
        return new ScopePrefetch() {
            @Override
            public void prefetch(RoundTrip trip, UUID organization) {
                // no look-up; the path is resolved when the caller is known
            }

            @Override
            public ResolvedScope resolve(Caller caller) {
                return narrow(caller, level, id);
            }
        };
    }

    /** Look-ups for a path whose caller is not known yet. */
    interface ScopePrefetch extends Authenticator.Prefetch {
        /** As {@link ScopeResolver#narrow}, with the rows of the look-up, or with a look-up now when there was none. */
        ResolvedScope resolve(Caller caller);
    }
}
