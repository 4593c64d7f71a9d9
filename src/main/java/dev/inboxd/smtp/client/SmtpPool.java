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

/** Keeps sessions open for a while, so that the next message to the same host need not connect. For many threads. */
public final class SmtpPool implements AutoCloseable {
    /** So long a message waits for its turn with a host. */
    public static final Duration FOR_A_TURN = Duration.ofSeconds(20);

    private final SmtpClient client;
    private final int messagesPerSession;
    private final Duration idle;
    private final int sessionsPerHost;
    private final Map<SmtpEndpoint, Deque<IdleSession>> waiting = new HashMap<>();
    private final Map<InetAddress, Integer> inUse = new HashMap<>();
    private final Thread sweeper;
    private boolean closed;

    /** A session and when it began to wait, by {@link System#nanoTime}. */
    private record IdleSession(ClientSession session, long since) {}

    /**
     * A pool.
     *
     * @param client opens the sessions
     * @param messagesPerSession after so many a session is closed
     * @param sessionsPerHost so many are in use at an address at a time
     * @param idle how long a session waits for its next message
     */
    public SmtpPool(SmtpClient client, int messagesPerSession, int sessionsPerHost, Duration idle) {
        this.client = client;
        this.messagesPerSession = messagesPerSession;
        this.sessionsPerHost = sessionsPerHost;
        this.idle = idle;
        this.sweeper = Thread.ofVirtual().name("smtp-idle").start(this::sweep);
    }

    /**
     * Hands a message to the first host that opens a session; blocks. When none does, it is to be tried again.
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
     * Hands a message to one host; blocks.
     *
     * @throws SessionFailedException when it opens no session
     * @throws HostBusyException when for a while as many are in use as may be, which is our own doing
     */
    SmtpResult send(SmtpEndpoint host, SmtpEnvelope envelope, MessageSource message) {
        enter(host, FOR_A_TURN);
        return sent(host, envelope, message);
    }

    /**
     * Waits until one of some hosts may have another session, which another message may take first.
     *
     * @param end by {@link System#nanoTime}
     * @throws HostBusyException when none may until then, or the service stops
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

    /** As {@link #send}, but it does not wait for its turn: another host may have one now. */
    public SmtpResult sendIfFree(SmtpEndpoint host, SmtpEnvelope envelope, MessageSource message) {
        enter(host, Duration.ZERO);
        return sent(host, envelope, message);
    }

    private SmtpResult sent(SmtpEndpoint host, SmtpEnvelope envelope, MessageSource message) {
        try {
            ClientSession waiting = poll(host);
            if (waiting != null) {
                SmtpResult result = through(waiting, host, () -> waiting.sendNext(envelope, message));
                if (result != null) {
                    return result;
                }
            }
            // A silent host must not be waited for twice, so a new one at once.
            ClientSession session = client.open(host, envelope.until());
            return Objects.requireNonNull(through(session, host, () -> session.send(envelope, message)));
        } finally {
            leave(host.address());
        }
    }

    /** Many domains may have one host, which none of them may take for itself. */
    private synchronized void enter(SmtpEndpoint host, Duration patience) {
        anyFree(List.of(host), System.nanoTime() + patience.toNanos());
        inUse.merge(host.address(), 1, Integer::sum);
    }

    private synchronized void leave(InetAddress address) {
        inUse.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }

    private @Nullable SmtpResult through(
            ClientSession session, SmtpEndpoint host, Supplier<@Nullable SmtpResult> send) {
        try {
            return send.get();
        } finally {
            if (session.messages() >= messagesPerSession || !park(host, session)) {
                session.close();
            }
        }
    }

    private synchronized @Nullable ClientSession poll(SmtpEndpoint host) {
        var sessions = waiting.get(host);
        return sessions == null || sessions.isEmpty()
                ? null
                : sessions.removeLast().session();
    }

    private synchronized boolean park(SmtpEndpoint host, ClientSession session) {
        if (closed || !session.isUsable()) {
            return false;
        }
        waiting.computeIfAbsent(host, h -> new ArrayDeque<>()).add(new IdleSession(session, System.nanoTime()));
        return true;
    }

    /** A session is closed after it waited once to twice the idle time. */
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
        for (var sessions : waiting.values()) {
            while (!sessions.isEmpty() && sessions.getFirst().since() - oldest <= 0) {
                expired.add(sessions.removeFirst().session());
            }
        }
        waiting.values().removeIf(Deque::isEmpty);
        return expired;
    }

    /** Closes those in use as well, whatever became of their messages: nobody has the time to wait any longer. */
    public void abort() {
        close();
        client.hangUp();
    }

    /** Closes the waiting sessions; those in use close when their message is done. */
    @Override
    public void close() {
        var sessions = new ArrayList<ClientSession>();
        synchronized (this) {
            closed = true;
            waiting.values().forEach(parked -> parked.forEach(one -> sessions.add(one.session())));
            waiting.clear();
        }
        sweeper.interrupt();
        sessions.forEach(ClientSession::close);
    }
}
