package dev.inboxd.notify.delivery;

import dev.inboxd.notify.webhook.Endpoint;
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
 * The deliveries that wait for one endpoint, and its concurrency: one attempt at a time at first, one more after each
 * success, one less after each failure. So an endpoint that hangs holds few resources and delays no other endpoint
 * (promise P9).
 */
public final class EndpointQueue {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointQueue.class);
    static final int WIDEST = 5;

    private static final int LONGEST = 1_024;
    static final int LONGEST_CLAIM = 256;
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    /** Deliveries read ahead for each concurrent attempt beyond the first. */
    private static final int AHEAD = 5;
    /** Limit in bytes of the payloads that are read together. */
    static final int MOST_READ = 512 * 1024;

    private final DeliverySql.DueWebhook of;
    private final Semaphore memory;
    private final Worker worker;
    private final Deque<WebhookDelivery> waiting = new ArrayDeque<>();
    /** Deliveries that were taken out to be read ahead and still belong to this queue. */
    private int readingAhead;

    private int clearings;
    private int bytes;
    private int running;
    private int width = 1;
    private boolean noteMoreDue;
    private long lastUse = System.nanoTime();
    private @Nullable Endpoint endpoint;
    private long endpointRead;

    /** Runs the attempts of all queues. */
    interface Worker {
        /**
         * Runs one attempt. Returns the change of the endpoint's concurrency: 1 after a success, -1 after a failure, 0
         * when the attempt says nothing about the endpoint.
         */
        int attempt(EndpointQueue queue, WebhookDelivery delivery);

        /** The queue has room again for due rows. */
        void hasRoom(EndpointQueue queue);
    }

    /**
     * An empty queue.
     *
     * @param of the webhook and its organization
     * @param memory permits for bytes that all queues hold together
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

    /**
     * Adds a delivery. Returns false when the queue is full: the delivery then stays in its row, and the worker hears
     * later that there is room.
     */
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

    /**
     * Reserves memory for the payload. Without memory a delivery waits without its payload, which is then read from the
     * row.
     */
    private boolean reserveMemory(WebhookDelivery delivery) {
        boolean fits = bytes + delivery.bytes() <= MOST_BYTES && memory.tryAcquire(delivery.bytes());
        bytes += fits ? delivery.bytes() : 0;
        return fits;
    }

    /**
     * Deliveries taken out of their queue to be read together.
     *
     * @param clearings how often the queue had been cleared by then
     */
    record ReadAhead(List<WebhookDelivery> deliveries, int clearings) {}

    /**
     * Takes out the next deliveries whose payloads have to be read, to be read together with one that is about to be
     * attempted; the higher the concurrency, the more. Takes out none for an endpoint that fails, and none without
     * memory. The caller returns them with {@link #putBack}.
     */
    synchronized ReadAhead readAhead(Instant now) {
        List<WebhookDelivery> ahead = new ArrayList<>();
        int most = AHEAD * (width - 1);
        if (most > 0 && isReadable(now) && memory.tryAcquire(MOST_READ)) {
            int octets = 0;
            while (ahead.size() < most && octets < MOST_READ && isReadable(now)) {
                WebhookDelivery next = waiting.remove();
                bytes -= next.bytes();
                memory.release(next.bytes());
                WebhookDelivery unread = next.unread();
                octets += unread.bytes();
                ahead.add(octets <= MOST_READ ? unread : unread.light());
            }
        }
        readingAhead += ahead.size();
        return new ReadAhead(ahead, clearings);
    }

    private boolean isReadable(Instant now) {
        WebhookDelivery next = waiting.peek();
        return next != null && !next.alone() && !next.isReady(now);
    }

    /**
     * Returns deliveries that were taken out, unless the queue was cleared meanwhile.
     *
     * @param left the deliveries that are still to be attempted, in their order
     */
    synchronized void putBack(ReadAhead ahead, List<WebhookDelivery> left) {
        memory.release(ahead.deliveries.isEmpty() ? 0 : MOST_READ);
        readingAhead -= ahead.deliveries.size();
        if (ahead.clearings == clearings) {
            left.reversed()
                    .forEach(delivery -> waiting.addFirst(reserveMemory(delivery) ? delivery : delivery.apart()));
            for (int i = running; i < width; i++) {
                startOne();
            }
        }
    }

    /** How many more deliveries can be claimed for this queue. */
    synchronized int room() {
        return Math.max(0, LONGEST_CLAIM - length());
    }

    /** Notes that a claim was as large as it could be, so more rows may be due. */
    synchronized void noteMoreDue() {
        noteMoreDue = true;
    }

    /** The number of waiting deliveries, those taken out included. */
    synchronized int length() {
        return waiting.size() + readingAhead;
    }

    /** Whether the queue was empty and unused for this many nanoseconds. */
    synchronized boolean isIdleFor(long nanos) {
        return running == 0 && waiting.isEmpty() && System.nanoTime() - lastUse > nanos;
    }

    /** Drops all waiting deliveries; their rows decide about them. */
    synchronized void clear() {
        waiting.clear();
        memory.release(bytes);
        bytes = 0;
        clearings++;
        endpoint = null;
    }

    /** Drops the cached endpoint. */
    synchronized void stale() {
        endpoint = null;
    }

    /** Waits until no attempt runs, at most until {@link System#nanoTime} has reached {@code end}. */
    synchronized void awaitQuiet(long end) {
        try {
            long remaining = end - System.nanoTime();
            while (running > 0 && remaining > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, remaining);
                remaining = end - System.nanoTime();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** The cached endpoint if it was read less than this many nanoseconds ago, else null. */
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
                LOG.error(
                        "webhook attempt failed, repeated when the lease ends webhook={} seq={}",
                        delivery.webhook(),
                        delivery.seq(),
                        unforeseen);
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
        boolean roomAgain = false;
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
                roomAgain = true;
            }
        }
        if (roomAgain) {
            worker.hasRoom(this);
        }
        return next;
    }
}
