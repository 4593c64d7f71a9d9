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
 * Takes queued mail to its end: delivered, captured or bounced. The rows are the truth; a crash leaves claims that run
 * out, so everything is tried again and nothing is forgotten (promises P2, P3).
 */
public final class DeliveryQueue implements SubmissionQueue.Deliverer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueue.class);
    private static final Duration REST = Duration.ofSeconds(1);
    private static final int CLAIMED_AT_ONCE = 16;
    private static final Duration LAST_WAIT = Duration.ofSeconds(20);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final Database database;
    private final RemoteDelivery departures;
    private final Courier courier;
    private final DeliveryResultWriter settlements;
    private final SmtpPool pool;
    private final Nodes nodes;
    /** Apart, so that mail for inboxes of this server waits for no other server. */
    private final OrganizationThrottle local = new OrganizationThrottle();

    private final OrganizationThrottle remote = new OrganizationThrottle();
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();
    private final @Nullable DestinationThrottle destinations;
    /** By parcel, because the recipients of one submission are in several. */
    private final Set<QueueItem> carried = ConcurrentHashMap.newKeySet();
    /** Organizations with claims that nobody may be carrying: the commit of one was not heard of, or carrying failed. */
    private final Set<UUID> doubtful = ConcurrentHashMap.newKeySet();

    private final ImmediateDelivery handovers;
    private final PeriodicTask beat = new PeriodicTask("outgoing", REST, this::deliverDue);
    private final PeriodicTask refreshing;
    /** Whether something due may have found no room. */
    private volatile boolean more;

    private volatile boolean stopping;
    private volatile boolean cut;

    /**
     * How this server appears to others.
     *
     * @param hostName in EHLO
     * @param tls with other mail servers
     * @param connections in use with one host, and messages under way to one destination, at most
     * @param perMinute messages to one destination in a minute, at most
     */
    public record Config(String hostName, ClientTls tls, int connections, int perMinute) {}

    /**
     * What a queue stands on.
     *
     * @param log is told what became of mail
     * @param nodes as whom mail is claimed
     */
    public record Parts(Courier.Parts courier, EventLog log, Nodes nodes) {}

    /** A queue over a database; nothing leaves before {@link #start}. */
    public DeliveryQueue(Parts parts, Routing routing, Config manners) {
        this.database = parts.courier.database();
        this.nodes = parts.nodes;
        this.pool = new SmtpPool(
                new SmtpClient(manners.hostName, SmtpTimeouts.standard(), manners.tls),
                100,
                manners.connections,
                Duration.ofSeconds(10));
        this.departures = new RemoteDelivery(parts.courier, routing, pool, manners.hostName);
        this.refreshing = new PeriodicTask("policies of mail hosts", Duration.ofMinutes(10), departures::refresh);
        this.courier = new Courier(parts.courier, departures);
        this.destinations = routing instanceof Routing.Direct
                ? new DestinationThrottle(manners.connections, manners.perMinute, System::nanoTime)
                : null;
        this.settlements =
                new DeliveryResultWriter(database, parts.log, new DsnReports(parts.courier, manners.hostName));
        this.handovers = new ImmediateDelivery(
                new ImmediateDelivery.Capacity(remote, destinations, carried, nodes),
                (parcel, raw) -> Thread.startVirtualThread(() -> carry(parcel, raw, true)),
                this::doubt);
        nodes.onDeath(this::inherit);
    }

    /** Begins to deliver. */
    public void start() {
        beat.start();
        refreshing.start();
    }

    @Override
    public void queued() {
        beat.wake();
    }

    @Override
    public SubmissionQueue.@Nullable ImmediateSlot reserve(
            SubmissionQueue.LoadedMessage message, List<String> recipients) {
        return stopping || !beat.isStarted() ? null : handovers.of(message, recipients);
    }

    /** What waits for a domain is tried now, whatever the domain said before. */
    public void retry(String domain) {
        if (destinations != null) {
            destinations.retry(domain);
        }
        beat.wake();
    }

    /** Nobody may be carrying what was claimed; else it would wait for the end of the lease. */
    private void doubt(UUID organization) {
        doubtful.add(organization);
        beat.wake();
    }

    /** Takes up at once what a stopped process had claimed; only where this node is alone. Before {@link #start}. */
    public void reclaim() {
        inherit(null);
    }

    /** Frees what that node, or any, had claimed; who finds it first carries it. */
    private void inherit(@Nullable UUID node) {
        Nodes.takeOver(
                database.read(tx -> DeliveryQueueSql.claimed(tx, node)),
                organization -> database.write(
                        organization, tx -> DeliveryQueueSql.release(tx, View.of(organization), node, List.of())));
        beat.wake();
    }

    /**
     * Takes nothing up any more and waits a while for what is under way; then hangs up on other servers. What is not
     * settled by then is free for others once the node leaves ({@link Nodes#close}).
     */
    @Override
    public void close() {
        stopping = true;
        beat.close();
        Thread.startVirtualThread(refreshing::close); // hosts of others are no reason to wait
        try {
            boolean done = remote.awaitEmpty(LAST_WAIT);
            cut = true;
            pool.abort();
            if (!(done || remote.awaitEmpty(LAST_WORDS)) || !local.awaitEmpty(LAST_WORDS)) {
                LOG.warn("Some deliveries were still under way at the stop and will be tried again");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliverDue() {
        more = false;
        List<String> closed = away(0).closed();
        UUID[] localFull = local.full();
        UUID[] remoteFull = remote.full();
        more = !closed.isEmpty() || localFull.length + remoteFull.length > 0;
        List<DeliveryQueueSql.DueOrganization> found =
                new ArrayList<>(database.read(tx -> DeliveryQueueSql.due(tx, closed, localFull, remoteFull)));
        doubtful.forEach(organization -> found.add(new DeliveryQueueSql.DueOrganization(organization, true, true)));
        for (DeliveryQueueSql.DueOrganization due : found) {
            // One claim at a time for each organization; what it leaves due is found at the next beat.
            if (!stopping && busy.add(due.organization())) {
                Thread.startVirtualThread(() -> deliver(due));
            }
        }
    }

    /** Takes a place for each recipient first, so that nothing is claimed that must wait for its turn. */
    private void deliver(DeliveryQueueSql.DueOrganization due) {
        UUID organization = due.organization();
        int here = due.local() ? local.acquire(organization, CLAIMED_AT_ONCE) : 0;
        int away = due.remote() ? remote.acquire(organization, CLAIMED_AT_ONCE) : 0;
        boolean took = here + away > 0;
        more = more || destinations != null || !took;
        try {
            List<QueueItem> parcels = !took || stopping ? List.of() : claimed(organization, here, away);
            carried.addAll(parcels);
            for (QueueItem parcel : parcels) {
                here -= parcel.local() ? 1 : 0;
                away -= parcel.local() ? 0 : 1;
                boolean begins = destinations == null || parcel.local() || destinations.begin(parcel.destination());
                Thread.startVirtualThread(() -> carry(parcel, null, begins));
            }
        } catch (RuntimeException failure) {
            LOG.warn("Mail of organization {} could not be claimed: {}", organization, failure.toString());
        } finally {
            local.release(organization, here);
            remote.release(organization, away);
            busy.remove(organization);
            if (took && here + away == 0) {
                beat.wake(); // there may be more, and no answer is waited for before it is claimed
            }
        }
    }

    private List<QueueItem> claimed(UUID organization, int here, int away) {
        View view = View.of(organization);
        boolean doubted = doubtful.remove(organization); // first: a doubt that arises meanwhile is another one
        try {
            // others may have filled the destinations since the look that found this organization
            if (here == 0
                    && destinations != null
                    && !doubted
                    && !database.read(tx -> DeliveryQueueSql.hasDue(tx, view, away(away)))) {
                return List.of();
            }
            return database.write(organization, tx -> {
                List<QueueItem> ours = carriedOf(organization);
                if (doubted) {
                    DeliveryQueueSql.release(tx, view, nodes.self(), ours);
                }
                List<QueueItem> parcels = new ArrayList<>();
                if (here > 0) {
                    parcels.addAll(DeliveryQueueSql.claim(tx, view, nodes.self(), here(here), ours));
                }
                if (away > 0) {
                    parcels.addAll(DeliveryQueueSql.claim(tx, view, nodes.self(), away(away), ours));
                }
                return parcels;
            });
        } catch (RuntimeException failure) {
            doubtful.add(organization);
            throw failure;
        }
    }

    private List<QueueItem> carriedOf(UUID organization) {
        synchronized (carried) {
            return carried.stream()
                    .filter(parcel -> parcel.organization().equals(organization))
                    .toList();
        }
    }

    private static DeliveryQueueSql.ClaimRequest here(int most) {
        return new DeliveryQueueSql.ClaimRequest(most, true, Map.of(), Integer.MAX_VALUE);
    }

    private DeliveryQueueSql.ClaimRequest away(int most) {
        return destinations == null
                ? new DeliveryQueueSql.ClaimRequest(most, false, Map.of(), Integer.MAX_VALUE)
                : new DeliveryQueueSql.ClaimRequest(
                        most, false, destinations.snapshot(remote.isCrowded()), destinations.defaultLimit());
    }

    /**
     * Carries a parcel, or gives it back.
     *
     * @param atHand its bytes, when they need not be read and its recipients were checked just now
     * @param begins whether its destination has a place for it
     */
    private void carry(QueueItem parcel, @Nullable RawMessage atHand, boolean begins) {
        boolean done = false;
        try {
            if (stopping || !begins || !nodes.isAlive()) { // others may have it by now
                if (begins) {
                    tell(parcel, DestinationThrottle.LoadSignal.UNKNOWN);
                }
                database.<@Nullable Void>write(parcel.organization(), tx -> {
                    DeliveryQueueSql.unclaim(tx, parcel);
                    return null;
                });
            } else {
                Map<QueueItem.Recipient, RecipientOutcome> outcomes = carried(parcel, atHand);
                settlements.record(parcel, cut ? known(outcomes) : outcomes, () -> stopping);
            }
            done = true;
        } catch (RuntimeException failure) {
            LOG.warn("Submission {} could not be settled and will be tried again", parcel.submission(), failure);
        } finally {
            carried.remove(parcel);
            if (!done) {
                doubtful.add(parcel.organization()); // else its recipients would wait for the end of the lease
            }
            (parcel.local() ? local : remote).release(parcel.organization(), 1);
            if (begins && more) {
                beat.wake(); // there is room for it
            }
        }
    }

    /** Carries it; its destination is heard before anyone can read in a row what it said, and keeps no place until then. */
    private Map<QueueItem.Recipient, RecipientOutcome> carried(QueueItem parcel, @Nullable RawMessage atHand) {
        DestinationThrottle.LoadSignal course = DestinationThrottle.LoadSignal.UNKNOWN;
        try {
            Courier.CourierResult result = courier.deliver(parcel, atHand);
            course = result.signal();
            return result.outcomes();
        } finally {
            tell(parcel, course);
        }
    }

    private void tell(QueueItem parcel, DestinationThrottle.LoadSignal course) {
        if (destinations != null && !parcel.local()) {
            destinations.ended(parcel.destination(), course);
        }
    }

    /** Where we hung up ourselves, nothing is known of the other server: the claim stays, and the next node takes it. */
    private static Map<QueueItem.Recipient, RecipientOutcome> known(
            Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .filter(one -> !one.getValue().isOpen())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
