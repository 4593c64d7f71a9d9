package dev.inboxd.notify.webhook;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits for one endpoint, and how many attempts may run there at once: one at first, one more with every success,
 * one less with every failure. So an endpoint that hangs holds little, and delays nobody else (promise P9).
 */
final class EndpointQueue {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointQueue.class);
    static final int WIDEST = 5;

    private static final int LONGEST = 1_024;
    static final int LONGEST_CLAIM = 256;
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    /** How many are read together for each attempt that is dared at once beyond the first. */
    private static final int AHEAD = 5;
    /** How much what is read together may be. */
    static final int MOST_READ = 512 * 1024;

    private final DeliverySql.DueWebhook of;
    private final Semaphore memory;
    private final Worker worker;
    private final Deque<WebhookDelivery> waiting = new ArrayDeque<>();
    /** How many of those that wait are out, being read. */
    private int out;

    private int clearings;
    private int bytes;
    private int running;
    private int width = 1;
    private boolean noteMoreDue;
    private long lastUse = System.nanoTime();
    private @Nullable Endpoint endpoint;
    private long endpointRead;

    /** Makes the attempts of all lanes. */
    interface Worker {
        /** Makes one attempt and tells whether the endpoint can bear more (1), less (-1) or is unproven (0). */
        int attempt(EndpointQueue lane, WebhookDelivery delivery);

        /** There is room again for what waits in the rows. */
        void hasRoom(EndpointQueue lane);
    }

    /**
     * An empty lane.
     *
     * @param of whose it is
     * @param memory bytes that all lanes may hold together
     */
    EndpointQueue(DeliverySql.DueWebhook of, Semaphore memory, Worker worker) {
        this.of = of;
        this.memory = memory;
        this.worker = worker;
    }

    UUID organization() {
        return of.organization();
    }

    String webhook() {
        return of.webhook();
    }

    /** Takes a delivery unless too much waits already; then it is left to the row, and this is hungry some time later. */
    synchronized boolean offer(WebhookDelivery delivery) {
        if (length() >= LONGEST) {
            noteMoreDue = true;
            return false;
        }
        waiting.add(reserveMemory(delivery) ? delivery : delivery.light());
        lastUse = System.nanoTime();
        startOne();
        return true;
    }

    /** Takes memory for its payload. Without memory a delivery waits without: the rows have it. */
    private boolean reserveMemory(WebhookDelivery delivery) {
        boolean fits = bytes + delivery.bytes() <= MOST_BYTES && memory.tryAcquire(delivery.bytes());
        bytes += fits ? delivery.bytes() : 0;
        return fits;
    }

    /**
     * Deliveries that are out of their lane to be read together.
     *
     * @param clearings how often the lane had been cleared
     */
    record ReadAhead(List<WebhookDelivery> deliveries, int clearings) {}

    /**
     * Takes out what comes next and is not ready, to be read together with one that is about to be attempted: the
     * more, the more attempts are dared at once. Nothing of an endpoint that fails, or without memory. The caller gives it back.
     */
    synchronized ReadAhead readAhead(Instant now) {
        List<WebhookDelivery> taken = new ArrayList<>();
        int most = AHEAD * (width - 1);
        if (most > 0 && isReadable(now) && memory.tryAcquire(MOST_READ)) {
            int kept = 0;
            while (taken.size() < most && kept < MOST_READ && isReadable(now)) {
                WebhookDelivery next = waiting.remove();
                bytes -= next.bytes();
                memory.release(next.bytes());
                WebhookDelivery unread = next.unread();
                kept += unread.bytes();
                taken.add(kept <= MOST_READ ? unread : unread.light());
            }
        }
        out += taken.size();
        return new ReadAhead(taken, clearings);
    }

    private boolean isReadable(Instant now) {
        WebhookDelivery next = waiting.peek();
        return next != null && !next.alone() && !next.isReady(now);
    }

    /**
     * Gives back what was taken out, unless the lane was cleared meanwhile.
     *
     * @param left what is left of it to attempt, in its order
     */
    synchronized void putBack(ReadAhead ahead, List<WebhookDelivery> left) {
        memory.release(ahead.deliveries.isEmpty() ? 0 : MOST_READ);
        out -= ahead.deliveries.size();
        if (ahead.clearings == clearings) {
            left.reversed().forEach(each -> waiting.addFirst(reserveMemory(each) ? each : each.apart()));
            for (int i = running; i < width; i++) {
                startOne();
            }
        }
    }

    /** How many more deliveries can be claimed for it. */
    synchronized int room() {
        return Math.max(0, LONGEST_CLAIM - length());
    }

    /** Notes that a claim took all it could, so that perhaps more is due. */
    synchronized void noteMoreDue() {
        noteMoreDue = true;
    }

    /** How much waits. */
    synchronized int length() {
        return waiting.size() + out;
    }

    /** Whether nothing has happened here for so long. */
    synchronized boolean isIdleFor(long nanos) {
        return running == 0 && waiting.isEmpty() && System.nanoTime() - lastUse > nanos;
    }

    /** Lets go of all that waits; the rows decide what becomes of it. */
    synchronized void clear() {
        waiting.clear();
        memory.release(bytes);
        bytes = 0;
        clearings++;
        endpoint = null;
    }

    /** What is known of the endpoint is out of date. */
    synchronized void stale() {
        endpoint = null;
    }

    /** Waits until no attempt is under way, at most until that nano time. */
    synchronized void awaitQuiet(long end) {
        try {
            long rest = end - System.nanoTime();
            while (running > 0 && rest > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, rest);
                rest = end - System.nanoTime();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** The endpoint if it was read less long ago than that. */
    synchronized @Nullable Endpoint endpoint(long nanos) {
        return System.nanoTime() - endpointRead < nanos ? endpoint : null;
    }

    synchronized void endpoint(Endpoint read) {
        endpoint = read;
        endpointRead = System.nanoTime();
    }

    private synchronized void startOne() {
        if (running < width && !waiting.isEmpty()) {
            running++;
            Thread.startVirtualThread(this::work);
        }
    }

    private void work() {
        WebhookDelivery delivery = next();
        while (delivery != null) {
            try {
                widen(worker.attempt(this, delivery));
            } catch (RuntimeException | Error unforeseen) {
                LOG.error("An attempt ended unforeseen; its row will be found", unforeseen);
            } finally {
                memory.release(delivery.bytes());
            }
            delivery = next();
        }
    }

    private synchronized void widen(int by) {
        width = Math.clamp(width + by, 1, WIDEST);
        startOne();
    }

    private @Nullable WebhookDelivery next() {
        boolean hungry = false;
        WebhookDelivery next;
        synchronized (this) {
            next = running > width ? null : waiting.poll();
            if (next == null) {
                running--;
                notifyAll();
            } else {
                bytes -= next.bytes();
                lastUse = System.nanoTime();
            }
            if (noteMoreDue && length() <= LONGEST_CLAIM / 2) {
                noteMoreDue = false;
                hungry = true;
            }
        }
        if (hungry) {
            worker.hasRoom(this);
        }
        return next;
    }
}
