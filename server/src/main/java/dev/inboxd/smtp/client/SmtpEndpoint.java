package dev.inboxd.smtp.client;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A host to deliver to, with its address resolved.
 *
 * @param host its name, for logs and certificates
 * @param address the address to connect to
 * @param port usually 25
 * @param tls what TLS a session must have
 * @param login our credentials at the host; null when it demands none
 */
public record SmtpEndpoint(
        String host,
        InetAddress address,
        int port,
        TlsRule tls,
        @Nullable SmtpLogin login) {
    /** An MX host: no login, and TLS if it offers it. */
    public SmtpEndpoint(String host, InetAddress address, int port) {
        this(host, address, port, new TlsRule.Opportunistic(), null);
    }

    /** A copy with another TLS rule. */
    public SmtpEndpoint with(TlsRule rule) {
        return new SmtpEndpoint(host, address, port, rule, login);
    }
}
