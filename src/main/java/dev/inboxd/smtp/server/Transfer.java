package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.Command;
import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.Received;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.platform.error.Problem;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mail transactions of one session, RFC 5321 §3.3 and RFC 3030. Only {@link #stop} is called by others. */
final class Transfer {
    private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);
    /** A smaller chunk that is not the last moves next to nothing. */
    private static final int SMALL_CHUNK = 512;
    /** Who announces a chunk of this multiple of the limit is disconnected. */
    private static final int HOPELESS = 10;

    private final Site site;
    private final Wire wire;
    private final Patience patience;
    private @Nullable Transaction transaction;
    private @Nullable Chunks chunks;
    private volatile boolean receiving;
    private volatile boolean stopped;

    Transfer(Site site, Wire wire, Patience patience) {
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

    Reply mail(Command.Mail mail, Party party) throws IOException {
        if (transaction != null) {
            return Replies.NESTED_MAIL;
        }
        Reply farewell = party.intake().farewell();
        if (farewell != null) {
            throw new Farewell(farewell);
        }
        boolean ofSubmission = mail.auth() || !mail.dsn().equals(MailDsn.NONE);
        if (ofSubmission && !site.isSubmission()) {
            return Replies.PARAMETER_UNKNOWN;
        }
        long max = site.config().maxMessage();
        if (mail.size() > max) {
            return Reply.TOO_LARGE;
        }
        if (!site.spools().hasRoomFor(max + max / 2)) {
            return Reply.NO_STORAGE;
        }
        transaction = new Transaction(party, mail);
        return Reply.SENDER_OK;
    }

    Reply rcpt(Command.Rcpt rcpt) {
        if (!rcpt.dsn().equals(RecipientDsn.NONE) && !site.isSubmission()) {
            return Replies.PARAMETER_UNKNOWN; // ruling 28
        }
        if (transaction == null || chunks != null) {
            return Reply.BAD_SEQUENCE;
        }
        if (!transaction.smtpUtf8() && !rcpt.isAscii()) {
            return Replies.RECIPIENT_NEEDS_UTF8;
        }
        // RFC 5321 §4.5.3.1.10
        if (transaction.recipients() >= site.config().maxRecipients()) {
            return Replies.TOO_MANY_RECIPIENTS;
        }
        try {
            Party party = transaction.party();
            Intake.Verdict verdict = party.intake().recipient(transaction.mail(), rcpt.forwardPath(), party.peer());
            if (verdict.reply().isPositive()) {
                transaction.add(rcpt, verdict.destination());
            }
            return verdict.reply();
        } catch (RuntimeException e) {
            LOG.error("Cannot decide about a recipient", e);
            return Reply.TRY_LATER;
        }
    }

    Reply data() throws IOException {
        if (transaction == null) {
            return Reply.BAD_SEQUENCE;
        }
        if (chunks != null) {
            return Replies.DATA_AFTER_CHUNK; // RFC 3030 §2: they cannot be mixed
        }
        if (transaction.recipients() == 0) {
            return Replies.NO_RECIPIENTS;
        }
        begin();
        Envelope envelope = envelope(transaction);
        try (MailData data = mailData(envelope)) {
            wire.send(Replies.START_DATA);
            switch (wire.content(new DotReader(), data, pace())) {
                case BARE_CR -> throw new Farewell(Replies.BARE_CR);
                case BARE_LF -> throw new Farewell(Replies.BARE_LF);
                case OPEN, END -> {}
            }
            Reply refusal = data.refusal();
            return refusal == null ? accept(transaction, envelope, data) : refusal;
        } finally {
            reset();
            receiving = false;
        }
    }

    /** RFC 3030 §2: the chunk is read in any case; a message that cannot be taken ends with the chunk that shows it. */
    Reply bdat(Command.Bdat chunk) throws IOException {
        if (chunk.size() < 0) {
            throw new Farewell(Replies.CHUNK_UNREADABLE);
        }
        if (chunk.size() / HOPELESS > site.config().maxMessage()) {
            throw new Farewell(Reply.TOO_LARGE);
        }
        begin();
        try {
            Reply reply = read(chunk);
            if (chunk.last() || !reply.isPositive()) {
                reset();
            }
            return reply;
        } finally {
            receiving = false;
        }
    }

    private Reply read(Command.Bdat chunk) throws IOException {
        if (transaction == null || transaction.recipients() == 0) {
            wire.octets(chunk.size(), (_, _, _) -> {}, pace());
            return transaction == null ? Reply.BAD_SEQUENCE : Replies.NO_RECIPIENTS;
        }
        if (chunks == null) {
            Envelope envelope = envelope(transaction);
            chunks = new Chunks(envelope, mailData(envelope), pace());
        }
        chunks.read(wire, chunk.size());
        Reply refusal = chunks.refusal(chunk.last());
        if (refusal != null) {
            return refusal;
        }
        if (chunk.last()) {
            return accept(transaction, chunks.envelope(), chunks.data());
        }
        Reply more = Reply.of(250, "2.0.0", chunk.size() + " octets received");
        return chunk.size() < SMALL_CHUNK ? patience.idle(more) : more;
    }

    private void begin() {
        receiving = true;
        if (stopped) {
            throw new Farewell(Replies.SHUTTING_DOWN);
        }
    }

    private Reply accept(Transaction from, Envelope envelope, MailData data) {
        try (Spool content = data.finish()) {
            Reply reply = from.party().intake().accept(envelope, content);
            if (reply.isPositive()) {
                patience.taken();
            }
            return reply;
        } catch (Problem later) { // as for an inbox that was deleted meanwhile; nothing is broken
            LOG.warn("Message {} is put off: {}", envelope.id(), later.getMessage());
            return Reply.TRY_LATER;
        } catch (IOException | RuntimeException e) {
            LOG.error("Cannot take message {}", envelope.id(), e);
            return Reply.TRY_LATER;
        }
    }

    private MailData mailData(Envelope envelope) throws IOException {
        SmtpServer.Config config = site.config();
        return new MailData(site.spools(), config.maxMessage(), config.maxReceived(), trace(envelope));
    }

    private Pace pace() {
        return new Pace(site.clocks().nanos());
    }

    private Envelope envelope(Transaction of) {
        return of.envelope(newId(), site.clocks().wall().instant());
    }

    private String trace(Envelope envelope) {
        String host = site.config().hostName();
        if (site.isSubmission()) {
            return Received.submitted(host, envelope.id(), envelope.smtpUtf8(), envelope.receivedAt());
        }
        boolean extended = transaction != null && transaction.party().extended();
        String with =
                Received.with(extended, envelope.smtpUtf8(), envelope.peer().tls());
        Path only =
                envelope.forwardPaths().size() == 1 ? envelope.forwardPaths().getFirst() : null;
        return Received.returnPath(envelope.reversePath())
                + new Received(
                        envelope.peer().helo(),
                        envelope.peer().address(),
                        new Received.By(host, with, envelope.id()),
                        only,
                        envelope.receivedAt());
    }

    private String newId() {
        long millis = site.clocks().wall().instant().toEpochMilli();
        return Long.toString(millis, 36)
                + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 41), 36);
    }
}
