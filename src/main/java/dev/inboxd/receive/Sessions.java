package dev.inboxd.receive;

import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.rate.Origin;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The open sessions and their limits. For any thread. */
final class Sessions {
    private final int max;
    private final int maxPerAddress;
    private final Set<SmtpSession> open = new HashSet<>();
    private final Map<String, Integer> perSource = new HashMap<>();
    private boolean closed;

    Sessions(int max, int maxPerAddress) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
    }

    /** Counts a session in, or says why not. */
    synchronized @Nullable Reply admit(SmtpSession session) {
        if (closed) {
            return Replies.SHUTTING_DOWN;
        }
        if (open.size() >= max) {
            return Replies.TOO_MANY_SESSIONS;
        }
        String source = Origin.of(session.address());
        if (perSource.getOrDefault(source, 0) >= maxPerAddress) {
            return Replies.TOO_MANY_FROM_YOU;
        }
        open.add(session);
        perSource.merge(source, 1, Integer::sum);
        return null;
    }

    /** Counts an admitted session out. */
    synchronized void ended(SmtpSession session) {
        open.remove(session);
        perSource.computeIfPresent(Origin.of(session.address()), (source, count) -> count == 1 ? null : count - 1);
        notifyAll();
    }

    /** Whether so many are open that idle ones must make room. */
    synchronized boolean areCrowded() {
        return open.size() >= max - max / 5;
    }

    /** Admits nobody from now on; who is still here. */
    synchronized List<SmtpSession> closeDoor() {
        closed = true;
        return all();
    }

    synchronized List<SmtpSession> all() {
        return List.copyOf(open);
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
