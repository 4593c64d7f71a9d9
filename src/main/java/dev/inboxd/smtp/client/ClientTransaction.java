package dev.inboxd.smtp.client;

import dev.inboxd.mail.address.AddrSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One mail transaction (RFC 5321 §3.3): MAIL, RCPT, DATA, with PIPELINING (RFC 2920) if offered. */
final class ClientTransaction {
    private final ClientConnection connection;
    private final EhloExtensions extensions;
    private final SmtpTimeouts timeouts;
    private final SmtpEnvelope envelope;
    private final boolean clears;
    private boolean messageSent;
    private boolean closing;
    private boolean gone;

    /** @param clears whether it begins with an RSET, which a waiting session has to pass */
    ClientTransaction(
            ClientConnection connection,
            EhloExtensions extensions,
            SmtpTimeouts timeouts,
            SmtpEnvelope envelope,
            boolean clears) {
        this.connection = connection;
        this.extensions = extensions;
        this.timeouts = timeouts;
        this.envelope = envelope;
        this.clears = clears;
    }

    /** Whether the session was over before it began: the host has seen nothing of the message but its envelope. */
    boolean isGone() {
        return gone;
    }

    /** Whether the connection is of no further use. */
    boolean closing() {
        return closing;
    }

    SmtpResult run(MessageSource message) {
        var impossible = impossible();
        if (impossible != null) {
            return SmtpResult.refused(impossible, false);
        }
        try {
            return exchange(message);
        } catch (IOException | UncheckedIOException failed) {
            closing = true;
            var reason = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
            return new SmtpResult.TransientFailure(null, reason, messageSent);
        }
    }

    /** What this host can never take. */
    private @Nullable ServerReply impossible() {
        long limit = extensions.maxSize();
        if (envelope.size() > limit) {
            return new ServerReply(552, "5.3.4", "The host takes messages of at most " + limit + " octets");
        }
        if (envelope.needsSmtpUtf8() && !extensions.has("SMTPUTF8")) {
            return new ServerReply(553, "5.6.7", "The host takes no addresses in UTF-8"); // RFC 6531 §3.2
        }
        if (envelope.content() != SmtpEnvelope.Content.SEVEN_BIT && !extensions.has("8BITMIME")) {
            // RFC 6152 §3: it is returned; what can be converted was, when it was submitted.
            return new ServerReply(554, "5.6.3", "The host takes no 8-bit text, and this cannot be converted");
        }
        return null;
    }

    private SmtpResult exchange(MessageSource message) throws IOException {
        gone = clears; // until it answers
        var refusal = extensions.has("PIPELINING") ? envelopeAtOnce() : envelopeStepByStep();
        if (refusal != null) {
            return refusal;
        }
        var go = reply(timeouts.data());
        if (go.code() != 354) {
            return negative(go);
        }
        writeMessage(message);
        messageSent = true;
        var reply = reply(timeouts.end());
        return reply.isPositive() ? new SmtpResult.Success(reply, tells()) : negative(reply);
    }

    /** Says all that needs no answer in between (RFC 2920 §3.1); null when DATA is to be answered next. */
    private @Nullable SmtpResult envelopeAtOnce() throws IOException {
        if (clears) {
            connection.command("RSET");
        }
        connection.command(mailCommand());
        connection.command(rcptCommand());
        connection.command("DATA");
        if (clears) {
            cleared();
        }
        var mail = mailReply();
        if (!mail.isPositive()) {
            passOver(true);
            return SmtpResult.refused(mail, false);
        }
        var rcpt = envelopeReply();
        if (!rcpt.isPositive()) {
            passOver(false);
            return refusedRecipient(rcpt);
        }
        return null;
    }

    /** The answers to what was said at once behind what is refused: whoever hangs up over them has refused it all the same. */
    private void passOver(boolean recipient) {
        try {
            if (recipient && !closing) {
                reply(timeouts.command()); // 503 to RCPT
            }
            if (!closing && reply(timeouts.data()).code() == 354) {
                connection.command("."); // a message of nothing for nobody
                reply(timeouts.end());
            }
        } catch (IOException hungUp) {
            closing = true;
        }
    }

    /** Waits for each answer; null when DATA is to be answered next. */
    private @Nullable SmtpResult envelopeStepByStep() throws IOException {
        if (clears) {
            connection.command("RSET");
            cleared();
        }
        connection.command(mailCommand());
        var mail = mailReply();
        if (!mail.isPositive()) {
            return SmtpResult.refused(mail, false);
        }
        connection.command(rcptCommand());
        var rcpt = envelopeReply();
        if (!rcpt.isPositive()) {
            return refusedRecipient(rcpt);
        }
        connection.command("DATA");
        return null;
    }

    private void cleared() throws IOException {
        var cleared = reply(timeouts.command());
        if (!cleared.isPositive()) {
            throw new ProtocolException("The host answered RSET with " + cleared);
        }
        gone = false;
    }

    /** Many hosts end a session after some messages. One that has only just begun, or a reason of policy, is something else. */
    private ServerReply mailReply() throws IOException {
        var mail = envelopeReply();
        boolean policy = mail.enhancedStatus() != null && mail.enhancedStatus().startsWith("4.7."); // RFC 3463 §3.8
        if (clears && mail.code() == 421 && !policy) {
            gone = true;
            throw new ProtocolException("The host ended the session with " + mail);
        }
        return mail;
    }

    private String mailCommand() {
        var command = new StringBuilder("MAIL FROM:").append(path(envelope.reversePath()));
        if (extensions.has("SIZE")) {
            command.append(" SIZE=").append(envelope.size());
        }
        command.append(envelope.content() == SmtpEnvelope.Content.SEVEN_BIT ? "" : " BODY=8BITMIME"); // RFC 6152 §3
        command.append(envelope.needsSmtpUtf8() ? " SMTPUTF8" : "");
        return command.append(tells() ? envelope.dsn().parameters() : "").toString();
    }

    private String rcptCommand() {
        String command = "RCPT TO:" + path(envelope.recipient());
        return tells() ? command + envelope.recipientDsn().parameters() : command;
    }

    /** Whether the host makes the reports that the sender wants, from here on (RFC 3461 §5.2.1, §5.2.2). */
    private boolean tells() {
        return extensions.has("DSN");
    }

    /** RFC 5321 §4.1.2, from the typed parts. */
    private static String path(@Nullable AddrSpec address) {
        return address == null ? "<>" : "<" + address + ">";
    }

    /**
     * RFC 5321 §4.5.3.1.10: 552 to RCPT may mean too many recipients (RFC 3463: X.5.3), and the rest may come later. Any
     * other status says what it means, such as 5.2.2, a full mailbox.
     */
    private static SmtpResult refusedRecipient(ServerReply reply) {
        String status = reply.enhancedStatus();
        return reply.code() == 552 && (status == null || status.equals("5.5.3"))
                ? new SmtpResult.TransientFailure(reply, reply.toString(), false)
                : SmtpResult.refused(reply, true);
    }

    private void writeMessage(MessageSource message) throws IOException {
        var data = new DotStuffingStream(connection.out());
        message.writeTo(data);
        data.end();
        connection.out().flush();
    }

    private static SmtpResult negative(ServerReply reply) throws ProtocolException {
        if (!reply.isTransient() && !reply.isPermanent()) {
            throw new ProtocolException("The host answered DATA with " + reply);
        }
        return SmtpResult.refused(reply, false);
    }

    private ServerReply envelopeReply() throws IOException {
        var reply = reply(timeouts.command());
        if (reply.code() / 100 == 3) {
            throw new ProtocolException("The host answered MAIL or RCPT with " + reply);
        }
        return reply;
    }

    private ServerReply reply(Duration limit) throws IOException {
        var reply = connection.reply(limit).reply();
        closing |= reply.code() == 421; // RFC 5321 §3.8: it closes after saying so
        return reply;
    }
}
