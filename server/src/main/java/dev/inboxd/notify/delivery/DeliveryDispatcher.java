package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.job.TakeOver;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
import dev.inboxd.net.HostLimiter;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events to webhooks: at once when the event log hands over new delivery rows after a commit; otherwise (a
 * crash, no room in memory, a retry, another node's commit) by claiming the rows from the table.
 */
public final class DeliveryDispatcher implements Consumer<List<EventLog.DeliveryRow>>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryDispatcher.class);
    private static final String KIND = "webhooks";
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final int AT_ONCE = 8;
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
    private final DueWork due;
    private final PeriodicTask upkeep = new PeriodicTask("webhook queues", QUEUE_KEPT, this::keepUp);
    private @Nullable Thread consumer;
    private final InstantSource clock;
    private volatile boolean closing;

    /** Delivery rows of one commit, and the time at which this node got notice of it. */
    private record CommitNotice(List<EventLog.DeliveryRow> fanned, Instant at) {}

    /**
     * The collaborators of the dispatcher.
     *
     * @param payloads renders payloads that are not in memory
     * @param due finds deliveries that this node did not commit
     * @param jobs runs the cancellation of many deliveries in the background
     * @param most concurrent posts to one host, see {@link HostLimiter}
     */
    public record Parts(
            Database database, Payloads payloads, WebhookPoster outgoing, DueWork due, Jobs jobs, int most) {}

    /** A dispatcher for one database; nothing is delivered before {@link #start}. */
    public DeliveryDispatcher(Parts parts, Metrics metrics) {
        this.database = parts.database;
        this.due = parts.due;
        this.nodes = parts.outgoing.nodes();
        this.clock = parts.outgoing.clock();
        this.meters = new DeliveryMetrics(
                metrics,
                () -> queues.values().stream().mapToInt(EndpointQueue::length).sum());
        this.results = new ResultWriter(database, nodes, new DeliveryCancellation(parts.jobs, this));
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
                due.wake(KIND, queue.organization());
            }
        };
        due.add(new WorkKind(
                KIND,
                DeliverySql.NEXT,
                WorkKind.Pace.of(INTERVAL, AT_ONCE),
                nodes.departures().worker(this::runDue)));
        due.add(new WorkKind(
                "failures", DeliverySql.NEXT_EXPIRED, WorkKind.Pace.of(INTERVAL, AT_ONCE), this::deleteExpired));
        nodes.onRename(() -> queues.values().forEach(EndpointQueue::clear));
    }

    /** Starts delivering. */
    public void start() {
        consumer = Thread.ofVirtual().name("webhook notices").start(this::consume);
        upkeep.start();
    }

    /** Makes deliveries that a dead node had claimed due again; the first node to find them delivers. */
    public TakeOver.Claims claims() {
        return new DeliveryClaims(attempts);
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
    public void changed(String webhook) {
        EndpointQueue queue = queues.get(webhook);
        if (queue != null) {
            queue.stale();
        }
    }

    /** Rows of an organization have become due: claims them soon. */
    public void wakeForDue(UUID organization) {
        due.wake(KIND, organization);
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
        upkeep.close();
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
        for (EventLog.DeliveryRow row : fanned) {
            WebhookDelivery.EventContent content = payloads.get(row.stamp().number());
            if (content == null && written != null) {
                content = renderedContent(row, written);
            }
            if (content != null) {
                payloads.put(row.stamp().number(), content);
            }
            offer(new WebhookDelivery(
                    row.organization(), row.webhookId(), row.stamp().number(), 0, content, false, startBy));
        }
    }

    private static WebhookDelivery.@Nullable EventContent renderedContent(
            EventLog.DeliveryRow row, WebhookDelivery.RowSnapshot written) {
        Supplier<byte[]> payload = row.payload();
        try {
            return payload == null
                    ? null
                    : new WebhookDelivery.EventContent(
                            payload.get(),
                            EventId.of(row.organization(), row.stamp()),
                            row.stamp().at(),
                            written);
        } catch (RuntimeException | Error unforeseen) {
            LOG.warn("payload not rendered, read from its row organization_id={}", row.organization(), unforeseen);
            return null;
        }
    }

    private void offer(WebhookDelivery delivery) {
        queues.compute(delivery.webhook(), (webhook, existing) -> {
            EndpointQueue queue = existing != null
                    ? existing
                    : new EndpointQueue(new DeliverySql.DueWebhook(delivery.organization(), webhook), memory, worker);
            if (!queue.offer(delivery)) {
                full.add(webhook); // from now on the event log inserts its rows unclaimed
                results.refused(delivery);
                meters.overflowed.accept(1);
            }
            return queue;
        });
    }

    private void runDue(UUID organization) {
        if (closing || !nodes.departures().mayBegin(organization)) {
            return;
        }
        View all = View.of(organization);
        List<String> webhooks = database.read(tx -> DeliverySql.due(tx, all, withoutRoom()));
        if (!webhooks.isEmpty()) {
            claim(all, webhooks);
        }
    }

    private void deleteExpired(UUID organization) {
        boolean done = false;
        while (!done && !closing) {
            done = database.write(organization, tx -> DeliverySql.deleteExpired(tx, View.of(organization)));
        }
    }

    private void keepUp() {
        long idle = QUEUE_KEPT.toNanos();
        queues.keySet().forEach(id -> queues.computeIfPresent(id, (_, queue) -> queue.isIdleFor(idle) ? null : queue));
        full.removeIf(webhook -> !queues.containsKey(webhook));
    }

    private List<String> withoutRoom() {
        return queues.values().stream()
                .filter(queue -> queue.room() == 0)
                .map(EndpointQueue::webhook)
                .toList();
    }

    private void claim(View all, List<String> webhooks) {
        UUID organization = all.organization();
        List<Integer> capacities = new ArrayList<>();
        for (String webhook : webhooks) {
            EndpointQueue queue = queues.get(webhook);
            capacities.add(queue == null ? EndpointQueue.LONGEST_CLAIM : queue.room());
        }
        long startBy = WebhookDelivery.startBy(WebhookDelivery.LEASE);
        List<DeliverySql.ClaimedDelivery> claimed =
                database.write(organization, tx -> DeliverySql.claim(tx, all, nodes.self(), webhooks, capacities));
        Map<String, Integer> counts = new HashMap<>();
        for (DeliverySql.ClaimedDelivery row : claimed) {
            offer(new WebhookDelivery(organization, row.webhook(), row.seq(), row.attempts(), null, false, startBy));
            counts.merge(row.webhook(), 1, Integer::sum);
        }
        for (int i = 0; i < webhooks.size(); i++) {
            EndpointQueue queue = queues.get(webhooks.get(i));
            if (queue != null && capacities.get(i).equals(counts.get(webhooks.get(i)))) {
                queue.noteMoreDue();
            }
        }
    }
}
