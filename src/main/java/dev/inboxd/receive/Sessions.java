package dev.inboxd.receive;

import dev.inboxd.mail.smtp.Reply;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The open sessions and their limits. For any thread. */
final class Sessions {
    /** An IPv6 customer has at least this many octets of address, so all of them are one source. */
    private static final int IPV6_SOURCE_OCTETS = 8;

    private final int max;
    private final int maxPerAddress;
    private final Set<SmtpSession> open = new HashSet<>();
    private final Map<ByteBuffer, Integer> perSource = new HashMap<>();
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
        ByteBuffer source = source(session.address());
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
        perSource.computeIfPresent(source(session.address()), (source, count) -> count == 1 ? null : count - 1);
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

    private static ByteBuffer source(InetAddress address) {
        byte[] octets = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(octets, IPV6_SOURCE_OCTETS) : octets);
    }
}
