package dev.inboxd.base.fault;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Look-ups in DNS that fail because somebody who tests a program asked for it, in development (sandbox.md §6). */
@FunctionalInterface
public interface LookupFaults {
    /** None fails so, as in production. */
    LookupFaults NONE = (_, _) -> null;

    /** How a name cannot be looked up for an organization; null when it is looked up. */
    @Nullable
    LookupFailure of(UUID organization, String name);

    /** How a look-up fails. */
    enum LookupFailure {
        /** No server answers for the name. */
        SERVFAIL,
        /** There is no such name. */
        NXDOMAIN
    }
}
