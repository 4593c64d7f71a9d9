package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dialogue with one client, RFC 5321 §3 and §4.1.4. Runs on a virtual thread of its own; only {@link
 * #takeNoMore}, {@link #dismiss}, {@link #watch}, {@link #handler} and {@link #abort} are called by others.
 */
final class SmtpSession implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpSession.class);

    /** What a session that missed its farewell gets on top of the idle time before it is aborted. */
    private static final long ABORT_GRACE_NANOS = 5_000_000_000L;

    private final ServerContext site;
    private final SmtpConnection wire;
    private final SessionErrorLimit patience = new SessionErrorLimit();
    private final MailTransactions transfer;
    private final SaslExchange sasl;
    private final long begun = System.nanoTime();
    private InetAddress address;
    private @Nullable Peer peer;
    private boolean extended;
    private boolean encrypted;
    /** Takes the client's mail; null until it has logged in, where it must. */
    private volatile @Nullable MailHandler handler;

    SmtpSession(ServerContext site, SmtpConnection wire) {
        this.site = site;
        this.wire = wire;
        this.address = wire.address();
        this.transfer = new MailTransactions(site, wire, patience);
        this.sasl = new SaslExchange(wire, this::login);
        this.handler = site.role() instanceof ListenerRole.Mx(MailHandler open) ? open : null;
    }

    /** The whole session; returns when the connection is closed. */
    @Override
    public void run() {
        try {
            converse();
            wire.close();
        } catch (DisconnectException farewell) {
            LOG.info("Ended the session of {}: {}", address.getHostAddress(), farewell.getMessage());
            end(farewell.reply());
        } catch (IOException e) {
            LOG.debug("Session ended: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Session failed", e);
            end(SmtpReplies.FAILED);
        } finally {
            transfer.reset();
            wire.abort();
        }
    }

    /** Turns the client away before any dialogue, RFC 5321 §3.1. */
    void refuse(SmtpReply reason) {
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
    MailHandler handler() {
        return handler;
    }

    /** Ends the session with that reply, unless a message is coming in right now, which is still answered. */
    void dismiss(SmtpReply last) {
        if (!transfer.isReceiving()) {
            wire.disconnect(last);
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
            wire.disconnect(SmtpReplies.TIMEOUT);
        } else if (System.nanoTime() - begun > site.config().longest().toNanos() && !transfer.isReceiving()) {
            wire.disconnect(SmtpReplies.SESSION_TOO_LONG);
        }
    }

    private void end(SmtpReply last) {
        try {
            wire.close(last);
        } catch (IOException e) {
            LOG.debug("Session ended: {}", e.getMessage());
        }
    }

    private void converse() throws IOException {
        if (site.config().proxies().sendsProxyHeader(address)) {
            InetAddress client = ProxyHeader.read(wire);
            if (client != null) {
                identify(client);
            }
        }
        wire.send(greeting());
        SmtpCommand command;
        do {
            if (transfer.isStopped()) {
                throw new DisconnectException(SmtpReplies.SHUTTING_DOWN);
            }
            command = wire.command();
            SmtpReply reply = perform(command);
            wire.send(reply);
            if (isAboutMessage(command) && site.isSubmission() && handler != null) {
                wire.flush();
                handler.replySent();
            }
            patience.countReply(reply);
            if (reply.equals(SmtpReplies.START_TLS)) {
                startTls();
            }
        } while (command != SmtpCommand.Simple.QUIT);
    }

    /** RFC 5321 §4.2.2: it begins with the host name. */
    private SmtpReply greeting() {
        return SmtpReply.of(220, site.config().hostName() + " ESMTP inboxd");
    }

    private static boolean isAboutMessage(SmtpCommand command) {
        return command == SmtpCommand.Simple.DATA || (command instanceof SmtpCommand.Bdat chunk && chunk.last());
    }

    private SmtpReply perform(SmtpCommand command) throws IOException {
        return switch (command) {
            case SmtpCommand.Ehlo ehlo -> hello(ehlo.domain(), true);
            case SmtpCommand.Helo helo -> hello(helo.domain(), false);
            case SmtpCommand.Mail mail -> mail(mail);
            case SmtpCommand.Rcpt rcpt -> transfer.rcpt(rcpt);
            case SmtpCommand.Bdat chunk -> transfer.bdat(chunk);
            case SmtpCommand.Auth auth -> auth(auth);
            case SmtpCommand.Xclient said -> xclient(said);
            case SmtpCommand.Invalid bad -> bad.reply();
            case SmtpCommand.Simple simple ->
                switch (simple) {
                    case DATA -> transfer.data();
                    case STARTTLS -> mayStartTls();
                    case QUIT -> SmtpReplies.BYE;
                    case RSET -> {
                        transfer.reset();
                        yield patience.idle(SmtpReply.OK);
                    }
                    case NOOP -> patience.idle(SmtpReply.OK);
                    case VRFY -> patience.idle(SmtpReplies.NOT_VERIFIED);
                    case HELP -> patience.idle(SmtpReplies.HELP);
                };
        };
    }

    private SmtpReply hello(String domain, boolean asExtended) {
        peer = new Peer(address, domain, encrypted);
        extended = asExtended;
        transfer.reset(); // RFC 5321 §4.1.4
        String host = site.config().hostName();
        return patience.idle(SmtpReply.of(250, asExtended ? host + extensions() : host));
    }

    private String extensions() {
        String startTls = encrypted || site.tls() == null ? "" : "\nSTARTTLS";
        String auth = encrypted && site.isSubmission() && handler == null ? "\n" + SaslExchange.OFFER : "";
        String dsn = site.isSubmission() ? "\nDSN" : ""; // ruling 28
        String xclient = mayIntroduce() ? "\nXCLIENT NAME ADDR PORT PROTO HELO" : "";
        long max = site.config().maxMessage();
        return "\nPIPELINING\nSIZE " + max + "\n8BITMIME\nSMTPUTF8\nENHANCEDSTATUSCODES\nCHUNKING\nHELP" + startTls
                + auth + dsn + xclient;
    }

    private SmtpReply mail(SmtpCommand.Mail mail) throws IOException {
        if (peer == null) {
            return SmtpReplies.HELLO_FIRST;
        }
        if (handler == null) {
            return encrypted ? SmtpReplies.AUTH_FIRST : SmtpReplies.TLS_FIRST;
        }
        return transfer.mail(mail, new TransactionContext(peer, extended, handler));
    }

    private SmtpReply auth(SmtpCommand.Auth auth) throws IOException {
        if (!site.isSubmission()) {
            return SmtpReplies.NOT_IMPLEMENTED;
        }
        if (!encrypted) {
            return SmtpReplies.AUTH_WITHOUT_TLS;
        }
        if (peer == null) {
            return SmtpReplies.HELLO_FIRST;
        }
        return handler != null || transfer.isOpen() ? SmtpReplies.AUTH_ALREADY : sasl.run(auth);
    }

    private SmtpReply login(String user, String password) {
        if (!(site.role() instanceof ListenerRole.Submission(SaslAuthenticator logins))) {
            return SmtpReplies.NOT_IMPLEMENTED;
        }
        return switch (logins.enter(user, password, address)) {
            case SaslAuthenticator.LoginResult.Success granted -> {
                handler = granted.handler();
                yield SmtpReplies.AUTH_DONE;
            }
            case SaslAuthenticator.LoginResult.Failure refused -> {
                patience.failedLogin();
                yield refused.reply();
            }
        };
    }

    private boolean mayIntroduce() {
        return site.config().proxies().mayUseXclient(wire.address());
    }

    /** As Postfix has it: the relay says who its client is, and the session begins anew with the greeting. */
    private SmtpReply xclient(SmtpCommand.Xclient said) {
        if (!mayIntroduce()) {
            return SmtpReplies.XCLIENT_DENIED;
        }
        if (transfer.isOpen()) {
            return SmtpReplies.NESTED_MAIL;
        }
        String text = said.attributes().get("ADDR");
        if (text != null) {
            boolean ipv6 = text.regionMatches(true, 0, "IPV6:", 0, 5);
            try {
                identify(InetAddress.ofLiteral(ipv6 ? text.substring(5) : text));
            } catch (IllegalArgumentException noAddress) {
                return SmtpReplies.XCLIENT_ADDRESS;
            }
        }
        if (site.isSubmission()) {
            handler = null; // another client has not logged in
        }
        String helo = said.attributes().get("HELO");
        peer = helo == null ? null : new Peer(address, helo, encrypted);
        extended = !"SMTP".equalsIgnoreCase(said.attributes().get("PROTO"));
        return patience.idle(greeting());
    }

    /** The client is somewhere else than the connection comes from. */
    private void identify(InetAddress client) {
        SmtpReply refusal = site.sessions().identify(this, client);
        if (refusal != null) {
            throw new DisconnectException(refusal);
        }
        address = client;
    }

    private SmtpReply mayStartTls() {
        if (encrypted) {
            return SmtpReplies.TLS_ALREADY;
        }
        if (site.tls() == null) {
            return SmtpReplies.NO_TLS;
        }
        // RFC 3207 §5 and §6: whatever came in clear text may be somebody else's
        if (wire.hasInput()) {
            throw new DisconnectException(SmtpReplies.INJECTION);
        }
        return SmtpReplies.START_TLS;
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
