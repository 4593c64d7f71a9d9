package dev.inboxd.smtp.client;

import dev.inboxd.mail.address.AddrSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One mail transaction (RFC 5321 §3.3): MAIL, RCPT, DATA; pipelined where the host offers PIPELINING (RFC 2920). */
final class ClientTransaction {
    private final ClientConnection connection;
    private final EhloExtensions extensions;
    private final SmtpTimeouts timeouts;
    private final SmtpEnvelope envelope;
    private final boolean afterIdle;
    private boolean messageSent;
    private boolean closing;
    private boolean stale;
    private boolean unfit;

    /** @param afterIdle whether the transaction begins with RSET, because the session was idle */
    ClientTransaction(
            ClientConnection connection,
            EhloExtensions extensions,
            SmtpTimeouts timeouts,
            SmtpEnvelope envelope,
            boolean afterIdle) {
        this.connection = connection;
        this.extensions = extensions;
        this.timeouts = timeouts;
        this.envelope = envelope;
        this.afterIdle = afterIdle;
    }

    /**
     * Whether the session had ended before the transaction began, so that the host received at most the envelope; or
     * cannot carry the message, which a new session may.
     */
    boolean isGone() {
        return stale;
    }

    /** Whether the session was idle and cannot carry the message, which a new session may: it need not be kept. */
    boolean isUnfit() {
        return unfit;
    }

    /** Whether the connection cannot be used for another message. */
    boolean closing() {
        return closing;
    }

    SmtpResult run(MessageSource message) {
        var impossible = impossible();
        if (impossible != null) {
            // The host may offer more in a new session: what counts is the session that carries the message (ruling
            // 142).
            unfit = afterIdle;
            stale = afterIdle;
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

    /** The refusal of a message that this host can never accept; null when it can. */
    private @Nullable ServerReply impossible() {
        long limit = extensions.maxSize();
        if (envelope.size() > limit) {
            return new ServerReply(552, "5.3.4", "The host accepts messages of at most " + limit + " octets");
        }
        if (envelope.needsSmtpUtf8() && !extensions.has("SMTPUTF8")) {
            return new ServerReply(553, "5.6.7", "The host does not support SMTPUTF8"); // RFC 6531 §3.2
        }
        if (envelope.content() != SmtpEnvelope.Content.SEVEN_BIT && !extensions.has("8BITMIME")) {
            // RFC 6152 §3: the message is returned. One that can be converted was converted at submission.
            return new ServerReply(554, "5.6.3", "The host offers no 8BITMIME, and this cannot be converted");
        }
        return null;
    }

    private SmtpResult exchange(MessageSource message) throws IOException {
        stale = afterIdle; // until the host answers
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
        return reply.isPositive() ? new SmtpResult.Success(reply, supportsDsn()) : negative(reply);
    }

    /** Sends the envelope pipelined (RFC 2920 §3.1); null when the reply to DATA is next. */
    private @Nullable SmtpResult envelopeAtOnce() throws IOException {
        if (afterIdle) {
            connection.command("RSET");
        }
        connection.command(mailCommand());
        connection.command(rcptCommand());
        connection.command("DATA");
        if (afterIdle) {
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

    /**
     * Reads the replies to the pipelined commands after a refused one. A host that closes the connection instead has
     * refused the message all the same.
     *
     * @param recipient whether the reply to RCPT is still to be read
     */
    private void passOver(boolean recipient) {
        try {
            if (recipient && !closing) {
                reply(timeouts.command()); // 503 to RCPT
            }
            if (!closing && reply(timeouts.data()).code() == 354) {
                connection.command("."); // an empty message without recipients
                reply(timeouts.end());
            }
        } catch (IOException hungUp) {
            closing = true;
        }
    }

    /** Sends the envelope command by command; null when the reply to DATA is next. */
    private @Nullable SmtpResult envelopeStepByStep() throws IOException {
        if (afterIdle) {
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
        stale = false;
    }

    /**
     * Reads the reply to MAIL. Many hosts end a session with 421 after a number of messages; that is not a refusal of
     * this message. A 421 in a new session, or one for a reason of policy, is.
     */
    private ServerReply mailReply() throws IOException {
        var mail = envelopeReply();
        boolean policy = mail.enhancedStatus() != null && mail.enhancedStatus().startsWith("4.7."); // RFC 3463 §3.8
        if (afterIdle && mail.code() == 421 && !policy) {
            stale = true;
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
        return command.append(supportsDsn() ? envelope.dsn().parameters() : "").toString();
    }

    private String rcptCommand() {
        String command = "RCPT TO:" + path(envelope.recipient());
        return supportsDsn() ? command + envelope.recipientDsn().parameters() : command;
    }

    /** Whether the host offers DSN and so takes over the requested reports (RFC 3461 §5.2.1, §5.2.2). */
    private boolean supportsDsn() {
        return extensions.has("DSN");
    }

    /** A path in the form of RFC 5321 §4.1.2. */
    private static String path(@Nullable AddrSpec address) {
        return address == null ? "<>" : "<" + address + ">";
    }

    /**
     * The result of a refused RCPT. RFC 5321 §4.5.3.1.10: 552 to RCPT may mean too many recipients (RFC 3463: X.5.3),
     * and then the rest may be sent later. Any other status, such as 5.2.2 for a full mailbox, has its own meaning.
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
        closing |= reply.code() == 421; // RFC 5321 §3.8: the host closes after 421
        return reply;
    }
}
