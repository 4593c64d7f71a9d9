package dev.inboxd.platform.access;

import java.util.Locale;

/** What a route can ask besides a settable flag. */
public enum Gate implements Access {
    /** Nothing: the Authorization header is not even read. */
    PUBLIC,
    /** Any valid credential. */
    ANY_KEY,
    /** Derived: a credential of the whole organization (identity.md §5.1). */
    ORGANIZATION_READ,
    /** Derived as well, and an API key alone: what a session token cannot do (identity.md §2, §7.3). */
    ORGANIZATION_KEY,
    /** Derived: a credential of an organization that no human has verified yet (identity.md §5.1). */
    AGENT_VERIFY;

    @Override
    public String wireName() {
        return (this == ORGANIZATION_KEY ? ORGANIZATION_READ : this).name().toLowerCase(Locale.ROOT);
    }
}
