package dev.inboxd.http;

import dev.inboxd.access.Access;
import dev.inboxd.access.Caller;

/** Turns a bearer key into the credential behind it; the key store's part of every request. */
@FunctionalInterface
public interface Authenticator {
    /**
     * The credential of a key.
     *
     * @param key what followed {@code Bearer }: not empty, no whitespace, otherwise unchecked
     * @param access what the route asks: some routes take keys alone, no session tokens (identity.md §2)
     * @throws dev.inboxd.error.Problem with status 401: unknown_api_key, api_key_expired, invalid_token_type,
     *     unauthorized
     */
    Caller authenticate(String key, Access access);
}
