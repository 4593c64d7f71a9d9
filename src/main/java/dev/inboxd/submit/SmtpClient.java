package dev.inboxd.submit;

import java.io.IOException;

/** Opens SMTP sessions; may be shared between threads. */
public final class SmtpClient {
    private final String name;
    private final SmtpTimeouts timeouts;

    /**
     * A client.
     *
     * @param name our own host name, as given in EHLO (RFC 5321 §4.1.1.1)
     * @param timeouts how long to wait for what
     */
    public SmtpClient(String name, SmtpTimeouts timeouts) {
        this.name = name;
        this.timeouts = timeouts;
    }

    /**
     * Connects, hears the greeting and introduces itself; blocks.
     *
     * @throws SessionFailedException when any of it fails, whatever the reply's code: a host that refuses all sessions
     *     says nothing about recipients
     */
    public SmtpSession open(SmtpEndpoint endpoint) {
        SmtpConnection connection;
        try {
            connection = SmtpConnection.open(endpoint, timeouts);
        } catch (IOException failed) {
            throw new SessionFailedException("No connection to " + endpoint.host() + ": " + failed.getMessage(), null,
                    failed);
        }
        boolean opened = false;
        try {
            expectPositive(connection.reply(timeouts.command()));
            var session = new SmtpSession(connection, introduce(connection), timeouts);
            opened = true;
            return session;
        } catch (IOException failed) {
            throw new SessionFailedException("No session with " + endpoint.host() + ": " + failed.getMessage(), null,
                    failed);
        } finally {
            if (!opened) {
                connection.close();
            }
        }
    }

    /** EHLO, or HELO for a host that does not know it (RFC 5321 §3.2). */
    private Extensions introduce(SmtpConnection connection) throws IOException {
        connection.command("EHLO " + name);
        var ehlo = connection.reply(timeouts.command());
        if (!ehlo.reply().isPermanent()) {
            expectPositive(ehlo);
            return Extensions.of(ehlo.lines());
        }
        connection.command("HELO " + name);
        expectPositive(connection.reply(timeouts.command()));
        return Extensions.NONE;
    }

    private static void expectPositive(ReplyReader.Lines lines) {
        var reply = lines.reply();
        if (!reply.isPositive()) {
            throw new SessionFailedException("The host refused the session: " + reply, reply, null);
        }
    }
}
