package dev.inboxd.smtp.server;

import dev.inboxd.base.log.CounterFamily;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.log.TimerFamily;
import dev.inboxd.base.log.Traces;
import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.smtp.SmtpReply;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** What a listener counts. Labels have words of our own and codes of RFC 3463 alone, never what a client sent. */
final class MailMeters {
    private static final String PORT = "port";
    /** The checks among the details of a message. */
    private static final List<String> CHECKS = List.of("spf", "dkim", "dmarc");

    private final Metrics metrics;
    private final String port;
    private final CounterFamily sessions;
    private final CounterFamily ended;
    private final CounterFamily logins;
    private final CounterFamily accepted;
    private final CounterFamily bytes;
    private final CounterFamily refused;
    private final CounterFamily deferred;
    private final CounterFamily checks;
    private final TimerFamily commits;

    /**
     * The meters of one listener.
     *
     * @param port its name
     * @param open the number of its open sessions
     */
    MailMeters(Metrics metrics, String port, IntSupplier open) {
        this.metrics = metrics;
        this.port = port;
        sessions = metrics.counters("inboxd.smtp.sessions", "SMTP sessions that began", PORT)
                .with(port);
        ended = metrics.counters(
                        "inboxd.smtp.sessions.ended",
                        "SMTP sessions that the server ended or did not begin, by its reply",
                        PORT,
                        "reply")
                .with(port, "421");
        metrics.level("inboxd.smtp.sessions.open", "SMTP sessions now", open::getAsInt, PORT, port);
        logins = metrics.counters("inboxd.smtp.logins", "Logins at the submission port", "result")
                .with("accepted")
                .with("refused")
                .with("deferred");
        accepted = metrics.counters("inboxd.mail.accepted", "Messages that were answered 250", PORT)
                .with(port);
        bytes = metrics.counters("inboxd.mail.accepted.bytes", "Octets of messages that were answered 250", PORT)
                .with(port);
        String[] labels = {PORT, "command", "status"};
        refused = metrics.counters(
                        "inboxd.mail.refused",
                        "Senders, recipients and messages refused for good, by enhanced status",
                        labels)
                .with(port, "rcpt", "5.1.1");
        deferred = metrics.counters(
                        "inboxd.mail.deferred", "Senders, recipients and messages put off, by enhanced status", labels)
                .with(port, "data", "4.3.0");
        checks = metrics.counters(
                "inboxd.mail.authentication", "Results of the checks of accepted mail", "method", "result");
        CHECKS.forEach(check -> checks.with(check, AuthResult.PASS.wireName()));
        commits = metrics.timers(
                        "inboxd.mail.commit", "From the last octet of a message to its reply", Metrics.QUICK, PORT)
                .with(port);
    }

    /** A session began. */
    void began() {
        sessions.increment(port);
    }

    /** The server ended a session, or did not begin it. */
    void ended(SmtpReply reply) {
        ended.increment(port, String.valueOf(reply.code()));
    }

    /** A login at the submission port. */
    void login(SaslAuthenticator.LoginResult result) {
        logins.increment(
                switch (result) {
                    case SaslAuthenticator.LoginResult.Success _ -> "accepted";
                    case SaslAuthenticator.LoginResult.Failure(SmtpReply reply) ->
                        reply.isPermanentFailure() ? "refused" : "deferred";
                });
    }

    /**
     * A sender, a recipient or a message was not taken.
     *
     * @param command mail, rcpt or data
     */
    void refused(String command, SmtpReply reply) {
        (reply.isPermanentFailure() ? refused : deferred).increment(port, command, status(reply.status()));
    }

    /** The subjects of RFC 3463 §3 have no details beyond 9; in a reply that another program worded they may. */
    private static String status(@Nullable EnhancedStatus status) {
        return status == null || status.subject() > 7 || status.detail() > 29 ? "other" : status.toString();
    }

    /** The reply to a message, which took so long from its last octet. */
    void result(MailLog.Received message, MailHandler.Outcome outcome) {
        if (message.nanos() > 0) {
            commits.record(message.nanos(), port);
        }
        if (metrics.traces().isOn()) {
            metrics.traces().ended(span(message, outcome.reply()));
        }
        if (!outcome.reply().isPositive()) {
            refused("data", outcome.reply());
            return;
        }
        accepted.increment(port);
        bytes.add(message.size(), port);
        for (String check : CHECKS) {
            AuthResult result = result(outcome.details(), check);
            if (result != null) {
                checks.increment(check, result.wireName());
            }
        }
    }

    /** From DATA, or the first chunk, to the reply. */
    private Traces.Span span(MailLog.Received message, SmtpReply reply) {
        return Traces.Span.of("SMTP message", Traces.Side.SERVER, message.sinceData())
                .with("inboxd.port", port)
                .with("inboxd.mail_id", message.id())
                .with("inboxd.size", message.size())
                .with("smtp.reply_code", reply.code())
                .with("smtp.enhanced_status", status(reply.status()))
                .failed(reply.isPositive() ? null : String.valueOf(reply.code()));
    }

    private static @Nullable AuthResult result(Map<String, Object> details, String check) {
        return details.get(check) instanceof String word ? AuthResult.parse(word) : null;
    }
}
