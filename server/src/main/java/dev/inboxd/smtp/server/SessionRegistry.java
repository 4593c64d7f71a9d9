package dev.inboxd.smtp.server;

import dev.inboxd.base.rate.ClientNetwork;
import dev.inboxd.mail.smtp.SmtpReply;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The open sessions and their limits. Safe for concurrent use. */
final class SessionRegistry {
    private final int max;
    private final int maxPerAddress;
    /** Open sessions with the source that each counts for; empty until a proxy has named its client. */
    private final Map<SmtpSession, String> open = new HashMap<>();

    private final Map<String, Integer> perSource = new HashMap<>();
    private boolean closed;

    SessionRegistry(int max, int maxPerAddress) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
    }

    /**
     * Admits a session, unless a limit is reached.
     *
     * @param source the client's address; null for the connection of a proxy until {@link #identify}
     * @return null when the session is admitted, otherwise the reply that refuses it
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

    /**
     * Counts an admitted session for another client address from now on.
     *
     * @return null, or the reply with which the session must end
     */
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

    /** Removes an admitted session. */
    synchronized void ended(SmtpSession session) {
        forget(open.remove(session));
        notifyAll();
    }

    private void forget(@Nullable String source) {
        perSource.computeIfPresent(source == null ? "" : source, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Whether at least four fifths of the maximum are open, so that the shorter idle time applies. */
    synchronized boolean areCrowded() {
        return open.size() >= max - max / 5;
    }

    /** Admits no more sessions, and returns the open ones. */
    synchronized List<SmtpSession> closeToNewSessions() {
        closed = true;
        return all();
    }

    synchronized List<SmtpSession> all() {
        return List.copyOf(open.keySet());
    }

    /** Ends the sessions whose logins ended, by that authenticator. */
    void dismissEnded(SaslAuthenticator authenticator) {
        Map<MailHandler, SmtpSession> loggedIn = new HashMap<>();
        all().forEach(session -> {
            MailHandler handler = session.handler();
            if (handler != null) {
                loggedIn.put(handler, session);
            }
        });
        if (!loggedIn.isEmpty()) {
            for (MailHandler ended : authenticator.ended(loggedIn.keySet())) {
                Objects.requireNonNull(loggedIn.get(ended)).dismiss(SmtpReplies.LOGIN_ENDED);
            }
        }
    }

    /**
     * Waits until no session is open.
     *
     * @return whether that happened within the limit
     */
    synchronized boolean awaitNone(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        for (long left = limit.toNanos(); !open.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
        return open.isEmpty();
    }
}
