package dev.inboxd.notify.stream;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who on this node listens to one organization, and how far they have been told. */
final class OrganizationListeners {
    private static final int MOST_REMEMBERED = 256;

    private final UUID organization;
    private final Map<UUID, Set<LogListener>> byTarget = new ConcurrentHashMap<>();
    private final Map<Long, Supplier<byte[]>> payloads = new ConcurrentHashMap<>();
    private final Object beginning = new Object();
    private boolean begun;
    private long position;
    private long head;
    private boolean running;
    private boolean again;

    OrganizationListeners(UUID organization) {
        this.organization = organization;
    }

    UUID organization() {
        return organization;
    }

    /** Inside the map of audiences alone, so that nobody is added to one that is being dropped. */
    void add(LogListener listener, Collection<UUID> targets) {
        targets.forEach(target -> byTarget.computeIfAbsent(target, _ -> ConcurrentHashMap.newKeySet())
                .add(listener));
    }

    void remove(LogListener listener, Collection<UUID> targets) {
        targets.forEach(target -> byTarget.computeIfPresent(target, (_, some) -> {
            some.remove(listener);
            return some.isEmpty() ? null : some;
        }));
    }

    boolean isEmpty() {
        return byTarget.isEmpty();
    }

    /** Those who want to hear of an entry, each once. */
    Collection<LogListener> of(LoggedEvent.Entry entry) {
        Set<LogListener> some = new LinkedHashSet<>();
        LoggedEvent.Place place = entry.of().place();
        collect(organization, entry, some);
        collect(place.pod(), entry, some);
        collect(place.inbox(), entry, some);
        return some;
    }

    private void collect(@Nullable UUID target, LoggedEvent.Entry entry, Set<LogListener> some) {
        Set<LogListener> listeners = target == null ? null : byTarget.get(target);
        if (listeners != null) {
            listeners.stream().filter(listener -> listener.accepts(entry)).forEach(some::add);
        }
    }

    /**
     * The first listener sets where telling begins; the others wait until it has. Nobody else waits meanwhile: a thread
     * that commits holds the connection that the first one may be waiting for.
     *
     * @return whether this was the first, and something was committed meanwhile that must be told
     */
    boolean beginAt(LongSupplier newest) {
        synchronized (beginning) {
            if (hasBegun()) {
                return false;
            }
            return begin(newest.getAsLong());
        }
    }

    private synchronized boolean hasBegun() {
        return begun;
    }

    private synchronized boolean begin(long number) {
        position = number;
        head = number;
        begun = true;
        return again;
    }

    synchronized long position() {
        return position;
    }

    synchronized void advanceTo(LoggedEvent last) {
        position = last.number() + last.labels().size();
        payloads.keySet().removeIf(number -> number <= position);
    }

    /** Whether a clock has gone on since this was asked last. */
    synchronized boolean isBehind(long newest) {
        boolean behind = begun && newest > head;
        head = Math.max(head, newest);
        return behind;
    }

    /** What was to be told could not be: the next look at the clock says so again. */
    synchronized void forgetHead() {
        head = position;
    }

    /** Whether a thread must begin to follow; one that does already goes on once more. */
    synchronized boolean begins() {
        again = true;
        boolean first = begun && !running;
        running |= begun;
        return first;
    }

    /** Whether the thread that follows may end. */
    synchronized boolean ends() {
        running = again;
        again = false;
        return !running;
    }

    /** Keeps what makes payloads until the rows are there; without it they are read from the rows. */
    void remember(Map<Long, Supplier<byte[]>> some) {
        if (payloads.size() < MOST_REMEMBERED) {
            payloads.putAll(some);
        }
    }

    @Nullable
    Supplier<byte[]> rendered(long number) {
        return payloads.get(number);
    }
}
