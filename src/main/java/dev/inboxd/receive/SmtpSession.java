package dev.inboxd.receive;

import dev.inboxd.mail.smtp.Command;
import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.Path;
import dev.inboxd.mail.smtp.Received;
import dev.inboxd.mail.smtp.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dialogue with one client, RFC 5321 §3 and §4.1.4. Runs on a virtual thread of its own; only {@link #stop}, {@link
 * #watch} and {@link #abort} are called by others.
 */
final class SmtpSession implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpSession.class);

    private static final int MAX_ERRORS = 100;
    private static final int MAX_RECIPIENTS = 1_000;
    /** Commands that move nothing, since the last message. */
    private static final int MAX_IDLE_COMMANDS = 1_000;
    /** What a session that missed its farewell gets on top of the idle time before it is aborted. */
    private static final long ABORT_GRACE_NANOS = 5_000_000_000L;

    private final Site site;
    private final Wire wire;
    private final InetAddress address;
    private @Nullable Peer peer;
    private boolean extended;
    private boolean encrypted;
    private @Nullable Transaction transaction;
    private int errors;
    private int idleCommands;
    private volatile boolean inData;
    private volatile boolean stopping;

    SmtpSession(Site site, Wire wire) {
        this.site = site;
        this.wire = wire;
        this.address = wire.address();
    }

    /** Where the client connects from. */
    InetAddress address() {
        return address;
    }

    /** The whole session; returns when the connection is closed. */
    @Override
    public void run() {
        try {
            converse();
            wire.close();
        } catch (Farewell farewell) {
            LOG.info("Ended the session of {}: {}", address.getHostAddress(), farewell.getMessage());
            end(farewell.reply());
        } catch (IOException e) {
            LOG.debug("Session ended: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Session failed", e);
            end(Replies.FAILED);
        } finally {
            wire.abort();
        }
    }

    /** Turns the client away before any dialogue, RFC 5321 §3.1. */
    void refuse(Reply reason) {
        try {
            wire.send(reason);
            wire.close();
        } catch (IOException e) {
            LOG.debug("Refused session ended: {}", e.getMessage());
        } finally {
            wire.abort();
        }
    }

    /** Ends the session as soon as it is not in the middle of a message. */
    void stop() {
        stopping = true;
        if (!inData) {
            wire.cut(Replies.SHUTTING_DOWN);
        }
    }

    /** Ends the session at once. */
    void abort() {
        wire.abort();
    }

    /** Ends the session if it has been waiting for its client for longer than allowed. */
    void watch(long idleNanos) {
        long waited = wire.waited();
        if (waited > idleNanos + ABORT_GRACE_NANOS) {
            wire.abort();
        } else if (waited > idleNanos) {
            wire.cut(Replies.TIMEOUT);
        }
    }

    private void end(Reply last) {
        try {
            wire.close(last);
        } catch (IOException e) {
            LOG.debug("Session ended: {}", e.getMessage());
        }
    }

    private void converse() throws IOException {
        // RFC 5321 §4.2.2: the greeting begins with the host name
        wire.send(Reply.of(220, site.config().hostName() + " ESMTP inboxd"));
        Command command;
        do {
            if (stopping) {
                throw new Farewell(Replies.SHUTTING_DOWN);
            }
            command = wire.command();
            Reply reply = perform(command);
            wire.send(reply);
            if (reply.isPermanentFailure() && ++errors >= MAX_ERRORS) {
                throw new Farewell(Replies.TOO_MANY_ERRORS);
            }
            if (reply.equals(Replies.START_TLS)) {
                startTls();
            }
        } while (command != Command.Simple.QUIT);
    }

    private Reply perform(Command command) throws IOException {
        return switch (command) {
            case Command.Ehlo ehlo -> hello(ehlo.domain(), true);
            case Command.Helo helo -> hello(helo.domain(), false);
            case Command.Mail mail -> mail(mail);
            case Command.Rcpt rcpt -> rcpt(rcpt.forwardPath());
            case Command.Bad bad -> bad.reply();
            case Command.Simple simple -> switch (simple) {
                case DATA -> data();
                case STARTTLS -> mayStartTls();
                case QUIT -> Replies.BYE;
                case RSET -> {
                    transaction = null;
                    yield idle(Reply.OK);
                }
                case NOOP -> idle(Reply.OK);
                case VRFY -> idle(Replies.NOT_VERIFIED);
                case HELP -> idle(Replies.HELP);
            };
        };
    }

    private Reply idle(Reply reply) {
        if (++idleCommands > MAX_IDLE_COMMANDS) {
            throw new Farewell(Replies.TOO_MANY_COMMANDS);
        }
        return reply;
    }

    private Reply hello(String domain, boolean asExtended) {
        peer = new Peer(address, domain, encrypted);
        extended = asExtended;
        transaction = null; // RFC 5321 §4.1.4
        String host = site.config().hostName();
        return idle(Reply.of(250, asExtended ? host + extensions() : host));
    }

    private String extensions() {
        String startTls = encrypted || site.tls() == null ? "" : "\nSTARTTLS";
        long max = site.config().maxMessage();
        return "\nPIPELINING\nSIZE " + max + "\n8BITMIME\nSMTPUTF8\nENHANCEDSTATUSCODES\nHELP" + startTls;
    }

    private Reply mail(Command.Mail mail) throws IOException {
        if (peer == null) {
            return Replies.HELLO_FIRST;
        }
        if (transaction != null) {
            return Replies.NESTED_MAIL;
        }
        long max = site.config().maxMessage();
        if (mail.size() > max) {
            return Reply.TOO_LARGE;
        }
        if (!site.spools().hasRoomFor(max + max / 2)) {
            return Reply.NO_STORAGE;
        }
        transaction = new Transaction(mail.reversePath(), mail.smtpUtf8());
        return Reply.SENDER_OK;
    }

    private Reply rcpt(Path forwardPath) {
        if (transaction == null || peer == null) {
            return Reply.BAD_SEQUENCE;
        }
        if (!transaction.smtpUtf8() && !forwardPath.isAscii()) {
            return Replies.RECIPIENT_NEEDS_UTF8;
        }
        // RFC 5321 §4.5.3.1.10
        if (transaction.recipients() >= MAX_RECIPIENTS) {
            return Replies.TOO_MANY_RECIPIENTS;
        }
        try {
            Intake.Verdict verdict = site.intake().recipient(transaction.reversePath(), forwardPath, peer);
            if (verdict.reply().isPositive()) {
                transaction.add(forwardPath, verdict.destination());
            }
            return verdict.reply();
        } catch (RuntimeException e) {
            LOG.error("Cannot decide about a recipient", e);
            return Reply.TRY_LATER;
        }
    }

    private Reply data() throws IOException {
        if (transaction == null || peer == null) {
            return Reply.BAD_SEQUENCE;
        }
        if (transaction.recipients() == 0) {
            return Replies.NO_RECIPIENTS;
        }
        inData = true;
        try {
            if (stopping) {
                throw new Farewell(Replies.SHUTTING_DOWN);
            }
            Envelope envelope = transaction.envelope(newId(), peer, site.clock().instant());
            Reply reply = receive(envelope);
            idleCommands = reply.isPositive() ? 0 : idleCommands;
            return reply;
        } finally {
            transaction = null;
            inData = false;
        }
    }

    private Reply receive(Envelope envelope) throws IOException {
        try (MailData data = new MailData(site.spools(), site.config().maxMessage(), trace(envelope))) {
            wire.send(Replies.START_DATA);
            switch (wire.content(new DotReader(), data)) {
                case BARE_CR -> throw new Farewell(Replies.BARE_CR);
                case BARE_LF -> throw new Farewell(Replies.BARE_LF);
                case OPEN, END -> { }
            }
            Reply refusal = data.refusal();
            return refusal == null ? accept(envelope, data) : refusal;
        }
    }

    private Reply accept(Envelope envelope, MailData data) {
        try (Spool content = data.finish()) {
            return site.intake().accept(envelope, content);
        } catch (IOException | RuntimeException e) {
            LOG.error("Cannot take message {}", envelope.id(), e);
            return Reply.TRY_LATER;
        }
    }

    private String trace(Envelope envelope) {
        String with = Received.with(extended, envelope.smtpUtf8(), envelope.peer().tls());
        Path only = envelope.forwardPaths().size() == 1 ? envelope.forwardPaths().getFirst() : null;
        return Received.returnPath(envelope.reversePath())
                + new Received(envelope.peer().helo(), address,
                        new Received.By(site.config().hostName(), with, envelope.id()), only, envelope.receivedAt());
    }

    private Reply mayStartTls() {
        if (encrypted) {
            return Replies.TLS_ALREADY;
        }
        if (site.tls() == null) {
            return Replies.NO_TLS;
        }
        // RFC 3207 §5 and §6: whatever came in clear text may be somebody else's
        if (wire.hasInput()) {
            throw new Farewell(Replies.INJECTION);
        }
        return Replies.START_TLS;
    }

    private void startTls() throws IOException {
        if (site.tls() != null) {
            wire.startTls(site.tls());
            encrypted = true;
            peer = null; // RFC 3207 §4.2: both sides forget what they knew
            transaction = null;
        }
    }

    private String newId() {
        long millis = site.clock().instant().toEpochMilli();
        return Long.toString(millis, 36) + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 41), 36);
    }
}
