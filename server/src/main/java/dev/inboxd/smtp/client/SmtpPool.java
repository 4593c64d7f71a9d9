package dev.inboxd.smtp.client;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps sessions open for a while, so that the next message to the same host need not connect. Limits the sessions in
 * use per host. Safe for concurrent use.
 */
public final class SmtpPool implements AutoCloseable {
    /** How long a message waits for a session when all sessions of its host are in use. */
    public static final Duration TURN_TIMEOUT = Duration.ofSeconds(20);

    private final SmtpClient client;
    private final int messagesPerSession;
    private final Duration idle;
    private final int sessionsPerHost;
    private final Map<SmtpEndpoint, Deque<IdleSession>> idleSessions = new HashMap<>();
    private final Map<InetAddress, Integer> inUse = new HashMap<>();
    private final Thread sweeper;
    private boolean closed;

    /** An idle session and the time since when it is idle, by {@link System#nanoTime}. */
    private record IdleSession(ClientSession session, long since) {}

    /**
     * A pool.
     *
     * @param client opens the sessions
     * @param messagesPerSession number of messages after which a session is closed
     * @param sessionsPerHost maximum number of sessions in use with one address at a time
     * @param idle how long an idle session is kept open
     */
    public SmtpPool(SmtpClient client, int messagesPerSession, int sessionsPerHost, Duration idle) {
        this.client = client;
        this.messagesPerSession = messagesPerSession;
        this.sessionsPerHost = sessionsPerHost;
        this.idle = idle;
        this.sweeper = Thread.ofVirtual().name("smtp-idle").start(this::sweep);
    }

    /**
     * Transfers a message to the first host that opens a session; blocks. When none does, the result is a transient
     * failure.
     *
     * @param hosts in order of preference (RFC 5321 §5.1), at least one
     */
    public SmtpDelivery deliver(List<SmtpEndpoint> hosts, SmtpEnvelope envelope, MessageSource message) {
        SessionFailedException last = null;
        for (var host : hosts) {
            try {
                return new SmtpDelivery(host, send(host, envelope, message));
            } catch (SessionFailedException failed) {
                last = failed;
            }
        }
        return new SmtpDelivery(null, unreachable(last));
    }

    private static SmtpResult unreachable(@Nullable SessionFailedException failed) {
        return failed == null
                ? new SmtpResult.TransientFailure(null, "No host to deliver to", false)
                : new SmtpResult.TransientFailure(failed.reply(), String.valueOf(failed.getMessage()), false);
    }

    /**
     * Transfers a message to one host; blocks.
     *
     * @throws SessionFailedException when the host opens no session
     * @throws HostBusyException when the maximum number of sessions stayed in use for {@link #TURN_TIMEOUT}
     */
    SmtpResult send(SmtpEndpoint host, SmtpEnvelope envelope, MessageSource message) {
        enter(host, TURN_TIMEOUT);
        return deliver(host, envelope, message);
    }

    /**
     * Waits until one of some hosts has a free session. Another thread may take that session first.
     *
     * @param end the deadline, by {@link System#nanoTime}
     * @throws HostBusyException when no session became free by then, or the thread was interrupted
     */
    public synchronized SmtpEndpoint anyFree(List<SmtpEndpoint> hosts, long end) {
        try {
            while (true) {
                for (SmtpEndpoint host : hosts) {
                    if (inUse.getOrDefault(host.address(), 0) < sessionsPerHost) {
                        return host;
                    }
                }
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new HostBusyException();
                }
                wait(left);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new HostBusyException();
        }
    }

    /** As {@link #send}, without waiting for a free session: another host may have one now. */
    public SmtpResult sendIfFree(SmtpEndpoint host, SmtpEnvelope envelope, MessageSource message) {
        enter(host, Duration.ZERO);
        return deliver(host, envelope, message);
    }

    private SmtpResult deliver(SmtpEndpoint host, SmtpEnvelope envelope, MessageSource message) {
        try {
            ClientSession idleSession = poll(host);
            if (idleSession != null) {
                SmtpResult result = use(idleSession, host, () -> idleSession.sendNext(envelope, message));
                if (result != null) {
                    return result;
                }
            }
            // A host that does not answer must not be waited for twice: open a new session at once.
            ClientSession session = client.open(host, envelope.until());
            return Objects.requireNonNull(use(session, host, () -> session.send(envelope, message)));
        } finally {
            leave(host.address());
        }
    }

    /** Takes a session of the host. Many domains may share one host, and none of them may take all its sessions. */
    private synchronized void enter(SmtpEndpoint host, Duration timeout) {
        anyFree(List.of(host), System.nanoTime() + timeout.toNanos());
        inUse.merge(host.address(), 1, Integer::sum);
    }

    private synchronized void leave(InetAddress address) {
        inUse.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }

    private @Nullable SmtpResult use(ClientSession session, SmtpEndpoint host, Supplier<@Nullable SmtpResult> send) {
        try {
            return send.get();
        } finally {
            if (session.messages() >= messagesPerSession || !park(host, session)) {
                session.close();
            }
        }
    }

    private synchronized @Nullable ClientSession poll(SmtpEndpoint host) {
        var sessions = idleSessions.get(host);
        return sessions == null || sessions.isEmpty()
                ? null
                : sessions.removeLast().session();
    }

    private synchronized boolean park(SmtpEndpoint host, ClientSession session) {
        if (closed || !session.isUsable()) {
            return false;
        }
        idleSessions.computeIfAbsent(host, h -> new ArrayDeque<>()).add(new IdleSession(session, System.nanoTime()));
        return true;
    }

    /** Closes sessions that were idle for once to twice the idle time. */
    private void sweep() {
        try {
            while (true) {
                Thread.sleep(idle);
                expired(System.nanoTime() - idle.toNanos()).forEach(ClientSession::close);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<ClientSession> expired(long oldest) {
        var expired = new ArrayList<ClientSession>();
        for (var sessions : idleSessions.values()) {
            while (!sessions.isEmpty() && sessions.getFirst().since() - oldest <= 0) {
                expired.add(sessions.removeFirst().session());
            }
        }
        idleSessions.values().removeIf(Deque::isEmpty);
        return expired;
    }

    /** Closes also the sessions in use, in the middle of their messages: the process stops. */
    public void abort() {
        close();
        client.hangUp();
    }

    /** Closes the idle sessions. Sessions in use close when their message is done. */
    @Override
    public void close() {
        var sessions = new ArrayList<ClientSession>();
        synchronized (this) {
            closed = true;
            idleSessions.values().forEach(parked -> parked.forEach(idleSession -> sessions.add(idleSession.session())));
            idleSessions.clear();
        }
        sweeper.interrupt();
        sessions.forEach(ClientSession::close);
    }
}
