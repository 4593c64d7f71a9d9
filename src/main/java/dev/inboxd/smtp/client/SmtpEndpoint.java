package dev.inboxd.smtp.client;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A host to deliver to, already resolved.
 *
 * @param host its name, for logs and certificates
 * @param address the very address to connect to
 * @param port 25 as a rule
 * @param tls what a session must have
 * @param login who we are there; null where nobody asks
 */
public record SmtpEndpoint(
        String host,
        InetAddress address,
        int port,
        TlsRule tls,
        @Nullable SmtpLogin login) {
    /** A host that takes mail from anybody, over TLS if it can. */
    public SmtpEndpoint(String host, InetAddress address, int port) {
        this(host, address, port, new TlsRule.Opportunistic(), null);
    }

    /** The same host under another rule. */
    public SmtpEndpoint with(TlsRule other) {
        return new SmtpEndpoint(host, address, port, other, login);
    }
}
