package dev.inboxd.base.access;

/** Access rule of a route; every route names one. */
public sealed interface Access permits Permission, Gate, Access.Either, Access.OfKey {
    /** The name in a refusal. */
    String wireName();

    /**
     * A rule that either of two flags satisfies.
     *
     * @param primary the flag that a refusal names
     * @param alternative a flag that permits little else
     */
    record Either(Permission primary, Permission alternative) implements Access {
        @Override
        public String wireName() {
            return primary.wireName();
        }
    }

    /**
     * A flag of an API key: no session token has it, because what is made lives as long as the key.
     *
     * @param permission the flag
     */
    record OfKey(Permission permission) implements Access {
        @Override
        public String wireName() {
            return permission.wireName();
        }
    }
}
