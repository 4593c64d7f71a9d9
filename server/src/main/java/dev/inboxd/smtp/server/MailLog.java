package dev.inboxd.smtp.server;

import dev.inboxd.base.log.LineLimit;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.rate.ClientNetwork;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The log lines of a listener: one for each message that was accepted or refused, for each sender and recipient that
 * was refused, and for each session that the server ended. Those about refusals are bounded, because strangers cause
 * them.
 */
final class MailLog {
    /** Most characters of recipients in one line; a message with more of them has further lines. */
    private static final int MOST_RECIPIENTS = 1_500;

    private static final long MILLIS = 1_000_000;

    private final String port;
    private final LongSupplier nanos;
    private final LineLimit limit;
    private @Nullable MailMeters meters;

    /**
     * The log of a listener.
     *
     * @param nanos monotonic nanoseconds, as {@link System#nanoTime}
     */
    MailLog(ListenerRole role, LongSupplier nanos) {
        this.port = role instanceof ListenerRole.Mx ? "mx" : "submission";
        this.nanos = nanos;
        this.limit = new LineLimit("mail_refused", nanos);
    }

    /**
     * A message that came.
     *
     * @param id names it in our Received field and in other lines
     * @param size the client's octets
     * @param nanos from its last octet to its reply; 0 when the client never sent it whole
     * @param sinceData from DATA, or its first chunk, to its reply
     */
    record Received(String id, long size, long nanos, long sinceData) {}

    /** Counts from now on as well; called before the first session. */
    void measure(Metrics metrics, IntSupplier open) {
        meters = new MailMeters(metrics, port, open);
    }

    private MailMeters meters() {
        return Objects.requireNonNull(meters);
    }

    /** A session began. */
    void began() {
        meters().began();
    }

    /** The result of a login, which it returns. */
    SaslAuthenticator.LoginResult login(SaslAuthenticator.LoginResult result) {
        meters().login(result);
        return result;
    }

    /** A refused MAIL command, or a refused recipient when there is one. */
    void refused(MailTransaction of, @Nullable SmtpPath recipient, SmtpReply reply) {
        meters().refused(recipient == null ? "mail" : "rcpt", reply);
        if (limit.admit(source(of))) {
            long size = of.mail().size();
            line("mail_refused", of)
                    .with("to", recipient == null ? null : address(recipient.address()))
                    .with("reply", text(reply))
                    .with("size", size < 0 ? null : size)
                    .with("ms", millis(of))
                    .write();
        }
    }

    /** The result of a message, for all its recipients. */
    void result(MailTransaction of, Received message, MailHandler.Outcome outcome) {
        boolean accepted = outcome.reply().isPositive();
        meters().result(message, outcome);
        for (String recipients : joined(of.forwardPaths())) {
            if (accepted || limit.admit(source(of))) {
                LogLine line = line(accepted ? "mail_accepted" : "mail_refused", of)
                        .with("to", recipients)
                        .with("recipients", of.forwardPaths().size())
                        .with("reply", text(outcome.reply()));
                outcome.details().forEach(line::with);
                line.with("size", message.size)
                        .with("ms", millis(of))
                        .with("id", message.id)
                        .write();
            }
        }
    }

    /** A session that the server ended, or did not begin. */
    void ended(InetAddress client, SmtpReply reply) {
        meters().ended(reply);
        if (limit.admit(ClientNetwork.of(client))) {
            LogLine.of("session_ended")
                    .with("port", port)
                    .with("client", client.getHostAddress())
                    .with("reply", text(reply))
                    .write();
        }
    }

    /** Tells what was left out; called now and then. */
    void report() {
        limit.report();
    }

    private LogLine line(String event, MailTransaction of) {
        Peer peer = of.context().peer();
        return LogLine.of(event)
                .with("port", port)
                .with("client", peer.address().getHostAddress())
                .with("helo", peer.helo())
                .with("tls", peer.tls())
                .with("from", address(of.mail().reversePath().address()));
    }

    private static String source(MailTransaction of) {
        return ClientNetwork.of(of.context().peer().address());
    }

    /** The null reverse-path as in the protocol (RFC 5321 §4.5.5). */
    private static String address(String address) {
        return address.isEmpty() ? "<>" : address;
    }

    private static List<String> joined(Collection<SmtpPath> paths) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (SmtpPath path : paths) {
            String address = path.address();
            if (!line.isEmpty() && line.length() + address.length() > MOST_RECIPIENTS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : ",").append(address);
        }
        lines.add(line.toString());
        return lines;
    }

    /** The first line of a reply: others explain, in words that may be another server's. */
    private static String text(SmtpReply reply) {
        String text = reply.toString();
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end).strip();
    }

    private long millis(MailTransaction of) {
        return (nanos.getAsLong() - of.begun()) / MILLIS;
    }
}
