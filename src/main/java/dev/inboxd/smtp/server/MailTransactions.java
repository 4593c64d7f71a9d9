package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mail.smtp.TraceFields;
import dev.inboxd.platform.error.Problem;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mail transactions of one session, RFC 5321 §3.3 and RFC 3030. Only {@link #stop} is called by others. */
final class MailTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(MailTransactions.class);
    /** A smaller chunk that is not the last moves next to nothing. */
    private static final int SMALL_CHUNK = 512;
    /** Who announces a chunk of this multiple of the limit is disconnected. */
    private static final int HOPELESS = 10;

    private final ServerContext site;
    private final SmtpConnection wire;
    private final SessionErrorLimit patience;
    private @Nullable MailTransaction transaction;
    private @Nullable BdatReader chunks;
    private volatile boolean receiving;
    private volatile boolean stopped;

    MailTransactions(ServerContext site, SmtpConnection wire, SessionErrorLimit patience) {
        this.site = site;
        this.wire = wire;
        this.patience = patience;
    }

    /** Takes no more messages, but for one that is coming in right now. */
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Whether a message is coming in right now. */
    boolean isReceiving() {
        return receiving;
    }

    /** Whether MAIL was taken. */
    boolean isOpen() {
        return transaction != null;
    }

    /** Forgets the transaction, RFC 5321 §4.1.1.5. */
    void reset() {
        transaction = null;
        if (chunks != null) {
            chunks.close();
            chunks = null;
        }
    }

    SmtpReply mail(SmtpCommand.Mail mail, TransactionContext party) throws IOException {
        if (transaction != null) {
            return SmtpReplies.NESTED_MAIL;
        }
        SmtpReply farewell = party.handler().closingReply();
        if (farewell != null) {
            throw new DisconnectException(farewell);
        }
        boolean ofSubmission = mail.auth() || !mail.dsn().equals(MailDsn.NONE);
        if (ofSubmission && !site.isSubmission()) {
            return SmtpReplies.PARAMETER_UNKNOWN;
        }
        long max = site.config().maxMessage();
        if (mail.size() > max) {
            return SmtpReply.TOO_LARGE;
        }
        if (!site.spools().hasRoomFor(max + max / 2)) {
            return SmtpReply.NO_STORAGE;
        }
        transaction = new MailTransaction(party, mail);
        return SmtpReply.SENDER_OK;
    }

    SmtpReply rcpt(SmtpCommand.Rcpt rcpt) {
        if (!rcpt.dsn().equals(RecipientDsn.NONE) && !site.isSubmission()) {
            return SmtpReplies.PARAMETER_UNKNOWN; // ruling 28
        }
        if (transaction == null || chunks != null) {
            return SmtpReply.BAD_SEQUENCE;
        }
        if (!transaction.smtpUtf8() && !rcpt.isAscii()) {
            return SmtpReplies.RECIPIENT_NEEDS_UTF8;
        }
        // RFC 5321 §4.5.3.1.10
        if (transaction.recipients() >= site.config().maxRecipients()) {
            return SmtpReplies.TOO_MANY_RECIPIENTS;
        }
        try {
            TransactionContext party = transaction.party();
            MailHandler.Verdict verdict =
                    party.handler().recipient(transaction.mail(), rcpt.forwardPath(), party.peer());
            if (verdict.reply().isPositive()) {
                transaction.add(rcpt, verdict.destination());
            }
            return verdict.reply();
        } catch (RuntimeException e) {
            LOG.error("Cannot decide about a recipient", e);
            return SmtpReply.TRY_LATER;
        }
    }

    SmtpReply data() throws IOException {
        if (transaction == null) {
            return SmtpReply.BAD_SEQUENCE;
        }
        if (chunks != null) {
            return SmtpReplies.DATA_AFTER_CHUNK; // RFC 3030 §2: they cannot be mixed
        }
        if (transaction.recipients() == 0) {
            return SmtpReplies.NO_RECIPIENTS;
        }
        begin();
        Envelope envelope = envelope(transaction);
        try (DataReceiver data = mailData(envelope)) {
            wire.send(SmtpReplies.START_DATA);
            switch (wire.content(new DotReader(), data, pace())) {
                case BARE_CR -> throw new DisconnectException(SmtpReplies.BARE_CR);
                case BARE_LF -> throw new DisconnectException(SmtpReplies.BARE_LF);
                case OPEN, END -> {}
            }
            SmtpReply refusal = data.refusal();
            return refusal == null ? accept(transaction, envelope, data) : refusal;
        } finally {
            reset();
            receiving = false;
        }
    }

    /** RFC 3030 §2: the chunk is read in any case; a message that cannot be taken ends with the chunk that shows it. */
    SmtpReply bdat(SmtpCommand.Bdat chunk) throws IOException {
        if (chunk.size() < 0) {
            throw new DisconnectException(SmtpReplies.CHUNK_UNREADABLE);
        }
        if (chunk.size() / HOPELESS > site.config().maxMessage()) {
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
            wire.octets(chunk.size(), (_, _, _) -> {}, pace());
            return transaction == null ? SmtpReply.BAD_SEQUENCE : SmtpReplies.NO_RECIPIENTS;
        }
        if (chunks == null) {
            Envelope envelope = envelope(transaction);
            chunks = new BdatReader(envelope, mailData(envelope), pace());
        }
        chunks.read(wire, chunk.size());
        SmtpReply refusal = chunks.refusal(chunk.last());
        if (refusal != null) {
            return refusal;
        }
        if (chunk.last()) {
            return accept(transaction, chunks.envelope(), chunks.data());
        }
        SmtpReply more = SmtpReply.of(250, "2.0.0", chunk.size() + " octets received");
        return chunk.size() < SMALL_CHUNK ? patience.idle(more) : more;
    }

    private void begin() {
        receiving = true;
        if (stopped) {
            throw new DisconnectException(SmtpReplies.SHUTTING_DOWN);
        }
    }

    private SmtpReply accept(MailTransaction from, Envelope envelope, DataReceiver data) {
        try (Spool content = data.finish()) {
            SmtpReply reply = from.party().handler().accept(envelope, content);
            if (reply.isPositive()) {
                patience.countMessage();
            }
            return reply;
        } catch (Problem later) { // as for an inbox that was deleted meanwhile; nothing is broken
            LOG.warn("Message {} is put off: {}", envelope.id(), later.getMessage());
            return SmtpReply.TRY_LATER;
        } catch (IOException | RuntimeException e) {
            LOG.error("Cannot take message {}", envelope.id(), e);
            return SmtpReply.TRY_LATER;
        }
    }

    private DataReceiver mailData(Envelope envelope) throws IOException {
        SmtpServer.Config config = site.config();
        return new DataReceiver(site.spools(), config.maxMessage(), config.maxReceived(), trace(envelope));
    }

    private MinimumDataRate pace() {
        return new MinimumDataRate(site.clocks().nanos());
    }

    private Envelope envelope(MailTransaction of) {
        return of.envelope(newId(), site.clocks().wall().instant());
    }

    private String trace(Envelope envelope) {
        String host = site.config().hostName();
        if (site.isSubmission()) {
            return TraceFields.submitted(host, envelope.id(), envelope.smtpUtf8(), envelope.receivedAt());
        }
        boolean extended = transaction != null && transaction.party().extended();
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
        long millis = site.clocks().wall().instant().toEpochMilli();
        return Long.toString(millis, 36)
                + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 41), 36);
    }
}
