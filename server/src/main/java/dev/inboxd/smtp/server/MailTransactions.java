package dev.inboxd.smtp.server;

import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mail.smtp.TraceFields;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mail transactions of one session (RFC 5321 §3.3, RFC 3030). Other threads may call only {@link #stop}. */
final class MailTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(MailTransactions.class);
    /** A chunk below this size that is not the last counts as a command without mail. */
    private static final int SMALL_CHUNK = 512;
    /** A client that announces a chunk of this multiple of the size limit is disconnected. */
    private static final int ABORT_MULTIPLE = 10;

    private final ServerContext server;
    private final SmtpConnection connection;
    private final SessionErrorLimit errorLimit;
    private @Nullable MailTransaction transaction;
    private @Nullable BdatReader chunks;
    /** When the content of the message began, in monotonic nanoseconds. */
    private long contentBegan;

    private volatile boolean receiving;
    private volatile boolean stopped;

    MailTransactions(ServerContext server, SmtpConnection connection, SessionErrorLimit errorLimit) {
        this.server = server;
        this.connection = connection;
        this.errorLimit = errorLimit;
    }

    /** Allows no further messages; a message being received now is finished. */
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Whether a message is being received now. */
    boolean isReceiving() {
        return receiving;
    }

    /** Whether a transaction is open: MAIL was accepted. */
    boolean isOpen() {
        return transaction != null;
    }

    /** Discards the transaction (RFC 5321 §4.1.1.5). */
    void reset() {
        transaction = null;
        if (chunks != null) {
            chunks.close();
            chunks = null;
        }
    }

    SmtpReply mail(SmtpCommand.Mail mail, TransactionContext context) throws IOException {
        if (transaction != null) {
            return SmtpReplies.NESTED_MAIL;
        }
        SmtpReply closing = context.handler().closingReply();
        if (closing != null) {
            throw new DisconnectException(closing);
        }
        MailTransaction next =
                new MailTransaction(context, mail, server.clocks().nanos().getAsLong());
        SmtpReply refusal = refusal(mail);
        if (refusal != null) {
            server.log().refused(next, null, refusal);
            return refusal;
        }
        transaction = next;
        return SmtpReply.SENDER_OK;
    }

    private @Nullable SmtpReply refusal(SmtpCommand.Mail mail) throws IOException {
        boolean ofSubmission = mail.auth() || !mail.dsn().equals(MailDsn.NONE);
        if (ofSubmission && !server.isSubmission()) {
            return SmtpReplies.PARAMETER_UNKNOWN;
        }
        long max = server.config().messages().octets();
        if (mail.size() > max) {
            return SmtpReply.TOO_LARGE;
        }
        return server.spools().hasRoomFor(max + max / 2) ? null : SmtpReply.NO_STORAGE;
    }

    SmtpReply rcpt(SmtpCommand.Rcpt rcpt) {
        if (!rcpt.dsn().equals(RecipientDsn.NONE) && !server.isSubmission()) {
            return SmtpReplies.PARAMETER_UNKNOWN; // ruling 28
        }
        if (transaction == null || chunks != null) {
            return SmtpReply.BAD_SEQUENCE;
        }
        SmtpReply reply = rcpt(rcpt, transaction);
        if (!reply.isPositive()) {
            server.log().refused(transaction, rcpt.forwardPath(), reply);
        }
        return reply;
    }

    private SmtpReply rcpt(SmtpCommand.Rcpt rcpt, MailTransaction of) {
        if (!of.smtpUtf8() && !rcpt.isAscii()) {
            return SmtpReplies.RECIPIENT_NEEDS_UTF8;
        }
        // RFC 5321 §4.5.3.1.10
        if (of.recipients() >= server.config().messages().recipients()) {
            return SmtpReplies.TOO_MANY_RECIPIENTS;
        }
        try {
            TransactionContext context = of.context();
            MailHandler.Verdict verdict = context.handler().recipient(of.mail(), rcpt.forwardPath(), context.peer());
            if (verdict.reply().isPositive()) {
                of.add(rcpt, verdict.destination());
            }
            return verdict.reply();
        } catch (RuntimeException e) {
            LOG.error("Recipient check failed, RCPT answered with 451", e);
            return SmtpReply.TRY_LATER;
        }
    }

    SmtpReply data() throws IOException {
        if (transaction == null) {
            return SmtpReply.BAD_SEQUENCE;
        }
        if (chunks != null) {
            return SmtpReplies.DATA_AFTER_CHUNK; // RFC 3030 §2: DATA and BDAT cannot be mixed
        }
        if (transaction.recipients() == 0) {
            return SmtpReplies.NO_RECIPIENTS;
        }
        begin();
        contentBegan = now();
        Envelope envelope = envelope(transaction);
        try (DataReceiver data = receiver(envelope)) {
            connection.send(SmtpReplies.START_DATA);
            try {
                read(data);
            } catch (DisconnectException ended) {
                cut(transaction, envelope, data, ended.reply());
                throw ended;
            }
            return result(transaction, envelope, data, data.refusal());
        } finally {
            reset();
            receiving = false;
        }
    }

    private void read(DataReceiver data) throws IOException {
        switch (connection.content(new DotReader(), data, minimumRate())) {
            case BARE_CR -> throw new DisconnectException(SmtpReplies.BARE_CR);
            case BARE_LF -> throw new DisconnectException(SmtpReplies.BARE_LF);
            case OPEN, END -> {}
        }
    }

    /** Reads the chunk in any case (RFC 3030 §2). A message that must be refused ends with the chunk that shows it. */
    SmtpReply bdat(SmtpCommand.Bdat chunk) throws IOException {
        if (chunk.size() < 0) {
            throw new DisconnectException(SmtpReplies.CHUNK_UNREADABLE);
        }
        if (chunk.size() / ABORT_MULTIPLE > server.config().messages().octets()) {
            throw new DisconnectException(SmtpReply.TOO_LARGE);
        }
        begin();
        try {
            SmtpReply reply = read(chunk);
            if (chunk.last() || !reply.isPositive()) {
                reset();
            }
            return reply;
        } finally {
            receiving = false;
        }
    }

    private SmtpReply read(SmtpCommand.Bdat chunk) throws IOException {
        if (transaction == null || transaction.recipients() == 0) {
            connection.octets(chunk.size(), (_, _, _) -> {}, minimumRate());
            return transaction == null ? SmtpReply.BAD_SEQUENCE : SmtpReplies.NO_RECIPIENTS;
        }
        if (chunks == null) {
            contentBegan = now();
            Envelope envelope = envelope(transaction);
            chunks = new BdatReader(envelope, receiver(envelope), minimumRate());
        }
        try {
            chunks.read(connection, chunk.size());
        } catch (DisconnectException ended) {
            cut(transaction, chunks.envelope(), chunks.data(), ended.reply());
            throw ended;
        }
        SmtpReply refusal = chunks.refusal(chunk.last());
        if (refusal != null || chunk.last()) {
            return result(transaction, chunks.envelope(), chunks.data(), refusal);
        }
        SmtpReply more = SmtpReply.of(250, "2.0.0", chunk.size() + " octets received");
        return chunk.size() < SMALL_CHUNK ? errorLimit.idle(more) : more;
    }

    private void begin() {
        receiving = true;
        if (stopped) {
            throw new DisconnectException(SmtpReplies.SHUTTING_DOWN);
        }
    }

    /** The reply to a message, which is in the log before the client sees it; the refusal is null for a good one. */
    private SmtpReply result(MailTransaction from, Envelope envelope, DataReceiver data, @Nullable SmtpReply refusal) {
        long end = now();
        MailHandler.Outcome outcome = refusal == null ? accept(from, envelope, data) : MailHandler.Outcome.of(refusal);
        server.log().result(from, received(envelope, data, Math.max(1, now() - end)), outcome);
        return DisconnectException.unless(outcome.reply());
    }

    /** A message that the client did not send whole, or not as it may be sent. */
    private void cut(MailTransaction from, Envelope envelope, DataReceiver data, SmtpReply reply) {
        server.log().result(from, received(envelope, data, 0), MailHandler.Outcome.of(reply));
    }

    private MailLog.Received received(Envelope envelope, DataReceiver data, long nanos) {
        return new MailLog.Received(envelope.id(), data.received(), nanos, now() - contentBegan);
    }

    private long now() {
        return server.clocks().nanos().getAsLong();
    }

    private MailHandler.Outcome accept(MailTransaction from, Envelope envelope, DataReceiver data) {
        try (Spool content = data.finish()) {
            MailHandler.Outcome outcome = from.context().handler().accept(envelope, content);
            if (outcome.reply().isPositive()) {
                errorLimit.countMessage();
            }
            return outcome;
        } catch (Problem later) { // such as an inbox deleted since RCPT: no fault of the server
            SmtpReply reply = SmtpReplies.later(later);
            LOG.warn("Message not accepted id={} reply={} reason=\"{}\"", envelope.id(), reply, later.getMessage());
            return MailHandler.Outcome.of(reply);
        } catch (IOException | RuntimeException e) {
            LOG.error("Message not accepted after an error, answered with 451 id={}", envelope.id(), e);
            return MailHandler.Outcome.of(SmtpReply.TRY_LATER);
        }
    }

    private DataReceiver receiver(Envelope envelope) throws IOException {
        SmtpServer.MessageLimits limits = server.config().messages();
        return new DataReceiver(server.spools(), limits.octets(), limits.received(), trace(envelope));
    }

    private MinimumDataRate minimumRate() {
        return new MinimumDataRate(server.clocks().nanos());
    }

    private Envelope envelope(MailTransaction of) {
        return of.envelope(newId(), server.clocks().wall().instant());
    }

    private String trace(Envelope envelope) {
        String host = server.config().hostName();
        if (server.isSubmission()) {
            return TraceFields.submitted(host, envelope.id(), envelope.smtpUtf8(), envelope.receivedAt());
        }
        boolean extended = transaction != null && transaction.context().extended();
        String with =
                TraceFields.with(extended, envelope.smtpUtf8(), envelope.peer().tls());
        SmtpPath only =
                envelope.forwardPaths().size() == 1 ? envelope.forwardPaths().getFirst() : null;
        return TraceFields.returnPath(envelope.reversePath())
                + new TraceFields(
                        envelope.peer().helo(),
                        envelope.peer().address(),
                        new TraceFields.Receiver(host, with, envelope.id()),
                        only,
                        envelope.receivedAt());
    }

    private String newId() {
        long millis = server.clocks().wall().instant().toEpochMilli();
        return Long.toString(millis, 36)
                + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 41), 36);
    }
}
