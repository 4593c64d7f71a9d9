package dev.inboxd.platform.access;

/** What a route asks of its caller; every route line names one. */
public sealed interface Access permits Permission, Gate, Access.Either {
    /** The name a refusal gives. */
    String wire();

    /**
     * A route that either of two flags opens.
     *
     * @param usual the flag a refusal names
     * @param lesser the flag that opens little else
     */
    record Either(Permission usual, Permission lesser) implements Access {
        @Override
        public String wire() {
            return usual.wire();
        }
    }
}
