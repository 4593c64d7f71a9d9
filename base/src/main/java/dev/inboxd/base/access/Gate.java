package dev.inboxd.base.access;

import java.util.Locale;

/** Access rules besides the flags that can be set. */
public enum Gate implements Access {
    /** No credential: the Authorization header is not even read. */
    PUBLIC,
    /** Any valid credential. */
    ANY_KEY,
    /** Derived: a credential of the whole organization (identity.md §5.1). */
    ORGANIZATION_READ,
    /** Derived: an API key of the whole organization, no session token (identity.md §2, §7.3). */
    ORGANIZATION_KEY,
    /** Derived: a credential of an organization that no human has verified yet (identity.md §5.1). */
    AGENT_VERIFY;

    @Override
    public String wireName() {
        return (this == ORGANIZATION_KEY ? ORGANIZATION_READ : this).name().toLowerCase(Locale.ROOT);
    }
}
