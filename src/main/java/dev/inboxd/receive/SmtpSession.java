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
 * The dialogue with one client, RFC 5321 §3 and §4.1.4. Runs on a virtual thread of its own; only {@link #stop}, {@link #watch}
 * and {@link #abort} are called by others.
 */
final class SmtpSession implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpSession.class);

    private static final int MAX_ERRORS = 100;
    private static final int MAX_RECIPIENTS = 1_000;
    /** Commands that move nothing, since the last message. */
    private static final int MAX_IDLE_COMMANDS = 1_000;
    /** What a session that missed its farewell gets on top of the idle time before it is aborted. */
    private static final long ABORT_GRACE_NANOS = 5_000_000_000L;

    private static final Reply BYE = Reply.of(221, "2.0.0", "Bye");
    private static final Reply START_DATA = Reply.of(354, "End data with <CR><LF>.<CR><LF>");
    private static final Reply START_TLS = Reply.of(220, "2.0.0", "Ready to start TLS");
    private static final Reply NOT_VERIFIED = Reply.of(252, "2.0.0", "Cannot verify, send some mail and see");
    private static final Reply HELP =
            Reply.of(214, "2.0.0", "EHLO HELO MAIL RCPT DATA RSET NOOP QUIT VRFY HELP STARTTLS; see RFC 5321");
    private static final Reply HELLO_FIRST = Reply.of(503, "5.5.1", "Send EHLO first");
    private static final Reply NESTED_MAIL = Reply.of(503, "5.5.1", "Sender already given");
    private static final Reply NO_RECIPIENTS = Reply.of(554, "5.5.1", "No valid recipients");
    private static final Reply TOO_MANY_RECIPIENTS = Reply.of(452, "4.5.3", "Too many recipients, send again for the rest");
    // RFC 6531 §3.5: 553 when RCPT would have needed an ASCII address
    private static final Reply RECIPIENT_NEEDS_UTF8 = Reply.of(553, "5.6.7", "Non-ASCII recipient address without SMTPUTF8");
    private static final Reply TLS_ALREADY = Reply.of(503, "5.5.1", "TLS is already active");
    private static final Reply NO_TLS = Reply.of(502, "5.5.1", "STARTTLS is not offered here");
    private static final Reply INJECTION =
            Reply.of(554, "5.5.1", "Commands after STARTTLS before the handshake, closing connection");
    private static final Reply TOO_MANY_ERRORS = Reply.of(421, "4.7.0", "Too many errors, closing connection");
    private static final Reply TOO_MANY_COMMANDS = Reply.of(421, "4.7.0", "Too many commands without mail, closing connection");
    private static final Reply TIMEOUT = Reply.of(421, "4.4.2", "Idle for too long, closing connection");
    static final Reply SHUTTING_DOWN = Reply.of(421, "4.3.2", "Shutting down, try again in a moment");
    private static final Reply FAILED = Reply.of(421, "4.3.0", "Temporary failure, closing connection");

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
            end(farewell.reply());
        } catch (IOException e) {
            LOG.debug("Session ended: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Session failed", e);
            end(FAILED);
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
            wire.cut(SHUTTING_DOWN);
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
            wire.cut(TIMEOUT);
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
                throw new Farewell(SHUTTING_DOWN);
            }
            command = wire.command();
            Reply reply = perform(command);
            wire.send(reply);
            if (reply.isPermanentFailure() && ++errors >= MAX_ERRORS) {
                throw new Farewell(TOO_MANY_ERRORS);
            }
            if (reply.equals(START_TLS)) {
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
                case QUIT -> BYE;
                case RSET -> {
                    transaction = null;
                    yield idle(Reply.OK);
                }
                case NOOP -> idle(Reply.OK);
                case VRFY -> idle(NOT_VERIFIED);
                case HELP -> idle(HELP);
            };
        };
    }

    private Reply idle(Reply reply) {
        if (++idleCommands > MAX_IDLE_COMMANDS) {
            throw new Farewell(TOO_MANY_COMMANDS);
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
        String offer = encrypted || site.tls() == null ? "" : "\nSTARTTLS";
        return "\nPIPELINING\nSIZE " + site.config().maxMessage() + "\n8BITMIME\nSMTPUTF8\nENHANCEDSTATUSCODES" + offer + "\nHELP";
    }

    private Reply mail(Command.Mail mail) throws IOException {
        if (peer == null) {
            return HELLO_FIRST;
        }
        if (transaction != null) {
            return NESTED_MAIL;
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
            return RECIPIENT_NEEDS_UTF8;
        }
        // RFC 5321 §4.5.3.1.10
        if (transaction.recipients() >= MAX_RECIPIENTS) {
            return TOO_MANY_RECIPIENTS;
        }
        Reply reply;
        try {
            reply = site.intake().recipient(transaction.reversePath(), forwardPath, peer);
        } catch (RuntimeException e) {
            LOG.error("Cannot decide about a recipient", e);
            reply = Reply.TRY_LATER;
        }
        if (reply.isPositive()) {
            transaction.add(forwardPath);
        }
        return reply;
    }

    private Reply data() throws IOException {
        if (transaction == null || peer == null) {
            return Reply.BAD_SEQUENCE;
        }
        if (transaction.recipients() == 0) {
            return NO_RECIPIENTS;
        }
        inData = true;
        try {
            if (stopping) {
                throw new Farewell(SHUTTING_DOWN);
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
            wire.send(START_DATA);
            switch (wire.content(new DotReader(), data)) {
                case BARE_CR -> throw new Farewell(Wire.BARE_CR);
                case BARE_LF -> throw new Farewell(Wire.BARE_LF);
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
            return TLS_ALREADY;
        }
        if (site.tls() == null) {
            return NO_TLS;
        }
        // RFC 3207 §5 and §6: whatever came in clear text may be somebody else's
        if (wire.hasInput()) {
            throw new Farewell(INJECTION);
        }
        return START_TLS;
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
