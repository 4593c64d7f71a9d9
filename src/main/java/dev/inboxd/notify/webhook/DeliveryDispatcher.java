package dev.inboxd.notify.webhook;

import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.Jobs;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.platform.log.Metrics;
import dev.inboxd.platform.memory.HeapShare;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events to webhooks: at once when the event log hands over new delivery rows after a commit; otherwise (a
 * crash, no room in memory, a retry, another node's commit) by claiming the rows from the table.
 */
public final class DeliveryDispatcher implements Consumer<List<EventLog.DeliveryRow>>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryDispatcher.class);
    private static final Duration REST = Duration.ofMillis(500);
    private static final Duration QUEUE_KEPT = Duration.ofMinutes(1);
    private static final Duration LAST_ATTEMPTS = Duration.ofSeconds(5);
    private static final int MOST_NOTICES = 256;

    private final Database database;
    /** Bounds the bytes of all payloads that wait or are posted. */
    private final Semaphore memory = new Semaphore(HeapShare.WEBHOOKS.permits());

    private final Map<String, EndpointQueue> queues = new ConcurrentHashMap<>();
    /** Webhooks whose queue refused a delivery and has not fallen to half of its length since. */
    private final Set<String> full = ConcurrentHashMap.newKeySet();

    private final BlockingQueue<CommitNotice> notices = new ArrayBlockingQueue<>(MOST_NOTICES);
    private final DeliveryMetrics meters;
    private final ResultWriter results;
    private final AttemptRunner attempts;
    private final HostLimiter targets;
    private final Nodes nodes;
    private final EndpointQueue.Worker worker;
    private final PeriodicTask claiming = new PeriodicTask("webhooks due", REST, this::runDue);
    private @Nullable Thread consumer;
    private final InstantSource clock;
    private volatile boolean closing;

    /** Delivery rows of one commit, and the time at which this node got notice of it. */
    private record CommitNotice(List<EventLog.DeliveryRow> fanned, Instant at) {}

    /**
     * The collaborators of the dispatcher.
     *
     * @param payloads renders payloads that are not in memory
     * @param jobs runs the cancellation of many deliveries in the background
     * @param most concurrent posts to one host, see {@link HostLimiter}
     */
    public record Parts(Database database, Payloads payloads, WebhookPoster outgoing, Jobs jobs, int most) {}

    /** A dispatcher for one database; nothing is delivered before {@link #start}. */
    public DeliveryDispatcher(Parts parts, Metrics metrics) {
        this.database = parts.database;
        this.nodes = parts.outgoing.nodes();
        this.clock = parts.outgoing.clock();
        this.meters = new DeliveryMetrics(
                metrics,
                () -> queues.values().stream().mapToInt(EndpointQueue::length).sum());
        this.results = new ResultWriter(database, nodes, new Webhooks.Cancellation(parts.jobs, this));
        this.targets = new HostLimiter(parts.most);
        this.attempts = new AttemptRunner(
                new AttemptRunner.Parts(database, parts.payloads, parts.outgoing, targets), results, meters);
        this.worker = new EndpointQueue.Worker() {
            @Override
            public int attempt(EndpointQueue queue, WebhookDelivery delivery) {
                return closing ? 0 : attempts.make(queue, delivery);
            }

            @Override
            public void hasRoom(EndpointQueue queue) {
                full.remove(queue.webhook());
                wakeForDue();
            }
        };
        nodes.onDeath(this::inherit);
    }

    /** Starts delivering. The leases of nodes that died are taken over. */
    public void start() {
        consumer = Thread.ofVirtual().name("webhook notices").start(this::consume);
        claiming.start();
    }

    /**
     * Takes over the leases of a process that has ended. Only for a database that no other node uses: there, no living
     * process can hold a lease.
     */
    public void reclaim() {
        inherit(null);
    }

    /** Releases the rows claimed by a node, or by any node when it is null; the first node to find them delivers. */
    private void inherit(@Nullable UUID node) {
        Nodes.takeOver(
                database.read(tx -> DeliverySql.claimed(tx, node)),
                organization -> database.<@Nullable Void>write(organization, tx -> {
                    DeliverySql.release(tx, View.of(organization), node);
                    return null;
                }));
        wakeForDue();
    }

    /** Notice of delivery rows that were just committed; never blocks. */
    @Override
    public void accept(List<EventLog.DeliveryRow> fanned) {
        if (!closing && !notices.offer(new CommitNotice(fanned, clock.instant()))) {
            queue(fanned, null); // the notices in memory are bounded: without a payload, it is read from the row
        }
    }

    /** Webhooks whose queue in memory is full now. */
    public List<String> full() {
        return full.isEmpty() ? List.of() : List.copyOf(full);
    }

    /** A webhook was changed: its endpoint is read again before the next attempt. */
    void changed(String webhook) {
        EndpointQueue queue = queues.get(webhook);
        if (queue != null) {
            queue.stale();
        }
    }

    /** Rows have become due: claims them soon. */
    void wakeForDue() {
        claiming.wake();
    }

    /** A webhook was deleted or disabled: drops its deliveries from memory. */
    void forget(String webhook) {
        full.remove(webhook);
        EndpointQueue queue = queues.get(webhook);
        if (queue != null) {
            queue.clear();
        }
    }

    /** The host limits of this node; test deliveries count against them too. */
    public HostLimiter targets() {
        return targets;
    }

    /** Starts no further attempts, gives running attempts a little time, and writes their results. */
    @Override
    public void close() {
        closing = true;
        Thread consuming = consumer;
        if (consuming != null) {
            consuming.interrupt();
        }
        claiming.close();
        queues.values().forEach(EndpointQueue::clear);
        targets.close();
        long end = System.nanoTime() + LAST_ATTEMPTS.toNanos();
        for (EndpointQueue queue : queues.values()) {
            queue.awaitQuiet(end);
        }
        attempts.cancel();
        results.close();
    }

    private void consume() {
        try {
            while (true) {
                CommitNotice next = notices.take();
                queue(next.fanned, new WebhookDelivery.RowSnapshot(next.at, false, true));
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Adds deliveries to their endpoint queues.
     *
     * @param written not null to render each payload now, once, on this thread instead of the committing one; its
     *     memory is counted from here on
     */
    private void queue(List<EventLog.DeliveryRow> fanned, WebhookDelivery.@Nullable RowSnapshot written) {
        Map<Long, WebhookDelivery.EventContent> payloads = new HashMap<>();
        long startBy = WebhookDelivery.startBy(EventLog.LEASE);
        for (EventLog.DeliveryRow one : fanned) {
            WebhookDelivery.EventContent known = payloads.get(one.stamp().number());
            if (known == null && written != null) {
                known = known(one, written);
            }
            if (known != null) {
                payloads.put(one.stamp().number(), known);
            }
            offer(new WebhookDelivery(
                    one.organization(), one.webhookId(), one.stamp().number(), 0, known, false, startBy));
        }
    }

    private static WebhookDelivery.@Nullable EventContent known(
            EventLog.DeliveryRow one, WebhookDelivery.RowSnapshot written) {
        Supplier<byte[]> payload = one.payload();
        try {
            return payload == null
                    ? null
                    : new WebhookDelivery.EventContent(
                            payload.get(),
                            EventId.of(one.organization(), one.stamp()),
                            one.stamp().at(),
                            written);
        } catch (RuntimeException | Error unforeseen) {
            LOG.warn("payload not rendered, read from its row organization_id={}", one.organization(), unforeseen);
            return null;
        }
    }

    private void offer(WebhookDelivery delivery) {
        queues.compute(delivery.webhook(), (webhook, known) -> {
            EndpointQueue queue = known != null
                    ? known
                    : new EndpointQueue(new DeliverySql.DueWebhook(delivery.organization(), webhook), memory, worker);
            if (!queue.offer(delivery)) {
                full.add(webhook); // from now on the event log inserts its rows unclaimed
                results.refused(delivery);
                meters.overflowed.accept(1);
            }
            return queue;
        });
    }

    private void runDue() {
        database.read(tx -> DeliverySql.due(tx, withoutRoom())).stream()
                .filter(webhook -> nodes.departures().mayBegin(webhook.organization()))
                .collect(Collectors.groupingBy(
                        DeliverySql.DueWebhook::organization,
                        Collectors.mapping(DeliverySql.DueWebhook::webhook, Collectors.toList())))
                .forEach(this::claimOrPostpone);
        for (UUID organization : database.read(DeliverySql::expired)) {
            database.<@Nullable Void>write(organization, tx -> {
                DeliverySql.deleteExpired(tx, View.of(organization));
                return null;
            });
        }
        long idle = QUEUE_KEPT.toNanos();
        queues.keySet()
                .forEach(webhook -> queues.computeIfPresent(webhook, (_, one) -> one.isIdleFor(idle) ? null : one));
        full.removeIf(webhook -> !queues.containsKey(webhook));
    }

    private List<String> withoutRoom() {
        return queues.values().stream()
                .filter(queue -> queue.room() == 0)
                .map(EndpointQueue::webhook)
                .toList();
    }

    /** A claim that fails for one organization must not delay the others (promise P9). */
    private void claimOrPostpone(UUID organization, List<String> webhooks) {
        try {
            claim(organization, webhooks);
        } catch (RuntimeException failure) {
            LOG.warn("webhook deliveries postponed organization_id={} cause={}", organization, failure.toString());
        }
    }

    private void claim(UUID organization, List<String> webhooks) {
        List<Integer> capacities = new ArrayList<>();
        for (String webhook : webhooks) {
            EndpointQueue queue = queues.get(webhook);
            capacities.add(queue == null ? EndpointQueue.LONGEST_CLAIM : queue.room());
        }
        long startBy = WebhookDelivery.startBy(WebhookDelivery.LEASE);
        List<DeliverySql.ClaimedDelivery> claimed = database.write(
                organization, tx -> DeliverySql.claim(tx, View.of(organization), nodes.self(), webhooks, capacities));
        Map<String, Integer> taken = new HashMap<>();
        for (DeliverySql.ClaimedDelivery row : claimed) {
            offer(new WebhookDelivery(organization, row.webhook(), row.seq(), row.attempts(), null, false, startBy));
            taken.merge(row.webhook(), 1, Integer::sum);
        }
        for (int i = 0; i < webhooks.size(); i++) {
            EndpointQueue queue = queues.get(webhooks.get(i));
            if (queue != null && capacities.get(i).equals(taken.get(webhooks.get(i)))) {
                queue.noteMoreDue();
            }
        }
    }
}
