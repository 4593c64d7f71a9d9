package dev.inboxd.notify.webhook;

import dev.inboxd.event.EventId;
import dev.inboxd.event.EventLog;
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
 * Delivers events to webhooks: what the event log tells after a commit, at once; what that misses (a crash, no room in
 * memory, a retry, another node's), from the rows.
 */
public final class DeliveryDispatcher implements Consumer<List<EventLog.DeliveryRow>>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryDispatcher.class);
    private static final Duration REST = Duration.ofMillis(500);
    private static final Duration LANE_KEPT = Duration.ofMinutes(1);
    private static final Duration LAST_ATTEMPTS = Duration.ofSeconds(5);
    private static final int MOST_TOLD = 256;

    private final Database database;
    /** Of all that waits or is under way in memory. */
    private final Semaphore memory = new Semaphore(HeapShare.WEBHOOKS.permits());

    private final Map<String, EndpointQueue> lanes = new ConcurrentHashMap<>();
    /** Those whose lane refused a delivery and has not come down to the half since. */
    private final Set<String> full = ConcurrentHashMap.newKeySet();

    private final BlockingQueue<CommitNotice> told = new ArrayBlockingQueue<>(MOST_TOLD);
    private final DeliveryMetrics meters;
    private final ResultWriter settlements;
    private final AttemptRunner attempts;
    private final HostLimiter targets;
    private final Nodes nodes;
    private final EndpointQueue.Worker worker;
    private final PeriodicTask beat = new PeriodicTask("webhooks due", REST, this::runDue);
    private @Nullable Thread teller;
    private final InstantSource clock;
    private volatile boolean closing;

    /** What was just committed, and when that was heard. */
    private record CommitNotice(List<EventLog.DeliveryRow> fanned, Instant at) {}

    /**
     * What deliveries are made of.
     *
     * @param payloads renders what is not at hand
     * @param jobs where the calling off of many is left
     * @param most posts under way at one target, see {@link HostLimiter}
     */
    public record Parts(Database database, Payloads payloads, WebhookPoster outgoing, Jobs jobs, int most) {
        /** So many at one target, unless the operator says otherwise. */
        public static final int USUAL = HostLimiter.USUAL;
    }

    /** Deliveries of the events in a database; nothing is delivered before {@link #start}. */
    public DeliveryDispatcher(Parts parts, Metrics metrics) {
        this.database = parts.database;
        this.nodes = parts.outgoing.nodes();
        this.clock = parts.outgoing.clock();
        this.meters = new DeliveryMetrics(
                metrics,
                () -> lanes.values().stream().mapToInt(EndpointQueue::length).sum());
        this.settlements = new ResultWriter(database, nodes.self(), new Webhooks.Cancellation(parts.jobs, this));
        this.targets = new HostLimiter(parts.most);
        this.attempts = new AttemptRunner(
                new AttemptRunner.Parts(database, parts.payloads, parts.outgoing, targets), settlements, meters);
        this.worker = new EndpointQueue.Worker() {
            @Override
            public int attempt(EndpointQueue lane, WebhookDelivery delivery) {
                return closing ? 0 : attempts.make(lane, delivery);
            }

            @Override
            public void hasRoom(EndpointQueue lane) {
                full.remove(lane.webhook());
                wakeForDue();
            }
        };
        nodes.onDeath(this::inherit);
    }

    /** Begins to deliver. What a process that died was about to deliver is taken over. */
    public void start() {
        teller = Thread.ofVirtual().name("webhooks told").start(this::consume);
        beat.start();
    }

    /**
     * Takes back the leases of a process that is gone. Only for a database that no other node uses: there nobody else
     * can hold one.
     */
    public void reclaim() {
        inherit(null);
    }

    /** Frees what that node, or any, was about to deliver; who finds it first delivers it. */
    private void inherit(@Nullable UUID node) {
        Nodes.takeOver(
                database.read(tx -> DeliverySql.claimed(tx, node)),
                organization -> database.<@Nullable Void>write(organization, tx -> {
                    DeliverySql.release(tx, View.of(organization), node);
                    return null;
                }));
        wakeForDue();
    }

    /** Hears of delivery rows just committed; never blocks. */
    @Override
    public void accept(List<EventLog.DeliveryRow> fanned) {
        if (!closing && !told.offer(new CommitNotice(fanned, clock.instant()))) {
            queue(fanned, null); // what lies in memory is bounded; they are read from the rows
        }
    }

    /** The webhooks for which there is no room now. */
    public List<String> full() {
        return full.isEmpty() ? List.of() : List.copyOf(full);
    }

    /** A webhook was changed: it is read anew before the next attempt. */
    void changed(String webhook) {
        EndpointQueue lane = lanes.get(webhook);
        if (lane != null) {
            lane.stale();
        }
    }

    /** There is something new to deliver in the rows. */
    void wakeForDue() {
        beat.wake();
    }

    /** A webhook was deleted or disabled: what waits for it in memory goes. */
    void forget(String webhook) {
        full.remove(webhook);
        EndpointQueue lane = lanes.get(webhook);
        if (lane != null) {
            lane.clear();
        }
    }

    /** The places for posts of this node, of which a trial takes one too. */
    public HostLimiter targets() {
        return targets;
    }

    /** Begins nothing more, gives the attempts under way a little time, and writes what became of them. */
    @Override
    public void close() {
        closing = true;
        Thread telling = teller;
        if (telling != null) {
            telling.interrupt();
        }
        beat.close();
        lanes.values().forEach(EndpointQueue::clear);
        targets.close();
        long end = System.nanoTime() + LAST_ATTEMPTS.toNanos();
        for (EndpointQueue lane : lanes.values()) {
            lane.awaitQuiet(end);
        }
        attempts.cancel();
        settlements.close();
    }

    private void consume() {
        try {
            while (true) {
                CommitNotice next = told.take();
                queue(next.fanned, new WebhookDelivery.RowSnapshot(next.at, false, true));
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Hands deliveries to their lanes.
     *
     * @param written not null when each payload is made now, once, off the committing thread; from here on it is known
     *     how much memory it takes
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
            LOG.warn("An event could not be told from memory; it is read from the rows", unforeseen);
            return null;
        }
    }

    private void offer(WebhookDelivery delivery) {
        lanes.compute(delivery.webhook(), (webhook, known) -> {
            EndpointQueue lane = known != null
                    ? known
                    : new EndpointQueue(new DeliverySql.DueWebhook(delivery.organization(), webhook), memory, worker);
            if (!lane.offer(delivery)) {
                full.add(webhook); // from now on its rows are nobody's from the start
                settlements.refused(delivery);
                meters.overflowed.accept(1);
            }
            return lane;
        });
    }

    private void runDue() {
        List<DeliverySql.DueWebhook> due = database.read(tx -> DeliverySql.due(tx, withoutRoom()));
        due.stream()
                .collect(Collectors.groupingBy(
                        DeliverySql.DueWebhook::organization,
                        Collectors.mapping(DeliverySql.DueWebhook::webhook, Collectors.toList())))
                .forEach(this::claimOrLater);
        for (UUID organization : database.read(DeliverySql::expired)) {
            database.<@Nullable Void>write(organization, tx -> {
                DeliverySql.deleteExpired(tx, View.of(organization));
                return null;
            });
        }
        long idle = LANE_KEPT.toNanos();
        lanes.keySet()
                .forEach(webhook -> lanes.computeIfPresent(webhook, (_, lane) -> lane.isIdleFor(idle) ? null : lane));
        full.removeIf(webhook -> !lanes.containsKey(webhook));
    }

    private List<String> withoutRoom() {
        return lanes.values().stream()
                .filter(lane -> lane.room() == 0)
                .map(EndpointQueue::webhook)
                .toList();
    }

    /** One organization that cannot be written now must not keep the others waiting (promise P9). */
    private void claimOrLater(UUID organization, List<String> webhooks) {
        try {
            claim(organization, webhooks);
        } catch (RuntimeException failure) {
            LOG.warn("What is due of {} is delivered later: {}", organization, failure.toString());
        }
    }

    private void claim(UUID organization, List<String> webhooks) {
        List<Integer> rooms = new ArrayList<>();
        for (String webhook : webhooks) {
            EndpointQueue lane = lanes.get(webhook);
            rooms.add(lane == null ? EndpointQueue.LONGEST_CLAIM : lane.room());
        }
        long startBy = WebhookDelivery.startBy(WebhookDelivery.LEASE);
        List<DeliverySql.ClaimedDelivery> claimed = database.write(
                organization, tx -> DeliverySql.claim(tx, View.of(organization), nodes.self(), webhooks, rooms));
        Map<String, Integer> taken = new HashMap<>();
        for (DeliverySql.ClaimedDelivery row : claimed) {
            offer(new WebhookDelivery(organization, row.webhook(), row.seq(), row.attempts(), null, false, startBy));
            taken.merge(row.webhook(), 1, Integer::sum);
        }
        for (int i = 0; i < webhooks.size(); i++) {
            EndpointQueue lane = lanes.get(webhooks.get(i));
            if (lane != null && rooms.get(i).equals(taken.get(webhooks.get(i)))) {
                lane.noteMoreDue();
            }
        }
    }
}
