package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.database.DatabaseFailure;
import dev.inboxd.database.View;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.job.Beat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes queued mail to its end: delivered, captured or bounced. The rows are the truth; a crash leaves claims that run
 * out, so everything is tried again and nothing is forgotten (promises P2, P3).
 */
public final class OutgoingQueue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingQueue.class);
    private static final Duration REST = Duration.ofSeconds(1);
    private static final int PARCELS_AT_ONCE = 256;
    /** What one organization may have under way: half, so that nobody's slow destinations are everybody's. */
    private static final int PARCELS_OF_ONE = PARCELS_AT_ONCE / 2;
    private static final int CROWDED = PARCELS_AT_ONCE / 4;
    private static final int CLAIMED_AT_ONCE = 16;
    private static final Duration LAST_WAIT = Duration.ofSeconds(20);

    private final Database database;
    private final Courier courier;
    private final Settlements settlements;
    private final SmtpPool pool;
    private final Semaphore room = new Semaphore(PARCELS_AT_ONCE, true);
    private final UUID node = UUID.randomUUID();
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();
    private final @Nullable Destinations destinations;
    /** By parcel, because the recipients of one submission may be in several. */
    private final Set<Parcel> carried = ConcurrentHashMap.newKeySet();
    /** Organizations with claims that nobody may be carrying: the commit of one was not heard of, or carrying failed. */
    private final Set<UUID> doubtful = ConcurrentHashMap.newKeySet();
    private @Nullable Beat beat;
    private volatile boolean stopping;

    /**
     * How this server appears to others.
     *
     * @param hostName in EHLO
     * @param tls with other mail servers
     * @param connections in use with one host, and messages under way to one destination, at most
     * @param perMinute messages to one destination in a minute, at most
     */
    public record Manners(String hostName, ClientTls tls, int connections, int perMinute) {}

    /** A queue over a database; nothing leaves before {@link #start}. */
    public OutgoingQueue(Courier.Parts parts, EventLog log, Routing routing, Manners manners) {
        this.database = parts.database();
        this.pool = new SmtpPool(new SmtpClient(manners.hostName, SmtpTimeouts.standard(), manners.tls), 100,
                manners.connections, Duration.ofSeconds(10));
        this.courier = new Courier(parts, new Departures(parts, routing, pool, manners.hostName));
        this.destinations = routing instanceof Routing.Direct
                ? new Destinations(manners.connections, manners.perMinute, System::nanoTime) : null;
        this.settlements = new Settlements(database, log);
    }

    /** Begins to deliver. */
    public void start() {
        beat = new Beat("outgoing", REST, this::deliverDue);
    }

    /** Something was queued. */
    public void wake() {
        Beat running = beat;
        if (running != null) {
            running.wake();
        }
    }

    /** Takes up at once what a stopped process had claimed; only where this node is alone. Before {@link #start}. */
    public void reclaim() {
        for (UUID organization : database.read(OutgoingSql::organizationsWithClaims)) {
            database.write(organization, tx -> OutgoingSql.reclaim(tx, View.of(organization)));
        }
    }

    /** Takes nothing up any more and waits a while for what is under way; the rest is claimed again later. */
    @Override
    public void close() {
        stopping = true;
        Beat running = beat;
        if (running != null) {
            running.close();
        }
        try {
            if (!room.tryAcquire(PARCELS_AT_ONCE, LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Some deliveries were still under way at the stop and will be tried again");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        pool.close();
    }

    private void deliverDue() {
        List<String> closed = wish(0).closed();
        List<UUID> organizations = new ArrayList<>(database.read(tx -> OutgoingSql.organizationsWithDue(tx, closed)));
        organizations.addAll(doubtful);
        for (UUID organization : organizations) {
            // One claim at a time for each organization; what it leaves due is found at the next beat.
            if (!stopping && busy.add(organization)) {
                Thread.startVirtualThread(() -> deliver(organization));
            }
        }
    }

    /** Takes a place for each recipient first, so that nothing is claimed that must wait for its turn. */
    private void deliver(UUID organization) {
        try {
            long underWay = carried.stream().filter(parcel -> parcel.organization().equals(organization)).count();
            int places = 0;
            while (places < Math.min(CLAIMED_AT_ONCE, PARCELS_OF_ONE - underWay) && room.tryAcquire()) {
                places++;
            }
            List<Parcel> parcels = places == 0 || stopping ? List.of() : claimed(organization, places);
            room.release(places - parcels.size());
            carried.addAll(parcels);
            for (Parcel parcel : parcels) {
                boolean begins = destinations == null || destinations.begin(parcel.destination());
                Thread.startVirtualThread(() -> carry(parcel, begins));
            }
        } catch (RuntimeException failure) {
            LOG.warn("Mail of organization {} could not be claimed: {}", organization, failure.toString());
        } finally {
            busy.remove(organization);
        }
    }

    private List<Parcel> claimed(UUID organization, int places) {
        View view = View.of(organization);
        boolean doubted = doubtful.remove(organization); // first: a doubt that arises meanwhile is another one
        try {
            // others may have filled the destinations since the look that found this organization
            if (destinations != null && !doubted && !database.read(tx -> OutgoingSql.hasDue(tx, view, wish(places)))) {
                return List.of();
            }
            return database.write(organization, tx -> {
                List<Parcel> ours = carried.stream().filter(parcel -> parcel.organization().equals(organization)).toList();
                if (doubted) {
                    OutgoingSql.takeBack(tx, view, node, ours);
                }
                return OutgoingSql.claim(tx, view, node, wish(places), ours);
            });
        } catch (RuntimeException failure) {
            doubtful.add(organization);
            room.release(places);
            throw failure;
        }
    }

    private OutgoingSql.Wish wish(int most) {
        return destinations == null ? new OutgoingSql.Wish(most, Map.of(), Integer.MAX_VALUE, false)
                : new OutgoingSql.Wish(most, destinations.known(room.availablePermits() < CROWDED), destinations.usual(), true);
    }

    /**
     * Carries a parcel, or gives it back.
     *
     * @param begins whether its destination has a place for it
     */
    private void carry(Parcel parcel, boolean begins) {
        boolean done = false;
        Destinations.Course course = Destinations.Course.UNKNOWN;
        try {
            if (stopping || !begins) {
                database.<@Nullable Void>write(parcel.organization(), tx -> {
                    OutgoingSql.giveBack(tx, parcel);
                    return null;
                });
            } else {
                Courier.Carried result = courier.carry(parcel);
                course = result.course();
                settle(parcel, result.outcomes());
            }
            done = true;
        } catch (RuntimeException failure) {
            LOG.warn("Submission {} could not be settled and will be tried again", parcel.submission(), failure);
        } finally {
            carried.remove(parcel);
            if (destinations != null && begins) {
                destinations.ended(parcel.destination(), course);
            }
            if (!done) {
                doubtful.add(parcel.organization()); // else its recipients would wait for the end of the lease
            }
            room.release();
            if (begins) {
                wake(); // there is room for more
            }
        }
    }

    /** What the other server has taken must be written down, or it would be sent again: tried until the stop. */
    private void settle(Parcel parcel, Map<Parcel.Recipient, Outcome> outcomes) {
        for (int attempt = 1; true; attempt++) {
            try {
                settlements.settle(parcel, outcomes);
                return;
            } catch (Problem | DatabaseFailure failure) {
                if (stopping) {
                    throw failure;
                }
                if (attempt == 1) {
                    LOG.warn("Submission {} waits for the database to be settled: {}", parcel.submission(),
                            failure.toString());
                }
                pauseForTheDatabase();
            }
        }
    }

    private static void pauseForTheDatabase() {
        try {
            Thread.sleep(500);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
