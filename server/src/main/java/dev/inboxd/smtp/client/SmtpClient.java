package dev.inboxd.smtp.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens SMTP sessions. Safe for concurrent use. */
public final class SmtpClient {
    private final String name;
    private final SmtpTimeouts timeouts;
    private final ClientTls tls;
    private final Set<ClientConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /**
     * A client.
     *
     * @param name our host name in EHLO (RFC 5321 §4.1.1.1)
     * @param timeouts limits of each wait
     * @param tls how connections are encrypted
     */
    public SmtpClient(String name, SmtpTimeouts timeouts, ClientTls tls) {
        this.name = name;
        this.timeouts = timeouts;
        this.tls = tls;
    }

    /** A client that trusts the authorities of the platform. */
    public SmtpClient(String name, SmtpTimeouts timeouts) {
        this(name, timeouts, new ClientTls(List.of()));
    }

    /**
     * Connects, reads the greeting, sends EHLO, starts TLS and logs in as the endpoint demands; blocks.
     *
     * @throws SessionFailedException when a step fails, whatever the reply code: a host that refuses all sessions says
     *     nothing about recipients
     */
    public ClientSession open(SmtpEndpoint endpoint) {
        return open(endpoint, System.nanoTime() + timeouts.message().toNanos());
    }

    /**
     * The same, with an earlier deadline.
     *
     * @param until the deadline of the message, by {@link System#nanoTime}
     */
    ClientSession open(SmtpEndpoint endpoint, long until) {
        try {
            return openSession(endpoint, until);
        } catch (TlsFailedException failed) {
            if (endpoint.tls() instanceof TlsRule.Opportunistic) {
                // RFC 7435 §3: opportunistic TLS that fails is no reason not to deliver
                return openInClearText(endpoint, until);
            }
            throw failed(endpoint, failed);
        } catch (IOException failed) {
            throw failed(endpoint, failed);
        }
    }

    /** Closes every connection, also in the middle of a message. */
    void hangUp() {
        stopped = true;
        connections.forEach(ClientConnection::hangUp);
    }

    private ClientSession openInClearText(SmtpEndpoint endpoint, long until) {
        try {
            return openSession(endpoint.with(new TlsRule.Clear()), until);
        } catch (IOException failed) {
            throw failed(endpoint, failed);
        }
    }

    private static SessionFailedException failed(SmtpEndpoint endpoint, IOException failed) {
        return new SessionFailedException(
                "No session with " + endpoint.host() + ": " + failed.getMessage(), null, failed);
    }

    private ClientSession openSession(SmtpEndpoint endpoint, long until) throws IOException {
        ClientConnection connection = connection(endpoint, until);
        boolean done = false;
        try {
            boolean implicit = endpoint.tls() instanceof TlsRule.Verified verified && verified.implicit();
            if (implicit) {
                connection.secure(tls, endpoint, timeouts.command());
            }
            expectPositive(connection.reply(timeouts.command()));
            EhloExtensions extensions = hello(connection);
            boolean encrypted = implicit || startTls(connection, endpoint, extensions);
            if (encrypted && !implicit) {
                // RFC 3207 §4.2: an attacker may have written the extensions seen before
                extensions = hello(connection);
            }
            if (endpoint.login() != null) {
                boolean safe = endpoint.tls() instanceof TlsRule.Verified
                        || endpoint.address().isLoopbackAddress();
                logIn(connection, extensions, endpoint.login(), safe);
            }
            ClientSession session = new ClientSession(connection, extensions, timeouts);
            done = true;
            return session;
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    private ClientConnection connection(SmtpEndpoint endpoint, long until) {
        if (stopped || System.nanoTime() - until >= 0) {
            throw new SessionFailedException("No time was left to connect to " + endpoint.host(), null, null);
        }
        try {
            ClientConnection connection = ClientConnection.open(endpoint, timeouts, connections);
            connection.nextMessage(until);
            if (stopped) {
                connection.hangUp();
            }
            return connection;
        } catch (IOException failed) {
            throw new SessionFailedException(
                    "No connection to " + endpoint.host() + ": " + failed.getMessage(), null, failed);
        }
    }

    /** EHLO, or HELO for a host that does not know it (RFC 5321 §3.2). */
    private EhloExtensions hello(ClientConnection connection) throws IOException {
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

    /**
     * Starts TLS as the endpoint's rule demands (RFC 3207 §4).
     *
     * @return whether the connection is encrypted now
     */
    private boolean startTls(ClientConnection connection, SmtpEndpoint endpoint, EhloExtensions extensions)
            throws IOException {
        boolean needed = !(endpoint.tls() instanceof TlsRule.Opportunistic || endpoint.tls() instanceof TlsRule.Clear);
        if (endpoint.tls() instanceof TlsRule.Clear || (!needed && !extensions.has("STARTTLS"))) {
            return false;
        }
        if (!extensions.has("STARTTLS")) {
            throw new TlsFailedException(endpoint.host() + " does not offer STARTTLS, which is required", null);
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

    /** Logs in with AUTH PLAIN (RFC 4616), or LOGIN where only that is offered (RFC 4954). */
    private void logIn(ClientConnection connection, EhloExtensions extensions, SmtpLogin login, boolean safe)
            throws IOException {
        if (!safe) {
            throw new SessionFailedException("The host offers no TLS, so the password is not sent", null, null);
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
            throw new SessionFailedException("The host offers neither AUTH PLAIN nor AUTH LOGIN", null, null);
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
