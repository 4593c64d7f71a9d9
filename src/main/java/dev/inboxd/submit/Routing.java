package dev.inboxd.submit;

import dev.inboxd.receive.Raw;
import java.util.function.Consumer;

/** How mail for other hosts leaves (operations: INBOXD_DELIVERY). */
public sealed interface Routing {
    /**
     * It is kept and shown to the developer, never sent.
     *
     * @param shown told of each captured message; must not throw
     */
    record Sandbox(Consumer<Captured> shown) implements Routing {}

    /**
     * A message that would have left.
     *
     * @param raw its bytes
     */
    record Captured(String recipient, Raw raw) {}

    /**
     * One server takes it all.
     *
     * @param host its name or address
     */
    record Relay(String host, int port) implements Routing {}
}
