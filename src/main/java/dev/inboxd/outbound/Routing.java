package dev.inboxd.outbound;

import dev.inboxd.inbound.RawMessage;
import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.SecureDns;
import dev.inboxd.smtp.client.SmtpLogin;
import dev.inboxd.smtp.client.TlsRule;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How mail for other hosts leaves (operations: INBOXD_DELIVERY). */
public sealed interface Routing {
    /**
     * It is kept and shown to the developer, never sent.
     *
     * @param listener told of each captured message; must not throw
     */
    record Sandbox(Consumer<CapturedMessage> listener) implements Routing {}

    /**
     * A message that would have left.
     *
     * @param raw its bytes
     */
    record CapturedMessage(String recipient, RawMessage raw) {}

    /**
     * One server takes it all.
     *
     * @param host its name or address
     * @param tls what a session must have
     * @param login who we are there; null for a server that knows us by address
     */
    record Relay(
            String host, int port, TlsRule tls, @Nullable SmtpLogin login) implements Routing {}

    /**
     * It goes to the recipients' own servers.
     *
     * @param dns for their hosts, and what is proven of them
     * @param http for their policies on TLS
     * @param port of other servers
     * @param addresses which may be connected to
     */
    record Direct(SecureDns dns, SafeHttp http, int port, AddressPolicy addresses) implements Routing {}
}
