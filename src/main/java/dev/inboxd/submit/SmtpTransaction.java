package dev.inboxd.submit;

import dev.inboxd.mail.address.AddrSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One mail transaction (RFC 5321 §3.3): MAIL, RCPT for each recipient, DATA, with PIPELINING (RFC 2920) if offered. */
final class SmtpTransaction {
    /** Commands in flight at once: replies to more could fill the way back while we still write (RFC 2920 §3.1). */
    private static final int GROUP = 100;

    private final SmtpConnection connection;
    private final Extensions extensions;
    private final SmtpTimeouts timeouts;
    private final SmtpEnvelope envelope;
    private final boolean clears;
    private final Map<Integer, RecipientResult> refusals = new HashMap<>(); // by the recipient's place in the envelope
    private boolean dataSent;
    private boolean messageSent;
    private boolean closing;
    private boolean gone;

    /** @param clears whether it begins with an RSET, which a waiting session has to pass */
    SmtpTransaction(SmtpConnection connection, Extensions extensions, SmtpTimeouts timeouts, SmtpEnvelope envelope,
            boolean clears) {
        this.connection = connection;
        this.extensions = extensions;
        this.timeouts = timeouts;
        this.envelope = envelope;
        this.clears = clears;
    }

    /** Whether the host was not there any more, or took no RSET: it has seen nothing of the message but its envelope. */
    boolean isGone() {
        return gone;
    }

    /** Whether the connection is of no further use. */
    boolean closing() {
        return closing;
    }

    List<RecipientResult> run(MessageSource message) {
        var impossible = impossible();
        if (impossible != null) {
            return rest(RecipientResult.refused(impossible, false));
        }
        try {
            return rest(exchange(message));
        } catch (IOException | UncheckedIOException failed) {
            closing = true;
            var reason = failed.getMessage() == null ? failed.getClass().getSimpleName() : failed.getMessage();
            return rest(new RecipientResult.RefusedTemporarily(null, reason, messageSent));
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

    /** The result of all recipients that were not refused by themselves. */
    private RecipientResult exchange(MessageSource message) throws IOException {
        var mail = envelopeReply();
        boolean nobody = !mail.isPositive() || refusals.size() == envelope.recipients().size();
        if (nobody) {
            abandon();
            return RecipientResult.refused(mail, false);
        }
        if (!dataSent) {
            connection.command("DATA");
        }
        var go = reply(timeouts.data());
        if (go.code() != 354) {
            return negative(go);
        }
        writeMessage(message);
        messageSent = true;
        var reply = reply(timeouts.end());
        return reply.isPositive() ? new RecipientResult.Accepted(reply, tells()) : negative(reply);
    }

    /** Sends MAIL and RCPTs, notes who is refused, and gives the reply to MAIL. */
    private ServerReply envelopeReply() throws IOException {
        boolean pipelining = extensions.has("PIPELINING");
        int group = pipelining ? GROUP : 1;
        int count = envelope.recipients().size();
        if (clears) {
            connection.command("RSET"); // RFC 2920 §3.1: it may stand in a group
            gone = true; // until it answers
            if (!pipelining) {
                cleared();
            }
        }
        connection.command(mailCommand());
        var mail = pipelining ? null : mailReply();
        for (int start = 0; start < count && (mail == null || mail.isPositive()); start += group) {
            int end = Math.min(start + group, count);
            for (int i = start; i < end; i++) {
                connection.command(rcptCommand(i));
            }
            if (pipelining && end == count) {
                connection.command("DATA"); // RFC 2920 §3.1: DATA may end a group
                dataSent = true;
            }
            if (mail == null) {
                mail = pipelinedMailReply();
            }
            for (int i = start; i < end; i++) {
                var rcpt = envelopeReply(timeouts.command());
                // after a refused MAIL the host refuses every RCPT with 503
                if (mail.isPositive() && !rcpt.isPositive()) {
                    refusals.put(i, refusedRecipient(rcpt));
                }
            }
        }
        return mail == null ? pipelinedMailReply() : mail;
    }

    private ServerReply pipelinedMailReply() throws IOException {
        if (clears) {
            cleared();
        }
        return mailReply();
    }

    private void cleared() throws IOException {
        var cleared = reply(timeouts.command());
        if (!cleared.isPositive()) {
            throw new ProtocolException("The host answered RSET with " + cleared);
        }
        gone = false;
    }

    /** Many hosts end a session after some messages; a session that has only just begun is something else. */
    private ServerReply mailReply() throws IOException {
        var mail = envelopeReply(timeouts.command());
        if (clears && mail.code() == 421) {
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
        return command.append(tells() ? envelope.dsn().mail().parameters() : "").toString();
    }

    private String rcptCommand(int place) {
        String command = "RCPT TO:" + path(envelope.recipients().get(place));
        return tells() ? command + envelope.dsn().of(place).parameters() : command;
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
    private static RecipientResult refusedRecipient(ServerReply reply) {
        String status = reply.enhancedStatus();
        return reply.code() == 552 && (status == null || status.equals("5.5.3"))
                ? new RecipientResult.RefusedTemporarily(reply, reply.toString(), false)
                : RecipientResult.refused(reply, true);
    }

    /** Nobody gets the message; a host that still said 354 to a pipelined DATA gets an empty one (RFC 2920 §3.1). */
    private void abandon() throws IOException {
        if (dataSent && reply(timeouts.data()).code() == 354) {
            connection.command(".");
            reply(timeouts.end());
        }
    }

    private void writeMessage(MessageSource message) throws IOException {
        var data = new DataStream(connection.out());
        message.writeTo(data);
        data.end();
        connection.out().flush();
    }

    private static RecipientResult negative(ServerReply reply) throws ProtocolException {
        if (!reply.isTransient() && !reply.isPermanent()) {
            throw new ProtocolException("The host answered DATA with " + reply);
        }
        return RecipientResult.refused(reply, false);
    }

    private ServerReply envelopeReply(Duration limit) throws IOException {
        var reply = reply(limit);
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

    private List<RecipientResult> rest(RecipientResult result) {
        var results = new ArrayList<RecipientResult>();
        for (int i = 0; i < envelope.recipients().size(); i++) {
            results.add(refusals.getOrDefault(i, result));
        }
        return List.copyOf(results);
    }
}
