package dev.inboxd.submit;

/** How mail for other hosts leaves (operations: INBOXD_DELIVERY). */
public sealed interface Routing {
    /** It is kept and shown to the developer, never sent. */
    record Sandbox() implements Routing {}

    /**
     * One server takes it all.
     *
     * @param host its name or address
     */
    record Relay(String host, int port) implements Routing {}
}
