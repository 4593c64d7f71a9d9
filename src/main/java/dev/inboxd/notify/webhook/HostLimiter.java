package dev.inboxd.notify.webhook;

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
 * How many posts this node has under way at one target, whoever owns the webhooks: so that ten thousand of them, under as
 * many names, are no weapon against the one host that all lead to (promises.md A25). A target is a host with its port, and
 * each address that the host leads to. A host has few posts at first, more with every success, and fewer with every
 * failure; an address, behind which many hosts may be, always has all. No organization takes more than half of either, and
 * those who wait for a place get it in turn. For many threads.
 */
public final class HostLimiter {
    /** So many posts at a target, unless the operator says otherwise: far more than a webhook has under way. */
    static final int USUAL = 64;

    /** Of a host that nothing is known of: half of it is more than {@link EndpointQueue#WIDEST}. */
    private static final int FIRST = 16;
    /** Of a host that fails or hangs. */
    private static final int LEAST = 4;
    /** So many are remembered while nobody posts there. */
    private static final int REMEMBERED = 10_000;

    private final int most;
    private final Map<String, HostLimit> gates = new HashMap<>();
    private boolean closed;

    /** Targets with at most so many posts at each; {@link Integer#MAX_VALUE} for any number. */
    HostLimiter(int most) {
        this.most = most;
    }

    /**
     * Where a post goes.
     *
     * @param host with its port
     * @param addresses that it leads to
     */
    record Destination(String host, List<String> addresses) {
        Destination {
            addresses = List.copyOf(addresses);
        }

        /** Where nobody need know. */
        static final Destination UNKNOWN = new Destination("", List.of());
    }

    /** Whether there are bounds at all; else nobody need know where a host leads. */
    boolean areBounded() {
        return most != Integer.MAX_VALUE;
    }

    /**
     * Waits for a place at a target. Whoever gets one gives it back with {@link Permit#release}.
     *
     * @param until {@link System#nanoTime} after which it would be too late
     * @return null when it was too late, or this was closed
     */
    @Nullable
    Permit enter(UUID organization, Destination place, long until) {
        Permit stay = new Permit(organization, place);
        if (!areBounded()) {
            return stay;
        }
        synchronized (this) {
            if (closed) {
                return null;
            }
            HostLimit full = full(stay);
            if (full == null) {
                take(stay);
                return stay;
            }
            full.await(stay);
        }
        try {
            if (!stay.turn.await(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return givenUp(stay);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return givenUp(stay);
        }
        return stay.taken ? stay : null;
    }

    /** Lets everybody who waits go without a place. */
    synchronized void close() {
        closed = true;
        gates.values()
                .forEach(gate -> gate.waiting.values().forEach(all -> all.forEach(stay -> stay.turn.countDown())));
    }

    /** How many posts are under way at a host or an address. */
    synchronized int at(String target) {
        HostLimit gate = gates.get(target);
        return gate == null ? 0 : gate.running;
    }

    private synchronized @Nullable Permit givenUp(Permit stay) {
        if (stay.taken) {
            return stay; // just now
        }
        if (stay.waitsAt != null) {
            stay.waitsAt.forget(stay);
        }
        return null;
    }

    private synchronized void left(Permit stay, int by) {
        HostLimit host = stay.gates.getFirst();
        host.width = Math.clamp((long) host.width + by, Math.min(LEAST, most), most);
        for (HostLimit gate : stay.gates) {
            gate.leave(stay.organization);
        }
        for (HostLimit gate : stay.gates) {
            admit(gate);
        }
        for (HostLimit gate : stay.gates) {
            if (gate.isIdle() && (gates.size() > REMEMBERED || !gate.learns)) {
                gates.remove(gate.name);
            }
        }
    }

    /** Lets in who waits there, one of each organization in turn, as far as there is room. */
    private void admit(HostLimit gate) {
        for (int turns = gate.waiting.size() + 1; turns > 0 && gate.running < gate.width; turns--) {
            Permit next = gate.next();
            if (next == null) {
                return;
            }
            HostLimit full = full(next);
            if (full == null) {
                take(next);
                next.turn.countDown();
            } else {
                full.await(next); // behind its organization's turn, or at the other target
            }
        }
    }

    private void take(Permit stay) {
        stay.taken = true;
        stay.gates = gates(stay);
        stay.gates.forEach(gate -> gate.enter(stay.organization));
    }

    /** The first of its targets without room for it, or null. */
    private @Nullable HostLimit full(Permit stay) {
        return gates(stay).stream()
                .filter(gate -> !gate.hasRoomFor(stay.organization))
                .findFirst()
                .orElse(null);
    }

    private List<HostLimit> gates(Permit stay) {
        List<HostLimit> all = new ArrayList<>();
        all.add(gate(stay.place.host, true));
        stay.place.addresses.stream().distinct().forEach(address -> all.add(gate(address, false)));
        return all;
    }

    private HostLimit gate(String name, boolean learns) {
        return gates.computeIfAbsent(name, _ -> new HostLimit(name, learns, learns ? Math.min(FIRST, most) : most));
    }

    /** One post that is under way at its targets, or waits for that. */
    final class Permit {
        private final UUID organization;
        private final Destination place;
        private final CountDownLatch turn = new CountDownLatch(1);
        private List<HostLimit> gates = List.of();
        private @Nullable HostLimit waitsAt;
        private volatile boolean taken;

        private Permit(UUID organization, Destination place) {
            this.organization = organization;
            this.place = place;
        }

        /** The post is over: it succeeded (1), failed (-1), or says nothing of its host (0). */
        void release(int by) {
            if (areBounded()) {
                left(this, by);
            }
        }
    }

    /** One host or address. */
    private static final class HostLimit {
        private final String name;
        private final boolean learns;
        private final Map<UUID, Integer> held = new HashMap<>();
        private final LinkedHashMap<UUID, Deque<Permit>> waiting = new LinkedHashMap<>();
        private int width;
        private int running;

        HostLimit(String name, boolean learns, int width) {
            this.name = name;
            this.learns = learns;
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

        void await(Permit stay) {
            stay.waitsAt = this;
            waiting.computeIfAbsent(stay.organization, _ -> new ArrayDeque<>()).add(stay);
        }

        /** The first of the organization whose turn it is, which then stands behind the others. */
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

        void forget(Permit stay) {
            waiting.computeIfPresent(stay.organization, (_, all) -> all.remove(stay) && all.isEmpty() ? null : all);
        }
    }
}
