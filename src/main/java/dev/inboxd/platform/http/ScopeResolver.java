package dev.inboxd.platform.http;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Resolves the pod or inbox that a path names inside what its caller may see. */
@FunctionalInterface
public interface ScopeResolver {
    /**
     * Where a path leads.
     *
     * @param view the caller's, narrowed to the pod or inbox that the path names
     * @param resource what was read on the way there, which the handler need not read again; null without one
     */
    record ResolvedScope(View view, @Nullable Object resource) {}

    /**
     * The caller's view narrowed to that pod or inbox.
     *
     * @param level {@link Level#POD} or {@link Level#INBOX}, never another
     * @param id the path's pod or inbox id, percent-decoded, otherwise unchecked
     * @throws dev.inboxd.platform.error.Problem {@code not_found} when the caller cannot see such a one
     */
    ResolvedScope narrow(Caller caller, Level level, String id);

    /** A path of which more may be known when its caller is: what it names can be looked for while the key is read. */
    default ScopePrefetch prefetch(Level level, String id) {
        return new ScopePrefetch() {
            @Override
            public void prefetch(RoundTrip trip, UUID organization) {
                // it is narrowed to once the caller is known
            }

            @Override
            public ResolvedScope resolve(Caller caller) {
                return narrow(caller, level, id);
            }
        };
    }

    /** A path whose caller is not known yet. */
    interface ScopePrefetch extends Authenticator.Prefetch {
        /** As {@link ScopeResolver#narrow}, of what was looked for, or else is now. */
        ResolvedScope resolve(Caller caller);
    }
}
