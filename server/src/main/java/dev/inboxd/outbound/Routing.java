package dev.inboxd.outbound;

import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.SecureDns;
import dev.inboxd.smtp.client.SmtpLogin;
import dev.inboxd.smtp.client.TlsRule;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The route of mail for other servers (setting INBOXD_DELIVERY). */
public sealed interface Routing {
    /**
     * Messages are captured and shown to the developer, never sent.
     *
     * @param listener called with each captured message; must not throw
     */
    record Sandbox(Consumer<CapturedMessage> listener) implements Routing {}

    /**
     * A captured message.
     *
     * @param raw its octets
     */
    record CapturedMessage(String recipient, RawMessage raw) {}

    /**
     * One server, the relay, takes all messages.
     *
     * @param host its name or address
     * @param tls what TLS a session must have
     * @param login our credentials at the relay; null for a relay that knows us by address
     */
    record Relay(
            String host, int port, TlsRule tls, @Nullable SmtpLogin login) implements Routing {}

    /**
     * Messages go to the MX hosts of the recipients' domains.
     *
     * @param dns resolves hosts, with DNSSEC proofs
     * @param http fetches MTA-STS policies
     * @param port of other servers
     * @param addresses which addresses may be connected to
     */
    record Direct(SecureDns dns, SafeHttp http, int port, AddressPolicy addresses) implements Routing {}
}
