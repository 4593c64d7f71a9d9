package dev.inboxd.outbound;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.job.TakeOver;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.event.EventLog;
import dev.inboxd.inbound.authentication.RawMessage;
import dev.inboxd.outbound.throttle.DestinationThrottle;
import dev.inboxd.outbound.throttle.OrganizationThrottle;
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

/** The delivery queue. Its rows are the truth: after a crash, claims expire and are tried again (promises P2, P3). */
public final class DeliveryQueue implements SubmissionQueue.Deliverer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);
    private static final String KIND = "outgoing";
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    /** Organizations whose mail is claimed at a time; it is delivered by other threads. */
    private static final int AT_ONCE = 16;

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
    private final @Nullable DestinationThrottle destinations;
    /** The items being delivered; a submission's recipients may be in several items. */
    private final Set<QueueItem> inProgress = ConcurrentHashMap.newKeySet();
    /** Organizations with rows that may be claimed and not delivered: a commit is unknown, or a delivery failed. */
    private final Set<UUID> suspects = ConcurrentHashMap.newKeySet();

    private final ImmediateDelivery immediateDelivery;
    private final DueWork due;
    private final PeriodicTask policyRefresh;
    /** Organizations of which due recipients may have been left because permits were missing. */
    private final Set<UUID> left = ConcurrentHashMap.newKeySet();

    private volatile boolean started;
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
     * @param due finds due mail
     */
    public record Parts(Courier.Parts courier, EventLog log, Nodes nodes, DueWork due) {}

    /** A queue over a database; it delivers nothing before {@link #start}. */
    public DeliveryQueue(Parts parts, Routing routing, Config config) {
        this.database = parts.courier.database();
        this.nodes = parts.nodes;
        this.due = parts.due;
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
        due.add(new WorkKind(
                KIND,
                DeliveryQueueSql.NEXT,
                WorkKind.Pace.of(INTERVAL, AT_ONCE),
                nodes.departures().worker(this::deliverDue)));
    }

    /** Starts delivery. */
    public void start() {
        started = true;
        policyRefresh.start();
    }

    @Override
    public void queued(UUID organization) {
        due.wake(KIND, organization);
    }

    @Override
    public SubmissionQueue.@Nullable ImmediateSlot reserve(
            SubmissionQueue.LoadedMessage message, List<String> recipients) {
        return stopping || !started ? null : immediateDelivery.of(message, recipients);
    }

    /** Ends the back-off of a domain and looks for due mail now. */
    public void retry(String domain) {
        if (destinations != null) {
            destinations.retry(domain);
        }
        wakeLeft();
    }

    /** Permits were returned: those that waited for some try again. */
    private void wakeLeft() {
        for (UUID organization : List.copyOf(left)) {
            left.remove(organization);
            due.wake(KIND, organization);
        }
    }

    /** Notes an organization with rows that may be claimed and not delivered until their lease expires. */
    private void noteSuspectClaims(UUID organization) {
        suspects.add(organization);
        due.wake(KIND, organization);
    }

    /** Makes mail that a dead node had claimed due again, except what this process is delivering. */
    public TakeOver.Claims claims() {
        return new QueueClaims(this::inProgressOf);
    }

    /**
     * Stops: claims nothing more, waits for deliveries in progress, then closes the sessions with other servers. Claims
     * without a result are free for others once the node leaves ({@link Nodes#close}).
     */
    @Override
    public void close() {
        stopping = true;
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

    /** Claims and delivers due mail. Permits are taken first: nothing is claimed that cannot be sent now. */
    private void deliverDue(UUID organization) {
        if (stopping || !nodes.departures().mayBegin(organization)) {
            return;
        }
        List<String> closed = remoteRequest(0).closed();
        boolean suspect = suspects.contains(organization);
        DeliveryQueueSql.DueMail mail = database.read(tx -> DeliveryQueueSql.due(tx, View.of(organization), closed));
        int localRoom = mail.local() || suspect ? local.acquire(organization, CLAIM_LIMIT) : 0;
        int remoteRoom = mail.remote() || suspect ? remote.acquire(organization, CLAIM_LIMIT) : 0;
        boolean hasPermits = localRoom + remoteRoom > 0;
        if (!closed.isEmpty() || !hasPermits || (destinations != null && mail.remote())) {
            left.add(organization);
        }
        try {
            List<QueueItem> items = !hasPermits || stopping ? List.of() : claimed(organization, localRoom, remoteRoom);
            inProgress.addAll(items);
            for (QueueItem item : items) {
                localRoom -= item.local() ? 1 : 0;
                remoteRoom -= item.local() ? 0 : 1;
                boolean admitted = destinations == null || item.local() || destinations.begin(item.destination());
                Thread.startVirtualThread(() -> deliver(item, null, admitted));
            }
        } finally {
            local.release(organization, localRoom);
            remote.release(organization, remoteRoom);
            if (hasPermits && localRoom + remoteRoom == 0) {
                due.wake(KIND, organization); // there may be more, to be claimed without waiting for results
            }
        }
    }

    private List<QueueItem> claimed(UUID organization, int localRoom, int remoteRoom) {
        View view = View.of(organization);
        boolean suspect = suspects.remove(organization); // removed first: an addition during the claim must stay
        try {
            // other threads may have used up the destinations' limits since the organization was found
            if (localRoom == 0
                    && destinations != null
                    && !suspect
                    && !database.read(tx -> DeliveryQueueSql.hasDue(tx, view, remoteRequest(remoteRoom)))) {
                return List.of();
            }
            return database.write(organization, tx -> {
                List<QueueItem> ours = inProgressOf(organization);
                if (suspect) {
                    DeliveryQueueSql.release(tx, view, nodes.self(), ours);
                }
                List<QueueItem> items = new ArrayList<>();
                if (localRoom > 0) {
                    items.addAll(DeliveryQueueSql.claim(tx, view, nodes.self(), localRequest(localRoom), ours));
                }
                if (remoteRoom > 0) {
                    items.addAll(DeliveryQueueSql.claim(tx, view, nodes.self(), remoteRequest(remoteRoom), ours));
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
                database.run(item.organization(), tx -> {
                    DeliveryQueueSql.unclaim(tx, item);
                });
            }
            done = true;
        } catch (RuntimeException failure) {
            LOG.warn("Delivery result not recorded, next attempt follows submission_id={}", item.submission(), failure);
        } finally {
            inProgress.remove(item);
            if (!done) {
                noteSuspectClaims(item.organization()); // else its recipients would wait for the lease to expire
            }
            (item.local() ? local : remote).release(item.organization(), 1);
            if (admitted) {
                wakeLeft();
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
        results.record(item, aborted ? finalOutcomes(outcomes) : outcomes, () -> stopping);
    }

    private void recordSignal(QueueItem item, DestinationThrottle.LoadSignal signal) {
        if (destinations != null && !item.local()) {
            destinations.ended(item.destination(), signal);
        }
    }

    /** The final outcomes. Of a session that we aborted nothing is known: its claim stays for the next node. */
    private static Map<QueueItem.Recipient, RecipientOutcome> finalOutcomes(
            Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .filter(entry -> !entry.getValue().isOpen())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
