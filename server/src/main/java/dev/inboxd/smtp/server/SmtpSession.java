package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SMTP dialogue with one client (RFC 5321 §3 and §4.1.4). Runs on its own virtual thread. Other threads may call
 * only {@link #takeNoMore}, {@link #dismiss}, {@link #watch}, {@link #handler} and {@link #abort}.
 */
final class SmtpSession implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpSession.class);

    /** How long after the idle time a session is aborted that did not end with a reply. */
    private static final long ABORT_GRACE_NANOS = 5_000_000_000L;

    private final ServerContext server;
    private final SmtpConnection connection;
    private final SessionErrorLimit errorLimit = new SessionErrorLimit();
    private final MailTransactions transactions;
    private final SaslExchange sasl;
    private final long begun = System.nanoTime();
    private InetAddress address;
    private @Nullable Peer peer;
    private boolean extended;
    private boolean encrypted;
    /** Takes the client's mail; null until the client has authenticated, where that is required. */
    private volatile @Nullable MailHandler handler;

    SmtpSession(ServerContext server, SmtpConnection connection) {
        this.server = server;
        this.connection = connection;
        this.address = connection.address();
        this.transactions = new MailTransactions(server, connection, errorLimit);
        this.sasl = new SaslExchange(connection, this::login);
        this.handler = server.role() instanceof ListenerRole.Mx(MailHandler open) ? open : null;
    }

    /** Runs the whole session; returns when the connection is closed. */
    @Override
    public void run() {
        try {
            converse();
            connection.close();
        } catch (DisconnectException disconnect) {
            server.log().ended(address, disconnect.reply());
            end(disconnect.reply());
        } catch (IOException e) {
            LOG.debug("SMTP session ended by the connection: {}", e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("SMTP session failed, answered with 421", e);
            end(SmtpReplies.FAILED);
        } finally {
            transactions.reset();
            connection.abort();
        }
    }

    /** Refuses the client with that reply in place of the greeting (RFC 5321 §3.1). */
    void refuse(SmtpReply reason) {
        server.log().ended(address, reason);
        try {
            connection.send(reason);
            connection.close();
        } catch (IOException e) {
            LOG.debug("Refused SMTP session ended by the connection: {}", e.getMessage());
        } finally {
            connection.abort();
        }
    }

    /** Allows no further messages. A message being received now is still answered, and ends the session. */
    void takeNoMore() {
        transactions.stop();
    }

    /** The handler of the client's mail; null until the client has authenticated, where that is required. */
    @Nullable
    MailHandler handler() {
        return handler;
    }

    /** Ends the session with that reply, unless a message is being received now. */
    void dismiss(SmtpReply last) {
        if (!transactions.isReceiving()) {
            connection.disconnect(last);
        }
    }

    /** Ends the session at once. */
    void abort() {
        connection.abort();
    }

    /** Ends the session if it has waited for its client for longer than the idle time, or lasted for too long. */
    void watch(Duration idle, Duration longest) {
        long waited = connection.waited();
        if (waited > idle.toNanos() + ABORT_GRACE_NANOS) {
            connection.abort();
        } else if (waited > idle.toNanos()) {
            connection.disconnect(SmtpReplies.TIMEOUT);
        } else if (!transactions.isReceiving() && System.nanoTime() - begun > longest.toNanos()) {
            connection.disconnect(SmtpReplies.SESSION_TOO_LONG);
        }
    }

    private void end(SmtpReply last) {
        try {
            connection.close(last);
        } catch (IOException e) {
            LOG.debug("SMTP session ended by the connection: {}", e.getMessage());
        }
    }

    private void converse() throws IOException {
        if (server.config().proxies().sendsProxyHeader(address)) {
            InetAddress client = ProxyHeader.read(connection);
            if (client != null) {
                identify(client);
            }
        }
        connection.send(greeting());
        SmtpCommand command;
        do {
            if (transactions.isStopped()) {
                throw new DisconnectException(SmtpReplies.SHUTTING_DOWN);
            }
            command = connection.command();
            SmtpReply reply = perform(command);
            connection.send(reply);
            if (isAboutMessage(command) && server.isSubmission() && handler != null) {
                connection.flush();
                handler.replySent();
            }
            errorLimit.countReply(reply);
            if (reply.equals(SmtpReplies.START_TLS)) {
                startTls();
            }
        } while (command != SmtpCommand.Simple.QUIT);
    }

    /** RFC 5321 §4.2.2: the greeting begins with the host name. */
    private SmtpReply greeting() {
        return SmtpReply.of(220, server.config().hostName() + " ESMTP inboxd");
    }

    private static boolean isAboutMessage(SmtpCommand command) {
        return command == SmtpCommand.Simple.DATA || (command instanceof SmtpCommand.Bdat chunk && chunk.last());
    }

    private SmtpReply perform(SmtpCommand command) throws IOException {
        return switch (command) {
            case SmtpCommand.Ehlo ehlo -> hello(ehlo.domain(), true);
            case SmtpCommand.Helo helo -> hello(helo.domain(), false);
            case SmtpCommand.Mail mail -> mail(mail);
            case SmtpCommand.Rcpt rcpt -> transactions.rcpt(rcpt);
            case SmtpCommand.Bdat chunk -> transactions.bdat(chunk);
            case SmtpCommand.Auth auth -> auth(auth);
            case SmtpCommand.Xclient xclient -> xclient(xclient);
            case SmtpCommand.Invalid bad -> bad.reply();
            case SmtpCommand.Simple simple ->
                switch (simple) {
                    case DATA -> transactions.data();
                    case STARTTLS -> mayStartTls();
                    case QUIT -> SmtpReplies.BYE;
                    case RSET -> {
                        transactions.reset();
                        yield errorLimit.idle(SmtpReply.OK);
                    }
                    case NOOP -> errorLimit.idle(SmtpReply.OK);
                    case VRFY -> errorLimit.idle(SmtpReplies.NOT_VERIFIED);
                    case HELP -> errorLimit.idle(SmtpReplies.HELP);
                };
        };
    }

    private SmtpReply hello(String domain, boolean asExtended) {
        peer = new Peer(address, domain, encrypted);
        extended = asExtended;
        transactions.reset(); // RFC 5321 §4.1.4
        String host = server.config().hostName();
        return errorLimit.idle(SmtpReply.of(250, asExtended ? host + extensions() : host));
    }

    private String extensions() {
        String startTls = encrypted || server.tls() == null ? "" : "\nSTARTTLS";
        String auth = encrypted && server.isSubmission() && handler == null ? "\n" + SaslExchange.OFFER : "";
        String dsn = server.isSubmission() ? "\nDSN" : ""; // ruling 28
        String xclient = mayUseXclient() ? "\nXCLIENT NAME ADDR PORT PROTO HELO" : "";
        long max = server.config().messages().octets();
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
        return transactions.mail(mail, new TransactionContext(peer, extended, handler));
    }

    private SmtpReply auth(SmtpCommand.Auth auth) throws IOException {
        if (!server.isSubmission()) {
            return SmtpReplies.NOT_IMPLEMENTED;
        }
        if (!encrypted) {
            return SmtpReplies.AUTH_WITHOUT_TLS;
        }
        if (peer == null) {
            return SmtpReplies.HELLO_FIRST;
        }
        return handler != null || transactions.isOpen() ? SmtpReplies.AUTH_ALREADY : sasl.run(auth);
    }

    private SmtpReply login(String user, String password) {
        if (!(server.role() instanceof ListenerRole.Submission(SaslAuthenticator authenticator))) {
            return SmtpReplies.NOT_IMPLEMENTED;
        }
        return switch (server.log().login(authenticator.enter(user, password, address))) {
            case SaslAuthenticator.LoginResult.Success granted -> {
                handler = granted.handler();
                yield SmtpReplies.AUTH_DONE;
            }
            case SaslAuthenticator.LoginResult.Failure refused -> {
                errorLimit.failedLogin();
                yield refused.reply();
            }
        };
    }

    private boolean mayUseXclient() {
        return server.config().proxies().mayUseXclient(connection.address());
    }

    /** As Postfix does: the relay states its client's address, and the session starts again with the greeting. */
    private SmtpReply xclient(SmtpCommand.Xclient xclient) {
        if (!mayUseXclient()) {
            return SmtpReplies.XCLIENT_DENIED;
        }
        if (transactions.isOpen()) {
            return SmtpReplies.NESTED_MAIL;
        }
        String text = xclient.attributes().get("ADDR");
        if (text != null) {
            boolean ipv6 = text.regionMatches(true, 0, "IPV6:", 0, 5);
            try {
                identify(InetAddress.ofLiteral(ipv6 ? text.substring(5) : text));
            } catch (IllegalArgumentException noAddress) {
                return SmtpReplies.XCLIENT_ADDRESS;
            }
        }
        if (server.isSubmission()) {
            handler = null; // the new client has not authenticated
        }
        String helo = xclient.attributes().get("HELO");
        peer = helo == null ? null : new Peer(address, helo, encrypted);
        extended = !"SMTP".equalsIgnoreCase(xclient.attributes().get("PROTO"));
        return errorLimit.idle(greeting());
    }

    /** The client's address is not that of the connection. */
    private void identify(InetAddress client) {
        SmtpReply refusal = server.sessions().identify(this, client);
        if (refusal != null) {
            throw new DisconnectException(refusal);
        }
        address = client;
    }

    private SmtpReply mayStartTls() {
        if (encrypted) {
            return SmtpReplies.TLS_ALREADY;
        }
        if (server.tls() == null) {
            return SmtpReplies.NO_TLS;
        }
        // RFC 3207 §5 and §6: input in clear text may come from an attacker
        if (connection.hasInput()) {
            throw new DisconnectException(SmtpReplies.INJECTION);
        }
        return SmtpReplies.START_TLS;
    }

    private void startTls() throws IOException {
        if (server.tls() != null) {
            connection.startTls(server.tls());
            encrypted = true;
            peer = null; // RFC 3207 §4.2: both sides discard what they knew
            transactions.reset();
        }
    }
}
