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

/** The listeners of one organization on this node, and the position up to which they were notified. */
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

    /**
     * Called only inside a compute of {@link LogTail}'s map, so that no listener is added to an object that is being
     * removed.
     */
    void add(LogListener listener, Collection<UUID> targets) {
        targets.forEach(target -> byTarget.computeIfAbsent(target, _ -> ConcurrentHashMap.newKeySet())
                .add(listener));
    }

    void remove(LogListener listener, Collection<UUID> targets) {
        targets.forEach(target -> byTarget.computeIfPresent(target, (_, listeners) -> {
            listeners.remove(listener);
            return listeners.isEmpty() ? null : listeners;
        }));
    }

    boolean isEmpty() {
        return byTarget.isEmpty();
    }

    /** The listeners whose filters match an entry, each once. */
    Collection<LogListener> of(LoggedEvent.Entry entry) {
        Set<LogListener> matching = new LinkedHashSet<>();
        LoggedEvent.Place place = entry.of().place();
        collect(organization, entry, matching);
        collect(place.pod(), entry, matching);
        collect(place.inbox(), entry, matching);
        return matching;
    }

    private void collect(@Nullable UUID target, LoggedEvent.Entry entry, Set<LogListener> matching) {
        Set<LogListener> listeners = target == null ? null : byTarget.get(target);
        if (listeners != null) {
            listeners.stream().filter(listener -> listener.accepts(entry)).forEach(matching::add);
        }
    }

    /**
     * Sets the start position, once. The first listener reads it; other listeners that join meanwhile wait. No other
     * thread waits on this lock: a committing thread holds the database connection that the first listener may need.
     *
     * @return whether this call set the position and something was committed meanwhile, which has to be notified
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

    /** Whether the clock has advanced since the last call. */
    synchronized boolean isBehind(long newest) {
        boolean behind = begun && newest > head;
        head = Math.max(head, newest);
        return behind;
    }

    /** The last rows could not be notified: the next poll finds the clock advanced again. */
    synchronized void forgetHead() {
        head = position;
    }

    /** Whether a thread must start to follow the log. If one follows already, it reads once more. */
    synchronized boolean begins() {
        again = true;
        boolean first = begun && !running;
        running |= begun;
        return first;
    }

    /** Whether the following thread may end. */
    synchronized boolean ends() {
        running = again;
        again = false;
        return !running;
    }

    /** Keeps renderers of payloads until their rows are read. Without a renderer, the payload is read from the rows. */
    void remember(Map<Long, Supplier<byte[]>> renderers) {
        if (payloads.size() < MOST_REMEMBERED) {
            payloads.putAll(renderers);
        }
    }

    @Nullable
    Supplier<byte[]> rendered(long number) {
        return payloads.get(number);
    }
}
