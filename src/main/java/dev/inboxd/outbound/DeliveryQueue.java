package dev.inboxd.outbound;

import dev.inboxd.event.EventLog;
import dev.inboxd.inbound.RawMessage;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.smtp.client.ClientTls;
import dev.inboxd.smtp.client.SmtpClient;
import dev.inboxd.smtp.client.SmtpPool;
import dev.inboxd.smtp.client.SmtpTimeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivery queue. The rows are authoritative; after a crash claims expire, so that every recipient is tried again
 * and none is lost (promises P2, P3).
 */
public final class DeliveryQueue implements SubmissionQueue.Deliverer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int CLAIM_LIMIT = 16;
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration ABORT_TIMEOUT = Duration.ofSeconds(5);

    private final Database database;
    private final RemoteDelivery remoteMail;
    private final Courier courier;
    private final DeliveryResultWriter results;
    private final SmtpPool pool;
    private final Nodes nodes;
    /** Separate permits, so that mail for inboxes of this server does not wait for other servers. */
    private final OrganizationThrottle local = new OrganizationThrottle();

    private final OrganizationThrottle remote = new OrganizationThrottle();
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();
    private final @Nullable DestinationThrottle destinations;
    /** The items being delivered; a submission's recipients may be in several items. */
    private final Set<QueueItem> inProgress = ConcurrentHashMap.newKeySet();
    /** Organizations with rows that may be claimed and not delivered: a commit is unknown, or a delivery failed. */
    private final Set<UUID> suspects = ConcurrentHashMap.newKeySet();

    private final ImmediateDelivery immediateDelivery;
    private final PeriodicTask deliveryTask = new PeriodicTask("outgoing", INTERVAL, this::deliverDue);
    private final PeriodicTask policyRefresh;
    /** Whether due recipients may have been left because permits were missing. */
    private volatile boolean recheck;

    private volatile boolean stopping;
    private volatile boolean aborted;

    /**
     * The configuration of delivery.
     *
     * @param hostName our name in EHLO
     * @param tls for sessions with other mail servers
     * @param connections maximum number of sessions with a host, and of deliveries to a destination at a time
     * @param perMinute maximum number of messages to a destination in a minute
     */
    public record Config(String hostName, ClientTls tls, int connections, int perMinute) {}

    /**
     * The services of a queue.
     *
     * @param log the event log for results
     * @param nodes the identity under which rows are claimed
     */
    public record Parts(Courier.Parts courier, EventLog log, Nodes nodes) {}

    /** A queue over a database; it delivers nothing before {@link #start}. */
    public DeliveryQueue(Parts parts, Routing routing, Config config) {
        this.database = parts.courier.database();
        this.nodes = parts.nodes;
        this.pool = new SmtpPool(
                new SmtpClient(config.hostName, SmtpTimeouts.standard(), config.tls),
                100,
                config.connections,
                Duration.ofSeconds(10));
        this.remoteMail = new RemoteDelivery(parts.courier, routing, pool, config.hostName);
        this.policyRefresh = new PeriodicTask("policies of mail hosts", Duration.ofMinutes(10), remoteMail::refresh);
        this.courier = new Courier(parts.courier, remoteMail);
        this.destinations = routing instanceof Routing.Direct
                ? new DestinationThrottle(config.connections, config.perMinute, System::nanoTime)
                : null;
        this.results = new DeliveryResultWriter(database, parts.log, new DsnReports(parts.courier, config.hostName));
        this.immediateDelivery = new ImmediateDelivery(
                new ImmediateDelivery.Capacity(remote, destinations, inProgress, nodes),
                (item, raw) -> Thread.startVirtualThread(() -> deliver(item, raw, true)),
                this::noteSuspectClaims);
        nodes.onDeath(this::releaseClaims);
    }

    /** Starts delivery. */
    public void start() {
        deliveryTask.start();
        policyRefresh.start();
    }

    @Override
    public void queued() {
        deliveryTask.wake();
    }

    @Override
    public SubmissionQueue.@Nullable ImmediateSlot reserve(
            SubmissionQueue.LoadedMessage message, List<String> recipients) {
        return stopping || !deliveryTask.isStarted() ? null : immediateDelivery.of(message, recipients);
    }

    /** Ends the back-off of a domain and looks for due mail now. */
    public void retry(String domain) {
        if (destinations != null) {
            destinations.retry(domain);
        }
        deliveryTask.wake();
    }

    /** Notes an organization with rows that may be claimed and not delivered until their lease expires. */
    private void noteSuspectClaims(UUID organization) {
        suspects.add(organization);
        deliveryTask.wake();
    }

    /** Releases what a stopped process had claimed; only where this node is alone. Called before {@link #start}. */
    public void reclaim() {
        releaseClaims(null);
    }

    /** Releases the claims of a node, or of every node when it is null. */
    private void releaseClaims(@Nullable UUID node) {
        Nodes.takeOver(
                database.read(tx -> DeliveryQueueSql.claimed(tx, node)),
                organization -> database.write(
                        organization, tx -> DeliveryQueueSql.release(tx, View.of(organization), node, List.of())));
        deliveryTask.wake();
    }

    /**
     * Stops: claims nothing more, waits for deliveries in progress, then closes the sessions with other servers. Claims
     * without a result are free for others once the node leaves ({@link Nodes#close}).
     */
    @Override
    public void close() {
        stopping = true;
        deliveryTask.close();
        Thread.startVirtualThread(policyRefresh::close); // a policy host must not delay the stop
        try {
            boolean done = remote.awaitEmpty(DRAIN_TIMEOUT);
            aborted = true;
            pool.abort();
            if (!(done || remote.awaitEmpty(ABORT_TIMEOUT)) || !local.awaitEmpty(ABORT_TIMEOUT)) {
                LOG.warn("Deliveries interrupted by the stop, next attempt by another node or after the restart");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliverDue() {
        recheck = false;
        List<String> closed = remoteRequest(0).closed();
        UUID[] localFull = local.full();
        UUID[] remoteFull = remote.full();
        recheck = !closed.isEmpty() || localFull.length + remoteFull.length > 0;
        List<DeliveryQueueSql.DueOrganization> found =
                new ArrayList<>(database.read(tx -> DeliveryQueueSql.due(tx, closed, localFull, remoteFull)));
        suspects.forEach(organization -> found.add(new DeliveryQueueSql.DueOrganization(organization, true, true)));
        for (DeliveryQueueSql.DueOrganization due : found) {
            // One claim at a time for each organization; recipients it leaves due are found on the next run.
            if (!stopping && nodes.departures().mayBegin(due.organization()) && busy.add(due.organization())) {
                Thread.startVirtualThread(() -> deliver(due));
            }
        }
    }

    /** Claims and delivers due mail. Permits are taken first: nothing is claimed that cannot be sent now. */
    private void deliver(DeliveryQueueSql.DueOrganization due) {
        UUID organization = due.organization();
        int here = due.local() ? local.acquire(organization, CLAIM_LIMIT) : 0;
        int away = due.remote() ? remote.acquire(organization, CLAIM_LIMIT) : 0;
        boolean hasPermits = here + away > 0;
        recheck = recheck || destinations != null || !hasPermits;
        try {
            List<QueueItem> items = !hasPermits || stopping ? List.of() : claimed(organization, here, away);
            inProgress.addAll(items);
            for (QueueItem item : items) {
                here -= item.local() ? 1 : 0;
                away -= item.local() ? 0 : 1;
                boolean admitted = destinations == null || item.local() || destinations.begin(item.destination());
                Thread.startVirtualThread(() -> deliver(item, null, admitted));
            }
        } catch (RuntimeException failure) {
            LOG.warn("Due mail not claimed organization_id={} cause=\"{}\"", organization, failure.toString());
        } finally {
            local.release(organization, here);
            remote.release(organization, away);
            busy.remove(organization);
            if (hasPermits && here + away == 0) {
                deliveryTask.wake(); // there may be more, to be claimed without waiting for results
            }
        }
    }

    private List<QueueItem> claimed(UUID organization, int here, int away) {
        View view = View.of(organization);
        boolean suspect = suspects.remove(organization); // removed first: an addition during the claim must stay
        try {
            // other threads may have used up the destinations' limits since the organization was found
            if (here == 0
                    && destinations != null
                    && !suspect
                    && !database.read(tx -> DeliveryQueueSql.hasDue(tx, view, remoteRequest(away)))) {
                return List.of();
            }
            return database.write(organization, tx -> {
                List<QueueItem> ours = inProgressOf(organization);
                if (suspect) {
                    DeliveryQueueSql.release(tx, view, nodes.self(), ours);
                }
                List<QueueItem> items = new ArrayList<>();
                if (here > 0) {
                    items.addAll(DeliveryQueueSql.claim(tx, view, nodes.self(), localRequest(here), ours));
                }
                if (away > 0) {
                    items.addAll(DeliveryQueueSql.claim(tx, view, nodes.self(), remoteRequest(away), ours));
                }
                return items;
            });
        } catch (RuntimeException failure) {
            suspects.add(organization);
            throw failure;
        }
    }

    private List<QueueItem> inProgressOf(UUID organization) {
        synchronized (inProgress) {
            return inProgress.stream()
                    .filter(item -> item.organization().equals(organization))
                    .toList();
        }
    }

    private static DeliveryQueueSql.ClaimRequest localRequest(int most) {
        return new DeliveryQueueSql.ClaimRequest(most, true, Map.of(), Integer.MAX_VALUE);
    }

    private DeliveryQueueSql.ClaimRequest remoteRequest(int most) {
        return destinations == null
                ? new DeliveryQueueSql.ClaimRequest(most, false, Map.of(), Integer.MAX_VALUE)
                : new DeliveryQueueSql.ClaimRequest(
                        most, false, destinations.snapshot(remote.isCrowded()), destinations.defaultLimit());
    }

    /**
     * Delivers an item and records the result, or gives the claim back.
     *
     * @param loaded the message when it was accepted and checked just now; else null
     * @param admitted whether the destination's limit allows it
     */
    private void deliver(QueueItem item, @Nullable RawMessage loaded, boolean admitted) {
        boolean done = false;
        try {
            if (stopping || !admitted || !nodes.departures().run(item.organization(), () -> send(item, loaded))) {
                if (admitted) {
                    recordSignal(item, DestinationThrottle.LoadSignal.UNKNOWN);
                }
                database.<@Nullable Void>write(item.organization(), tx -> {
                    DeliveryQueueSql.unclaim(tx, item);
                    return null;
                });
            }
            done = true;
        } catch (RuntimeException failure) {
            LOG.warn("Delivery result not recorded, next attempt follows submission_id={}", item.submission(), failure);
        } finally {
            inProgress.remove(item);
            if (!done) {
                suspects.add(item.organization()); // otherwise its recipients would wait for the lease to expire
            }
            (item.local() ? local : remote).release(item.organization(), 1);
            if (admitted && recheck) {
                deliveryTask.wake(); // permits were returned
            }
        }
    }

    /** Attempts delivery. The destination's limit is updated before the result is recorded. */
    private void send(QueueItem item, @Nullable RawMessage loaded) {
        DestinationThrottle.LoadSignal signal = DestinationThrottle.LoadSignal.UNKNOWN;
        Map<QueueItem.Recipient, RecipientOutcome> outcomes;
        try {
            Courier.CourierResult result = courier.attempt(item, loaded);
            signal = result.signal();
            outcomes = result.outcomes();
        } finally {
            recordSignal(item, signal);
        }
        results.record(item, aborted ? known(outcomes) : outcomes, () -> stopping);
    }

    private void recordSignal(QueueItem item, DestinationThrottle.LoadSignal signal) {
        if (destinations != null && !item.local()) {
            destinations.ended(item.destination(), signal);
        }
    }

    /** The final outcomes. Of a session that we aborted nothing is known: its claim stays for the next node. */
    private static Map<QueueItem.Recipient, RecipientOutcome> known(
            Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .filter(one -> !one.getValue().isOpen())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
