package dev.inboxd.config;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * The relay: the server that takes all outgoing mail.
 *
 * @param server its host and port
 * @param implicitTls TLS from the first octet (RFC 8314 §3), not by STARTTLS
 * @param tlsRequired whether a session needs TLS with a certificate for the relay's name
 * @param login our credentials; absent for a relay that knows us by address
 */
public record RelayServer(HostPort server, boolean implicitTls, boolean tlsRequired, Optional<Credentials> login) {
    private static final int SMTP = 25;
    private static final int SUBMISSION = 587; // RFC 6409 §3.1
    private static final int SUBMISSIONS = 465; // RFC 8314 §7.3

    /**
     * Parses {@code smtp://[user:password@]host[:port][?tls=required]} or {@code smtps://…}.
     *
     * @throws IllegalArgumentException when the text has neither form
     */
    static RelayServer parse(String text) {
        URI uri = URI.create(text);
        boolean tls = "smtps".equals(uri.getScheme());
        if ((!tls && !"smtp".equals(uri.getScheme())) || uri.getHost() == null) {
            throw new IllegalArgumentException("not an smtp: or smtps: URL");
        }
        Optional<Credentials> login = Optional.ofNullable(uri.getRawUserInfo()).map(Credentials::parse);
        int defaultPort = tls ? SUBMISSIONS : login.isPresent() ? SUBMISSION : SMTP;
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        String query = uri.getRawQuery();
        if ((query != null && !query.equals("tls=required"))
                || !List.of("", "/").contains(uri.getRawPath())) {
            throw new IllegalArgumentException("nothing but ?tls=required may follow");
        }
        boolean required = tls || query != null || (login.isPresent() && !isThisMachine(host));
        return new RelayServer(
                new HostPort(host, uri.getPort() < 0 ? defaultPort : uri.getPort()), tls, required, login);
    }

    /** Whether the relay is on this machine, so that a password crosses no network. */
    private static boolean isThisMachine(String host) {
        return host.equals("localhost") || host.equals("::1") || host.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }
}
