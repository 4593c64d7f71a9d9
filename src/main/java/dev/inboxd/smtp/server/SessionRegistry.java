package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.platform.rate.ClientNetwork;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open sessions and their limits. For any thread. */
final class SessionRegistry {
    private final int max;
    private final int maxPerAddress;
    /** With the source that each counts for; none while a proxy has not said who its client is. */
    private final Map<SmtpSession, String> open = new HashMap<>();

    private final Map<String, Integer> perSource = new HashMap<>();
    private boolean closed;

    SessionRegistry(int max, int maxPerAddress) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
    }

    /**
     * Counts a session in, or says why not.
     *
     * @param source where its client is; null for a proxy's, until {@link #identify}
     */
    synchronized @Nullable SmtpReply admit(SmtpSession session, @Nullable InetAddress source) {
        if (closed) {
            return SmtpReplies.SHUTTING_DOWN;
        }
        if (open.size() >= max) {
            return SmtpReplies.TOO_MANY_SESSIONS;
        }
        open.put(session, "");
        SmtpReply refusal = source == null ? null : identify(session, source);
        if (refusal != null) {
            open.remove(session);
        }
        return refusal;
    }

    /** Counts an admitted session for another source from now on, or says why it must end. */
    synchronized @Nullable SmtpReply identify(SmtpSession session, InetAddress client) {
        forget(open.put(session, ""));
        String source = ClientNetwork.of(client);
        if (perSource.getOrDefault(source, 0) >= maxPerAddress) {
            return SmtpReplies.TOO_MANY_FROM_YOU;
        }
        open.put(session, source);
        perSource.merge(source, 1, Integer::sum);
        return null;
    }

    /** Counts an admitted session out. */
    synchronized void ended(SmtpSession session) {
        forget(open.remove(session));
        notifyAll();
    }

    private void forget(@Nullable String source) {
        perSource.computeIfPresent(source == null ? "" : source, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Whether so many are open that idle ones must make room. */
    synchronized boolean areCrowded() {
        return open.size() >= max - max / 5;
    }

    /** Admits nobody from now on; who is still here. */
    synchronized List<SmtpSession> closeToNewSessions() {
        closed = true;
        return all();
    }

    synchronized List<SmtpSession> all() {
        return List.copyOf(open.keySet());
    }

    /** Waits until none is open; whether that came true in time. */
    synchronized boolean awaitNone(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (long left = limit.toNanos(); !open.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
        return open.isEmpty();
    }
}
