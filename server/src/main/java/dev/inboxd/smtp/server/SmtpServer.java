package dev.inboxd.smtp.server;

import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.tls.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for SMTP connections and runs a session for each client. */
public final class SmtpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpServer.class);
    private static final int BACKLOG = 1_024;
    private static final int SPOOL_MEMORY_PER_MESSAGE = 256 * 1024;

    private final Config config;
    private final ListenerRole role;
    private final @Nullable ServerTls tls;
    private final Clocks clocks;
    private final SessionRegistry sessions;
    private final MailLog log;
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;
    private @Nullable Thread watch;

    /**
     * The configuration of a listener.
     *
     * @param hostName our name in the greeting and in trace fields
     * @param bind the address to listen on; port 0 takes any free port
     * @param spoolDirectory folder of this listener alone, for large messages being received; emptied at the start
     * @param memory memory budget of messages being received, shared with other listeners
     * @param proxies trusted proxies and relays in front of the listener
     */
    public record Config(
            String hostName,
            InetSocketAddress bind,
            Path spoolDirectory,
            SpoolMemory memory,
            UpstreamProxies proxies,
            SessionLimits sessions,
            MessageLimits messages) {
        /** The default limits, and a memory budget that is not shared. */
        public static Config of(String hostName, InetSocketAddress bind, long maxMessage, Path spoolDirectory) {
            return new Config(
                    hostName,
                    bind,
                    spoolDirectory,
                    SpoolMemory.ofHeap(),
                    UpstreamProxies.NONE,
                    SessionLimits.DEFAULT,
                    new MessageLimits(maxMessage, 1_000, 50));
        }

        private Config with(SessionLimits sessionLimits) {
            return new Config(hostName, bind, spoolDirectory, memory, proxies, sessionLimits, messages);
        }

        private Config with(MessageLimits messageLimits) {
            return new Config(hostName, bind, spoolDirectory, memory, proxies, sessions, messageLimits);
        }

        /** A copy with other limits of sessions. */
        public Config withSessions(int max, int maxPerAddress) {
            return with(new SessionLimits(max, maxPerAddress, sessions.idle, sessions.crowdedIdle, sessions.longest));
        }

        /** A copy with other idle times. */
        public Config withIdle(Duration usual, Duration whenCrowded) {
            return with(new SessionLimits(sessions.max, sessions.maxPerAddress, usual, whenCrowded, sessions.longest));
        }

        /** A copy with other limits of recipients and of a session's duration. */
        public Config withBounds(int recipients, Duration session) {
            return with(new MessageLimits(messages.octets, recipients, messages.received))
                    .with(new SessionLimits(
                            sessions.max, sessions.maxPerAddress, sessions.idle, sessions.crowdedIdle, session));
        }

        /** A copy with another maximum of Received fields. */
        public Config withMaxReceived(int fields) {
            return with(new MessageLimits(messages.octets, messages.recipients, fields));
        }

        /** A copy with these proxies or relays. */
        public Config withProxies(UpstreamProxies replacement) {
            return new Config(hostName, bind, spoolDirectory, memory, replacement, sessions, messages);
        }

        /** A copy that shares its memory budget with other listeners. */
        public Config sharing(SpoolMemory common) {
            return new Config(hostName, bind, spoolDirectory, common, proxies, sessions, messages);
        }
    }

    /**
     * The limits of sessions.
     *
     * @param max maximum number of open sessions
     * @param maxPerAddress maximum number of open sessions of one IPv4 address or IPv6 /64 network
     * @param idle maximum wait for the client (RFC 5321 §4.5.3.2.7)
     * @param crowdedIdle the same while at least four fifths of {@code max} are open
     * @param longest maximum duration of a session; checked between messages
     */
    public record SessionLimits(int max, int maxPerAddress, Duration idle, Duration crowdedIdle, Duration longest) {
        static final SessionLimits DEFAULT =
                new SessionLimits(1_000, 100, Duration.ofMinutes(5), Duration.ofSeconds(10), Duration.ofDays(1));
    }

    /**
     * The limits of a message.
     *
     * @param octets advertised as SIZE
     * @param recipients maximum number of recipients
     * @param received number of Received fields at which it counts as looping
     */
    public record MessageLimits(long octets, int recipients, int received) {}

    /** An MX listener, not yet started; {@code tls} is null when STARTTLS is not offered. */
    public SmtpServer(Config config, MailHandler handler, @Nullable ServerTls tls, InstantSource clock) {
        this(config, new ListenerRole.Mx(handler), tls, clock);
    }

    /** A listener, not yet started; {@code tls} is null when STARTTLS, and so a login, is not offered. */
    public SmtpServer(Config config, ListenerRole role, @Nullable ServerTls tls, InstantSource clock) {
        this(config, role, tls, new Clocks(clock, System::nanoTime));
    }

    SmtpServer(Config config, ListenerRole role, @Nullable ServerTls tls, Clocks clocks) {
        this.config = config;
        this.role = role;
        this.tls = tls;
        this.clocks = clocks;
        this.sessions = new SessionRegistry(config.sessions.max, config.sessions.maxPerAddress);
        this.log = new MailLog(role, clocks.nanos());
    }

    /**
     * Starts to listen. Called once.
     *
     * @param metrics what is counted from then on
     * @throws UncheckedIOException when the address cannot be bound or the spool folder cannot be created
     */
    public void start(Metrics metrics) {
        log.measure(metrics, this::sessions);
        try {
            Spools spools = new Spools(config.spoolDirectory(), SPOOL_MEMORY_PER_MESSAGE, config.memory());
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(config.bind(), BACKLOG);
            ServerContext context = new ServerContext(config, role, tls, clocks, spools, sessions, log);
            listener = socket;
            watch = Thread.ofVirtual().name("smtp-watch").start(this::watch);
            acceptor = Thread.ofPlatform().name("smtp-accept").daemon().start(new SessionListener(socket, context));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen for SMTP on " + config.bind(), e);
        }
    }

    /** The port of the listener. May be called only after {@link #start}. */
    public int port() {
        if (listener == null) {
            throw new IllegalStateException("Not started");
        }
        return listener.getLocalPort();
    }

    /** Ends the sessions whose credentials were revoked or have expired. */
    public void dismissEnded() {
        if (role instanceof ListenerRole.Submission(SaslAuthenticator authenticator)) {
            sessions.dismissEnded(authenticator);
        }
    }

    /** The number of open sessions. */
    public int sessions() {
        return sessions.all().size();
    }

    /**
     * Stops gracefully: answers new sessions with 421, refuses messages, sends 421 to idle clients, and waits for
     * messages in DATA. A client that came during the wait knows that it may come again at once.
     *
     * @return whether all sessions have ended within the limit
     */
    public boolean drain(Duration limit) throws InterruptedException {
        List<SmtpSession> open = sessions.closeToNewSessions();
        open.forEach(SmtpSession::takeNoMore); // all of them before the first client is told
        open.forEach(session -> session.dismiss(SmtpReplies.SHUTTING_DOWN));
        boolean ended = sessions.awaitNone(limit);
        stopListening();
        if (acceptor != null) {
            acceptor.join();
        }
        return ended;
    }

    /** Stops at once. Messages that are not answered yet stay with their clients. */
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
                LOG.warn("SMTP listener not closed", e);
            }
        }
    }

    private void watch() {
        SessionLimits limits = config.sessions;
        Duration shortest = limits.idle.compareTo(limits.crowdedIdle) < 0 ? limits.idle : limits.crowdedIdle;
        do {
            Duration idle = sessions.areCrowded() ? limits.crowdedIdle : limits.idle;
            sessions.all().forEach(session -> session.watch(idle, limits.longest));
            log.report();
        } while (pause(shortest.dividedBy(10)));
    }

    /** Waits; false when interrupted. */
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
