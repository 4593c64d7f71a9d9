package dev.inboxd.smtp.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One session with one host, for messages one after another; for one thread at a time. */
public final class ClientSession implements AutoCloseable {
    private static final Duration FAREWELL = Duration.ofSeconds(5);

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
     * Hands over one message; blocks. Never throws for what the host or the connection does.
     *
     * @throws IllegalArgumentException when the message holds a bare CR or LF; the host then never sees its end
     */
    public SmtpResult send(SmtpEnvelope envelope, MessageSource message) {
        return Objects.requireNonNull(send(envelope, message, false));
    }

    /**
     * As {@link #send}, for a session that has waited: cleared first, which asks whether the host is still there (RFC 5321
     * §4.1.1.5), in the same breath where it offers PIPELINING.
     *
     * @return null when it is not there, or takes no more in this session; nothing of the message's content was sent then
     */
    @Nullable
    SmtpResult sendNext(SmtpEnvelope envelope, MessageSource message) {
        return send(envelope, message, true);
    }

    private @Nullable SmtpResult send(SmtpEnvelope envelope, MessageSource message, boolean clears) {
        messages++;
        connection.nextMessage(envelope.until());
        var transaction = new ClientTransaction(connection, extensions, timeouts, envelope, clears);
        usable = false; // until it is known to have gone well
        try {
            var result = transaction.run(message);
            usable = !transaction.closing();
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

    /** How many messages have been sent or tried. */
    public int messages() {
        return messages;
    }

    /** Says goodbye if there is someone to say it to (RFC 5321 §4.1.1.10), and closes. */
    @Override
    public void close() {
        if (usable) {
            usable = false;
            try {
                connection.command("QUIT");
                connection.reply(FAREWELL);
            } catch (IOException gone) {
                connection.close();
            }
        }
        connection.close();
    }
}
