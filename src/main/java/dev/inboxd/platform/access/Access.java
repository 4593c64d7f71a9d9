package dev.inboxd.platform.access;

/** What a route asks of its caller; every route line names one. */
public sealed interface Access permits Permission, Gate, Access.Either {
    /** The name a refusal gives. */
    String wireName();

    /**
     * A route that either of two flags opens.
     *
     * @param primary the flag a refusal names
     * @param alternative the flag that opens little else
     */
    record Either(Permission primary, Permission alternative) implements Access {
        @Override
        public String wireName() {
            return primary.wireName();
        }
    }
}
