package dev.inboxd.net;

import dev.inboxd.base.rate.ClientNetwork;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Limits the concurrent requests of this node to one host and to one address, across all URLs and organizations. So
 * ten thousand URLs with ten thousand names are no weapon against the one host that all names lead to
 * (promises.md A25). A host is a name with its port; its limit starts low, grows by one with each success and shrinks
 * by one with each failure. An address may have many hosts behind it, so its limit is constant. No organization holds
 * more than half of a limit, and organizations that wait get permits in turn. Thread-safe.
 */
public final class HostLimiter {
    /** Default limit of concurrent requests to a host: far more than one webhook has. */
    public static final int USUAL = 64;

    /** Limit of an unknown host: half of it is more than one webhook posts at once. */
    private static final int FIRST = 16;
    /** Lowest limit, of a host that fails or hangs. */
    private static final int LEAST = 4;
    /** Limit of idle hosts whose learned limits are kept. */
    private static final int REMEMBERED = 10_000;

    private final int most;
    private final Map<String, HostLimit> limits = new HashMap<>();
    private boolean closed;

    /** Limits of at most this many requests; {@link Integer#MAX_VALUE} stands for no limits. */
    public HostLimiter(int most) {
        this.most = most;
    }

    /**
     * The host and the addresses that a request goes to.
     *
     * @param host the host name with its port
     * @param addresses the addresses that the name resolved to
     */
    public record Destination(String host, List<String> addresses) {
        public Destination {
            addresses = List.copyOf(addresses);
        }

        /** The destination of a request when there are no limits. */
        public static final Destination UNKNOWN = new Destination("", List.of());

        /**
         * The destination of a request to that target. A name without addresses is limited by its name alone.
         *
         * @param answer the addresses that the request will go to
         */
        public static Destination of(Target target, DnsAnswer<InetAddress> answer) {
            List<InetAddress> addresses =
                    answer instanceof DnsAnswer.Records<InetAddress>(List<InetAddress> all) ? all : List.of();
            return new Destination(
                    target.host().text() + ":" + target.port(),
                    addresses.stream().map(ClientNetwork::of).toList());
        }
    }

    /** Whether requests are limited. Without limits, a name need not be resolved before its request. */
    public boolean areBounded() {
        return most != Integer.MAX_VALUE;
    }

    /**
     * Waits for a permit to send a request. The caller returns it with {@link Permit#release}.
     *
     * @param until the {@link System#nanoTime} at which to give up
     * @return null when the time was over, or the limiter was closed
     */
    public @Nullable Permit enter(UUID organization, Destination destination, long until) {
        Permit permit = new Permit(organization, destination);
        if (!areBounded()) {
            return permit;
        }
        synchronized (this) {
            if (closed) {
                return null;
            }
            HostLimit full = full(permit);
            if (full == null) {
                take(permit);
                return permit;
            }
            full.await(permit);
        }
        try {
            if (!permit.turn.await(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return withdrawn(permit);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return withdrawn(permit);
        }
        return permit.granted ? permit : null;
    }

    /** Wakes all waiting callers; they get no permit. */
    public synchronized void close() {
        closed = true;
        limits.values()
                .forEach(
                        limit -> limit.waiting.values().forEach(all -> all.forEach(permit -> permit.turn.countDown())));
    }

    /** The number of running requests to a host or an address. */
    public synchronized int at(String target) {
        HostLimit limit = limits.get(target);
        return limit == null ? 0 : limit.running;
    }

    private synchronized @Nullable Permit withdrawn(Permit permit) {
        if (permit.granted) {
            return permit; // just now
        }
        if (permit.waitsAt != null) {
            permit.waitsAt.forget(permit);
        }
        return null;
    }

    private synchronized void released(Permit permit, int by) {
        HostLimit host = permit.limits.getFirst();
        host.width = Math.clamp((long) host.width + by, Math.min(LEAST, most), most);
        for (HostLimit limit : permit.limits) {
            limit.leave(permit.organization);
        }
        for (HostLimit limit : permit.limits) {
            admit(limit);
        }
        for (HostLimit limit : permit.limits) {
            if (limit.isIdle() && (limits.size() > REMEMBERED || !limit.adaptive)) {
                limits.remove(limit.name);
            }
        }
    }

    /** Gives permits to waiting callers, one of each organization in turn, as far as there is room. */
    private void admit(HostLimit limit) {
        for (int turns = limit.waiting.size() + 1; turns > 0 && limit.running < limit.width; turns--) {
            Permit next = limit.next();
            if (next == null) {
                return;
            }
            HostLimit full = full(next);
            if (full == null) {
                take(next);
                next.turn.countDown();
            } else {
                full.await(next); // at the end of its organization's line, or at its other limit
            }
        }
    }

    private void take(Permit permit) {
        permit.granted = true;
        permit.limits = limits(permit);
        permit.limits.forEach(limit -> limit.enter(permit.organization));
    }

    /** The first limit that has no room for the permit, or null. */
    private @Nullable HostLimit full(Permit permit) {
        return limits(permit).stream()
                .filter(limit -> !limit.hasRoomFor(permit.organization))
                .findFirst()
                .orElse(null);
    }

    private List<HostLimit> limits(Permit permit) {
        List<HostLimit> all = new ArrayList<>();
        all.add(limit(permit.destination.host, true));
        permit.destination.addresses.stream().distinct().forEach(address -> all.add(limit(address, false)));
        return all;
    }

    private HostLimit limit(String name, boolean adaptive) {
        return limits.computeIfAbsent(
                name, _ -> new HostLimit(name, adaptive, adaptive ? Math.min(FIRST, most) : most));
    }

    /** The permit of one request, held at its host and addresses or waiting there. */
    public final class Permit {
        private final UUID organization;
        private final Destination destination;
        private final CountDownLatch turn = new CountDownLatch(1);
        private List<HostLimit> limits = List.of();
        private @Nullable HostLimit waitsAt;
        private volatile boolean granted;

        private Permit(UUID organization, Destination destination) {
            this.organization = organization;
            this.destination = destination;
        }

        /** Ends the request: it succeeded (1), failed (-1), or says nothing about its host (0). */
        public void release(int by) {
            if (areBounded()) {
                released(this, by);
            }
        }
    }

    /** The limit of one host or one address. */
    private static final class HostLimit {
        private final String name;
        private final boolean adaptive;
        private final Map<UUID, Integer> held = new HashMap<>();
        private final LinkedHashMap<UUID, Deque<Permit>> waiting = new LinkedHashMap<>();
        private int width;
        private int running;

        HostLimit(String name, boolean adaptive, int width) {
            this.name = name;
            this.adaptive = adaptive;
            this.width = width;
        }

        boolean hasRoomFor(UUID organization) {
            return running < width && held.getOrDefault(organization, 0) < Math.max(1, width / 2);
        }

        boolean isIdle() {
            return running == 0 && waiting.isEmpty();
        }

        void enter(UUID organization) {
            running++;
            held.merge(organization, 1, Integer::sum);
        }

        void leave(UUID organization) {
            running--;
            held.computeIfPresent(organization, (_, count) -> count == 1 ? null : count - 1);
        }

        void await(Permit permit) {
            permit.waitsAt = this;
            waiting.computeIfAbsent(permit.organization, _ -> new ArrayDeque<>())
                    .add(permit);
        }

        /**
         * The next waiting permit of the organization whose turn it is; that organization then moves behind the others.
         */
        @Nullable
        Permit next() {
            Iterator<Map.Entry<UUID, Deque<Permit>>> turns = waiting.entrySet().iterator();
            if (!turns.hasNext()) {
                return null;
            }
            Map.Entry<UUID, Deque<Permit>> first = turns.next();
            UUID organization = first.getKey();
            Deque<Permit> all = first.getValue();
            turns.remove();
            Permit next = all.poll();
            if (!all.isEmpty()) {
                waiting.put(organization, all);
            }
            return next;
        }

        void forget(Permit permit) {
            waiting.computeIfPresent(permit.organization, (_, all) -> all.remove(permit) && all.isEmpty() ? null : all);
        }
    }
}
