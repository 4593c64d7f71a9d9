package dev.inboxd.platform.http;

import dev.inboxd.platform.access.Access;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.RoundTrip;
import java.util.UUID;

/** Turns a bearer key into the credential behind it; the key store's part of every request. */
@FunctionalInterface
public interface Authenticator {
    /**
     * The credential of a key.
     *
     * @param key what followed {@code BearerHeader }: not empty, no whitespace, otherwise unchecked
     * @param access what the route asks: some routes take keys alone, no session tokens (identity.md §2)
     * @throws dev.inboxd.platform.error.Problem with status 401: unknown_api_key, api_key_expired, invalid_token_type,
     *     unauthorized
     */
    Caller authenticate(String key, Access access);

    /**
     * As {@link #authenticate(String, Access)}, and something else is asked in the same round trip, where that can be.
     *
     * @param aside what is asked, as soon as it is known whose the key is; perhaps it is not
     */
    default Caller authenticate(String key, Access access, Prefetch aside) {
        return authenticate(key, access);
    }

    /** What is asked of an organization while its caller's key is read. */
    @FunctionalInterface
    interface Prefetch {
        /** Nothing. */
        Prefetch NOTHING = (_, _) -> {};

        /** Adds look-ups. What they find is nothing to tell before it is known what the caller may see. */
        void prefetch(RoundTrip trip, UUID organization);
    }
}
