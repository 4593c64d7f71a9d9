package dev.inboxd.smtp.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A session with one host, for one message after another. Used by one thread at a time. */
public final class ClientSession implements AutoCloseable {
    private static final Duration QUIT_TIMEOUT = Duration.ofSeconds(5);

    private final ClientConnection connection;
    private final EhloExtensions extensions;
    private final SmtpTimeouts timeouts;
    private boolean usable = true;
    private int messages;

    ClientSession(ClientConnection connection, EhloExtensions extensions, SmtpTimeouts timeouts) {
        this.connection = connection;
        this.extensions = extensions;
        this.timeouts = timeouts;
    }

    /**
     * Transfers one message; blocks. Errors of the host or the connection are results, not exceptions.
     *
     * @throws IllegalArgumentException when the message contains a bare CR or LF, or a NUL; the host then never sees
     *     the end of data
     */
    public SmtpResult send(SmtpEnvelope envelope, MessageSource message) {
        return Objects.requireNonNull(send(envelope, message, false));
    }

    /**
     * As {@link #send}, for a session that was idle: begins with RSET, which also shows whether the host still answers
     * (RFC 5321 §4.1.1.5). With PIPELINING, RSET is sent together with the envelope.
     *
     * @return null when the host is gone, accepts no more messages in this session, or offered none of what the message
     *     needs when it began; none of the content was sent then
     */
    @Nullable
    SmtpResult sendNext(SmtpEnvelope envelope, MessageSource message) {
        return send(envelope, message, true);
    }

    private @Nullable SmtpResult send(SmtpEnvelope envelope, MessageSource message, boolean clears) {
        messages++;
        connection.nextMessage(envelope.until());
        var transaction = new ClientTransaction(connection, extensions, timeouts, envelope, clears);
        usable = false; // until the transaction has ended properly
        try {
            var result = transaction.run(message);
            usable = !transaction.closing();
            if (transaction.isUnfit()) {
                close();
            }
            return transaction.isGone() ? null : result;
        } finally {
            if (!usable) {
                connection.close();
            }
            connection.nextMessage();
        }
    }

    /** Whether another message may be sent. */
    public boolean isUsable() {
        return usable;
    }

    /** The number of messages sent or tried. */
    public int messages() {
        return messages;
    }

    /** Sends QUIT if the session is usable (RFC 5321 §4.1.1.10), and closes the connection. */
    @Override
    public void close() {
        if (usable) {
            usable = false;
            try {
                connection.command("QUIT");
                connection.reply(QUIT_TIMEOUT);
            } catch (IOException unreachable) {
                connection.close();
            }
        }
        connection.close();
    }
}
