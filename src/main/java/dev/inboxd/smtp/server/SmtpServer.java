package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.platform.tls.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for mail from other servers and runs a session for each client. */
public final class SmtpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpServer.class);
    private static final int BACKLOG = 1_024;
    private static final int SPOOL_MEMORY_PER_MESSAGE = 256 * 1024;

    private final Config config;
    private final ListenerRole door;
    private final @Nullable ServerTls tls;
    private final Clocks clocks;
    private final SessionRegistry sessions;
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;
    private @Nullable Thread watch;

    /**
     * How the server behaves.
     *
     * @param hostName our name in the greeting and in trace fields
     * @param bind where to listen; port 0 takes any free one
     * @param maxMessage octets a message may have, advertised as SIZE
     * @param spoolDirectory a folder for nothing but large messages on their way in; emptied at start
     * @param maxSessions open at once
     * @param maxSessionsPerAddress open at once from one IPv4 address or IPv6 /64 network
     * @param idle how long a client may keep us waiting, RFC 5321 §4.5.3.2.7
     * @param crowdedIdle the same while four fifths of {@code maxSessions} are open
     * @param maxRecipients of one message
     * @param longest how long a session may last between messages
     * @param proxies how proxies and relays say for whom they speak
     * @param maxReceived with so many Received fields a message is in a loop
     * @param memory for messages on their way in, here and on other ports that share it
     */
    public record Config(
            String hostName,
            InetSocketAddress bind,
            long maxMessage,
            Path spoolDirectory,
            int maxSessions,
            int maxSessionsPerAddress,
            Duration idle,
            Duration crowdedIdle,
            int maxRecipients,
            Duration longest,
            UpstreamProxies proxies,
            int maxReceived,
            SpoolMemory memory) {
        /**
         * The usual limits: 1,000 sessions, 100 of one address, 5 minutes, 10 seconds when crowded, 1,000 recipients, 50
         * Received fields, and memory of its own.
         */
        public static Config of(String hostName, InetSocketAddress bind, long maxMessage, Path spoolDirectory) {
            return new Config(
                    hostName,
                    bind,
                    maxMessage,
                    spoolDirectory,
                    1_000,
                    100,
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(10),
                    1_000,
                    Duration.ofDays(1),
                    UpstreamProxies.NONE,
                    50,
                    SpoolMemory.ofHeap());
        }

        /** The same with other numbers of sessions. */
        public Config withSessions(int max, int maxPerAddress) {
            return new Config(
                    hostName,
                    bind,
                    maxMessage,
                    spoolDirectory,
                    max,
                    maxPerAddress,
                    idle,
                    crowdedIdle,
                    maxRecipients,
                    longest,
                    proxies,
                    maxReceived,
                    memory);
        }

        /** The same with other idle times. */
        public Config withIdle(Duration usual, Duration whenCrowded) {
            return new Config(
                    hostName,
                    bind,
                    maxMessage,
                    spoolDirectory,
                    maxSessions,
                    maxSessionsPerAddress,
                    usual,
                    whenCrowded,
                    maxRecipients,
                    longest,
                    proxies,
                    maxReceived,
                    memory);
        }

        /** The same with other bounds of a message's recipients and of a session. */
        public Config withBounds(int recipients, Duration session) {
            return new Config(
                    hostName,
                    bind,
                    maxMessage,
                    spoolDirectory,
                    maxSessions,
                    maxSessionsPerAddress,
                    idle,
                    crowdedIdle,
                    recipients,
                    session,
                    proxies,
                    maxReceived,
                    memory);
        }

        /** The same behind these proxies or relays. */
        public Config withProxies(UpstreamProxies other) {
            return new Config(
                    hostName,
                    bind,
                    maxMessage,
                    spoolDirectory,
                    maxSessions,
                    maxSessionsPerAddress,
                    idle,
                    crowdedIdle,
                    maxRecipients,
                    longest,
                    other,
                    maxReceived,
                    memory);
        }

        /** The same with another number of Received fields that shows a loop. */
        public Config withMaxReceived(int fields) {
            return new Config(
                    hostName,
                    bind,
                    maxMessage,
                    spoolDirectory,
                    maxSessions,
                    maxSessionsPerAddress,
                    idle,
                    crowdedIdle,
                    maxRecipients,
                    longest,
                    proxies,
                    fields,
                    memory);
        }

        /** The same with memory that other ports use too. */
        public Config sharing(SpoolMemory common) {
            return new Config(
                    hostName,
                    bind,
                    maxMessage,
                    spoolDirectory,
                    maxSessions,
                    maxSessionsPerAddress,
                    idle,
                    crowdedIdle,
                    maxRecipients,
                    longest,
                    proxies,
                    maxReceived,
                    common);
        }
    }

    /** A server for mail from other servers that does nothing yet; without {@code tls} it does not offer STARTTLS. */
    public SmtpServer(Config config, MailHandler intake, @Nullable ServerTls tls, InstantSource clock) {
        this(config, new ListenerRole.Mx(intake), tls, clock);
    }

    /** A server that does nothing yet; without {@code tls} nobody gets through a locked door. */
    public SmtpServer(Config config, ListenerRole door, @Nullable ServerTls tls, InstantSource clock) {
        this(config, door, tls, new Clocks(clock, System::nanoTime));
    }

    SmtpServer(Config config, ListenerRole door, @Nullable ServerTls tls, Clocks clocks) {
        this.config = config;
        this.door = door;
        this.tls = tls;
        this.clocks = clocks;
        this.sessions = new SessionRegistry(config.maxSessions(), config.maxSessionsPerAddress());
    }

    /**
     * Begins to listen. Called once.
     *
     * @throws UncheckedIOException when the address cannot be bound or the spool folder cannot be made
     */
    public void start() {
        try {
            Spools spools = new Spools(config.spoolDirectory(), SPOOL_MEMORY_PER_MESSAGE, config.memory());
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(config.bind(), BACKLOG);
            ServerContext site = new ServerContext(config, door, tls, clocks, spools, sessions);
            listener = socket;
            watch = Thread.ofVirtual().name("smtp-watch").start(this::watch);
            acceptor = Thread.ofPlatform().name("smtp-accept").daemon().start(() -> listen(socket, site));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen for mail on " + config.bind(), e);
        }
    }

    /** The port listened on. Only after {@link #start}. */
    public int port() {
        if (listener == null) {
            throw new IllegalStateException("Not started");
        }
        return listener.getLocalPort();
    }

    /** Ends the sessions of clients whose credentials were revoked or have expired since they logged in. */
    public void dismissEnded() {
        if (!(door instanceof ListenerRole.Submission(SaslAuthenticator logins))) {
            return;
        }
        Map<MailHandler, SmtpSession> open = new HashMap<>();
        sessions.all().forEach(session -> {
            MailHandler intake = session.handler();
            if (intake != null) {
                open.put(intake, session);
            }
        });
        if (!open.isEmpty()) {
            logins.ended(open.keySet())
                    .forEach(intake -> Objects.requireNonNull(open.get(intake)).dismiss(SmtpReplies.LOGIN_ENDED));
        }
    }

    /** Sessions open now. */
    public int sessions() {
        return sessions.all().size();
    }

    /**
     * Takes no new sessions and no new messages, tells waiting clients 421, and waits for messages in DATA to be
     * answered.
     *
     * @return whether all sessions have ended within the limit
     */
    public boolean drain(Duration limit) throws InterruptedException {
        stopListening();
        if (acceptor != null) {
            acceptor.join(); // until then the system goes on completing connections
        }
        List<SmtpSession> open = sessions.closeToNewSessions();
        open.forEach(SmtpSession::takeNoMore); // all of them before anyone hears of it
        open.forEach(session -> session.dismiss(SmtpReplies.SHUTTING_DOWN));
        return sessions.awaitNone(limit);
    }

    /** Stops at once; what is not answered yet stays with the clients. */
    @Override
    public void close() {
        stopListening();
        if (watch != null) {
            watch.interrupt();
        }
        sessions.closeToNewSessions().forEach(SmtpSession::abort);
    }

    private void stopListening() {
        if (listener != null) {
            try {
                listener.close();
            } catch (IOException e) {
                LOG.warn("Cannot close the SMTP listener", e);
            }
        }
    }

    private void listen(ServerSocket socket, ServerContext site) {
        while (!socket.isClosed()) {
            try {
                open(socket.accept(), site);
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    LOG.warn("Cannot accept an SMTP connection", e);
                    pause(Duration.ofMillis(100)); // most likely out of file descriptors
                }
            }
        }
    }

    private void open(Socket socket, ServerContext site) throws IOException {
        SmtpSession session;
        try {
            session = new SmtpSession(site, new SmtpConnection(socket));
        } catch (IOException gone) {
            socket.close();
            return;
        }
        InetAddress peer = socket.getInetAddress();
        SmtpReply refusal = sessions.admit(session, config.proxies().isProxy(peer) ? null : peer);
        if (refusal != null) {
            session.refuse(refusal);
            return;
        }
        Thread.ofVirtual().name("smtp-session").start(() -> {
            try {
                session.run();
            } finally {
                sessions.ended(session);
            }
        });
    }

    private void watch() {
        Duration shortest = config.idle().compareTo(config.crowdedIdle()) < 0 ? config.idle() : config.crowdedIdle();
        do {
            Duration idle = sessions.areCrowded() ? config.crowdedIdle() : config.idle();
            sessions.all().forEach(session -> session.watch(idle.toNanos()));
        } while (pause(shortest.dividedBy(10)));
    }

    /** False when interrupted. */
    private static boolean pause(Duration time) {
        try {
            Thread.sleep(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
