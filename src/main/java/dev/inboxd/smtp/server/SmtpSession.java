package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.Command;
import dev.inboxd.mail.smtp.Reply;
import java.io.IOException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dialogue with one client, RFC 5321 §3 and §4.1.4. Runs on a virtual thread of its own; only {@link
 * #takeNoMore}, {@link #dismiss}, {@link #watch}, {@link #intake} and {@link #abort} are called by others.
 */
final class SmtpSession implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpSession.class);

    /** What a session that missed its farewell gets on top of the idle time before it is aborted. */
    private static final long ABORT_GRACE_NANOS = 5_000_000_000L;

    private final Site site;
    private final Wire wire;
    private final Patience patience = new Patience();
    private final Transfer transfer;
    private final Sasl sasl;
    private final long begun = System.nanoTime();
    private InetAddress address;
    private @Nullable Peer peer;
    private boolean extended;
    private boolean encrypted;
    /** Takes the client's mail; null until it has logged in, where it must. */
    private volatile @Nullable Intake intake;

    SmtpSession(Site site, Wire wire) {
        this.site = site;
        this.wire = wire;
        this.address = wire.address();
        this.transfer = new Transfer(site, wire, patience);
        this.sasl = new Sasl(wire, this::login);
        this.intake = site.door() instanceof Door.Open(Intake open) ? open : null;
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
            transfer.reset();
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

    /** Lets no more messages begin; one that is coming in right now is still answered, and ends the session. */
    void takeNoMore() {
        transfer.stop();
    }

    /** Who takes the client's mail, once it has logged in where it must. */
    @Nullable
    Intake intake() {
        return intake;
    }

    /** Ends the session with that reply, unless a message is coming in right now, which is still answered. */
    void dismiss(Reply last) {
        if (!transfer.isReceiving()) {
            wire.cut(last);
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
        } else if (System.nanoTime() - begun > site.config().longest().toNanos() && !transfer.isReceiving()) {
            wire.cut(Replies.SESSION_TOO_LONG);
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
        if (site.config().introduction().isProxied(address)) {
            InetAddress client = ProxyHeader.read(wire);
            if (client != null) {
                identify(client);
            }
        }
        wire.send(greeting());
        Command command;
        do {
            if (transfer.isStopped()) {
                throw new Farewell(Replies.SHUTTING_DOWN);
            }
            command = wire.command();
            Reply reply = perform(command);
            wire.send(reply);
            if (isAboutMessage(command) && site.isSubmission() && intake != null) {
                wire.flush();
                intake.answered();
            }
            patience.said(reply);
            if (reply.equals(Replies.START_TLS)) {
                startTls();
            }
        } while (command != Command.Simple.QUIT);
    }

    /** RFC 5321 §4.2.2: it begins with the host name. */
    private Reply greeting() {
        return Reply.of(220, site.config().hostName() + " ESMTP inboxd");
    }

    private static boolean isAboutMessage(Command command) {
        return command == Command.Simple.DATA || (command instanceof Command.Bdat chunk && chunk.last());
    }

    private Reply perform(Command command) throws IOException {
        return switch (command) {
            case Command.Ehlo ehlo -> hello(ehlo.domain(), true);
            case Command.Helo helo -> hello(helo.domain(), false);
            case Command.Mail mail -> mail(mail);
            case Command.Rcpt rcpt -> transfer.rcpt(rcpt);
            case Command.Bdat chunk -> transfer.bdat(chunk);
            case Command.Auth auth -> auth(auth);
            case Command.Xclient said -> xclient(said);
            case Command.Bad bad -> bad.reply();
            case Command.Simple simple ->
                switch (simple) {
                    case DATA -> transfer.data();
                    case STARTTLS -> mayStartTls();
                    case QUIT -> Replies.BYE;
                    case RSET -> {
                        transfer.reset();
                        yield patience.idle(Reply.OK);
                    }
                    case NOOP -> patience.idle(Reply.OK);
                    case VRFY -> patience.idle(Replies.NOT_VERIFIED);
                    case HELP -> patience.idle(Replies.HELP);
                };
        };
    }

    private Reply hello(String domain, boolean asExtended) {
        peer = new Peer(address, domain, encrypted);
        extended = asExtended;
        transfer.reset(); // RFC 5321 §4.1.4
        String host = site.config().hostName();
        return patience.idle(Reply.of(250, asExtended ? host + extensions() : host));
    }

    private String extensions() {
        String startTls = encrypted || site.tls() == null ? "" : "\nSTARTTLS";
        String auth = encrypted && site.isSubmission() && intake == null ? "\n" + Sasl.OFFER : "";
        String dsn = site.isSubmission() ? "\nDSN" : ""; // ruling 28
        String xclient = mayIntroduce() ? "\nXCLIENT NAME ADDR PORT PROTO HELO" : "";
        long max = site.config().maxMessage();
        return "\nPIPELINING\nSIZE " + max + "\n8BITMIME\nSMTPUTF8\nENHANCEDSTATUSCODES\nCHUNKING\nHELP" + startTls
                + auth + dsn + xclient;
    }

    private Reply mail(Command.Mail mail) throws IOException {
        if (peer == null) {
            return Replies.HELLO_FIRST;
        }
        if (intake == null) {
            return encrypted ? Replies.AUTH_FIRST : Replies.TLS_FIRST;
        }
        return transfer.mail(mail, new Party(peer, extended, intake));
    }

    private Reply auth(Command.Auth auth) throws IOException {
        if (!site.isSubmission()) {
            return Replies.NOT_IMPLEMENTED;
        }
        if (!encrypted) {
            return Replies.AUTH_WITHOUT_TLS;
        }
        if (peer == null) {
            return Replies.HELLO_FIRST;
        }
        return intake != null || transfer.isOpen() ? Replies.AUTH_ALREADY : sasl.run(auth);
    }

    private Reply login(String user, String password) {
        if (!(site.door() instanceof Door.Locked(Logins logins))) {
            return Replies.NOT_IMPLEMENTED;
        }
        return switch (logins.enter(user, password, address)) {
            case Logins.Entry.Granted granted -> {
                intake = granted.intake();
                yield Replies.AUTH_DONE;
            }
            case Logins.Entry.Refused refused -> {
                patience.failedLogin();
                yield refused.reply();
            }
        };
    }

    private boolean mayIntroduce() {
        return site.config().introduction().mayIntroduce(wire.address());
    }

    /** As Postfix has it: the relay says who its client is, and the session begins anew with the greeting. */
    private Reply xclient(Command.Xclient said) {
        if (!mayIntroduce()) {
            return Replies.XCLIENT_DENIED;
        }
        if (transfer.isOpen()) {
            return Replies.NESTED_MAIL;
        }
        String text = said.attributes().get("ADDR");
        if (text != null) {
            boolean ipv6 = text.regionMatches(true, 0, "IPV6:", 0, 5);
            try {
                identify(InetAddress.ofLiteral(ipv6 ? text.substring(5) : text));
            } catch (IllegalArgumentException noAddress) {
                return Replies.XCLIENT_ADDRESS;
            }
        }
        if (site.isSubmission()) {
            intake = null; // another client has not logged in
        }
        String helo = said.attributes().get("HELO");
        peer = helo == null ? null : new Peer(address, helo, encrypted);
        extended = !"SMTP".equalsIgnoreCase(said.attributes().get("PROTO"));
        return patience.idle(greeting());
    }

    /** The client is somewhere else than the connection comes from. */
    private void identify(InetAddress client) {
        Reply refusal = site.sessions().identify(this, client);
        if (refusal != null) {
            throw new Farewell(refusal);
        }
        address = client;
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
            transfer.reset();
        }
    }
}
