package dev.inboxd.base.http;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.RoundTrip;
import java.util.UUID;

/** Finds the credential of a bearer key. The key store implements it; every request passes it. */
@FunctionalInterface
public interface Authenticator {
    /**
     * Authenticates a key.
     *
     * @param key text behind {@code Bearer}: not empty, no whitespace, otherwise unchecked
     * @param access permission of the route: some routes accept keys alone, no session tokens (identity.md §2)
     * @throws dev.inboxd.base.error.Problem with status 401: unknown_api_key, api_key_expired, invalid_token_type,
     *     unauthorized
     */
    Caller authenticate(String key, Access access);

    /**
     * As {@link #authenticate(String, Access)}. An implementation that can sends the look-ups of the prefetch in the
     * same round trip.
     *
     * @param aside look-ups, added as soon as the organization of the key is known; an implementation may leave them
     *     out
     */
    default Caller authenticate(String key, Access access, Prefetch aside) {
        return authenticate(key, access);
    }

    /** Look-ups in an organization that run while the caller's key is read. */
    @FunctionalInterface
    interface Prefetch {
        /** No look-ups. */
        Prefetch NOTHING = (_, _) -> {};

        /** Adds look-ups. Their results stay hidden until the caller's view is known. */
        void prefetch(RoundTrip trip, UUID organization);
    }
}
