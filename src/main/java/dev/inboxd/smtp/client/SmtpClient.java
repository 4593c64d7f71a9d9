package dev.inboxd.smtp.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens SMTP sessions; may be shared between threads. */
public final class SmtpClient {
    private final String name;
    private final SmtpTimeouts timeouts;
    private final ClientTls tls;
    private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean hungUp;

    /**
     * A client.
     *
     * @param name our own host name, as given in EHLO (RFC 5321 §4.1.1.1)
     * @param timeouts how long to wait for what
     * @param tls how connections are encrypted
     */
    public SmtpClient(String name, SmtpTimeouts timeouts, ClientTls tls) {
        this.name = name;
        this.timeouts = timeouts;
        this.tls = tls;
    }

    /** A client that knows the authorities of the platform. */
    public SmtpClient(String name, SmtpTimeouts timeouts) {
        this(name, timeouts, new ClientTls(List.of()));
    }

    /**
     * Connects, hears the greeting, introduces itself, encrypts and logs in as the endpoint asks for; blocks.
     *
     * @throws SessionFailedException when any of it fails, whatever the reply's code: a host that refuses all sessions
     *     says nothing about recipients
     */
    public ClientSession open(SmtpEndpoint endpoint) {
        return open(endpoint, System.nanoTime() + timeouts.whole().toNanos());
    }

    /**
     * The same, for a message that must be over before.
     *
     * @param until by {@link System#nanoTime}
     */
    ClientSession open(SmtpEndpoint endpoint, long until) {
        try {
            return opened(endpoint, until);
        } catch (TlsFailedException failed) {
            if (endpoint.tls() instanceof TlsRule.Opportunistic) {
                return openedInTheClear(endpoint, until); // RFC 7435 §3: no reason to deny a mail that may go without
            }
            throw failed(endpoint, failed);
        } catch (IOException failed) {
            throw failed(endpoint, failed);
        }
    }

    /** Ends every connection, whatever is said over it just now. */
    void hangUp() {
        hungUp = true;
        connections.forEach(ClientConnection::hangUp);
    }

    private ClientSession openedInTheClear(SmtpEndpoint endpoint, long until) {
        try {
            return opened(endpoint.with(new TlsRule.Clear()), until);
        } catch (IOException failed) {
            throw failed(endpoint, failed);
        }
    }

    private static SessionFailedException failed(SmtpEndpoint endpoint, IOException failed) {
        return new SessionFailedException(
                "No session with " + endpoint.host() + ": " + failed.getMessage(), null, failed);
    }

    private ClientSession opened(SmtpEndpoint endpoint, long until) throws IOException {
        ClientConnection connection = connection(endpoint, until);
        boolean opened = false;
        try {
            boolean implicit = endpoint.tls() instanceof TlsRule.Verified verified && verified.implicit();
            if (implicit) {
                connection.secure(tls, endpoint, timeouts.command());
            }
            expectPositive(connection.reply(timeouts.command()));
            EhloExtensions extensions = introduce(connection);
            boolean encrypted = implicit || encrypted(connection, endpoint, extensions);
            if (encrypted && !implicit) {
                extensions = introduce(connection); // RFC 3207 §4.2: what was offered before may have been anybody's
            }
            if (endpoint.login() != null) {
                boolean safe = endpoint.tls() instanceof TlsRule.Verified
                        || endpoint.address().isLoopbackAddress();
                logIn(connection, extensions, endpoint.login(), safe);
            }
            ClientSession session = new ClientSession(connection, extensions, timeouts);
            opened = true;
            return session;
        } finally {
            if (!opened) {
                connection.close();
            }
        }
    }

    private ClientConnection connection(SmtpEndpoint endpoint, long until) {
        if (hungUp || System.nanoTime() - until >= 0) {
            throw new SessionFailedException("No time was left for " + endpoint.host(), null, null);
        }
        try {
            ClientConnection connection = ClientConnection.open(endpoint, timeouts, connections);
            connection.nextMessage(until);
            if (hungUp) {
                connection.hangUp();
            }
            return connection;
        } catch (IOException failed) {
            throw new SessionFailedException(
                    "No connection to " + endpoint.host() + ": " + failed.getMessage(), null, failed);
        }
    }

    /** EHLO, or HELO for a host that does not know it (RFC 5321 §3.2). */
    private EhloExtensions introduce(ClientConnection connection) throws IOException {
        connection.command("EHLO " + name);
        ReplyReader.Lines ehlo = connection.reply(timeouts.command());
        if (!ehlo.reply().isPermanent()) {
            expectPositive(ehlo);
            return EhloExtensions.of(ehlo.lines());
        }
        connection.command("HELO " + name);
        expectPositive(connection.reply(timeouts.command()));
        return EhloExtensions.NONE;
    }

    /** STARTTLS as the rule wants it (RFC 3207 §4). */
    private boolean encrypted(ClientConnection connection, SmtpEndpoint endpoint, EhloExtensions extensions)
            throws IOException {
        boolean needed = !(endpoint.tls() instanceof TlsRule.Opportunistic || endpoint.tls() instanceof TlsRule.Clear);
        if (endpoint.tls() instanceof TlsRule.Clear || (!needed && !extensions.has("STARTTLS"))) {
            return false;
        }
        if (!extensions.has("STARTTLS")) {
            throw new TlsFailedException(endpoint.host() + " offers no STARTTLS, which it must", null);
        }
        connection.command("STARTTLS");
        ServerReply go = connection.reply(timeouts.command()).reply();
        if (go.isPositive()) {
            connection.secure(tls, endpoint, timeouts.command());
            return true;
        }
        if (needed) {
            throw new SessionFailedException("The host refused STARTTLS: " + go, go, null);
        }
        return false;
    }

    /** AUTH PLAIN (RFC 4616), or LOGIN where only that is offered (RFC 4954). */
    private void logIn(ClientConnection connection, EhloExtensions extensions, SmtpLogin login, boolean safe)
            throws IOException {
        if (!safe) {
            throw new SessionFailedException("The host offers no TLS, so it is not told the password", null, null);
        }
        List<String> mechanisms = extensions.parameters("AUTH");
        if (mechanisms.contains("PLAIN")) {
            connection.command("AUTH PLAIN " + base64("\0" + login.user() + "\0" + login.password()));
        } else if (mechanisms.contains("LOGIN")) {
            connection.command("AUTH LOGIN");
            expectPrompt(connection.reply(timeouts.command()));
            connection.command(base64(login.user()));
            expectPrompt(connection.reply(timeouts.command()));
            connection.command(base64(login.password()));
        } else {
            throw new SessionFailedException("The host offers no login with PLAIN or LOGIN", null, null);
        }
        ServerReply reply = connection.reply(timeouts.command()).reply();
        if (!reply.isPositive()) {
            throw new SessionFailedException("The host refused the login: " + reply, reply, null);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void expectPrompt(ReplyReader.Lines lines) {
        if (lines.code() != 334) {
            throw new SessionFailedException("The host refused the login: " + lines.reply(), lines.reply(), null);
        }
    }

    private static void expectPositive(ReplyReader.Lines lines) {
        ServerReply reply = lines.reply();
        if (!reply.isPositive()) {
            throw new SessionFailedException("The host refused the session: " + reply, reply, null);
        }
    }
}
