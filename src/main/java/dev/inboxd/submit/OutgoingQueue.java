package dev.inboxd.submit;

import dev.inboxd.database.Database;
import dev.inboxd.database.View;
import dev.inboxd.event.EventLog;
import dev.inboxd.job.Beat;
import java.time.Duration;
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
    private static final int PARCELS_AT_ONCE = 64;
    private static final Duration LAST_WAIT = Duration.ofSeconds(20);

    private final Database database;
    private final Courier courier;
    private final Settlement settlement;
    private final SmtpPool pool;
    private final Semaphore room = new Semaphore(PARCELS_AT_ONCE, true);
    private final Set<UUID> busy = ConcurrentHashMap.newKeySet();
    private @Nullable Beat beat;
    private volatile boolean stopping;

    /** A queue over a database; nothing leaves before {@link #start}. */
    public OutgoingQueue(Courier.Parts parts, EventLog log, Routing routing, String hostName) {
        this.database = parts.database();
        this.pool = new SmtpPool(new SmtpClient(hostName, SmtpTimeouts.standard()), 100, Duration.ofSeconds(10));
        this.courier = new Courier(parts, routing, pool);
        this.settlement = new Settlement(database, log);
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
        for (UUID organization : database.read(OutgoingSql::organizationsWithDue)) {
            // One claim at a time for each organization; what it leaves due is found at the next beat.
            if (busy.add(organization)) {
                Thread.startVirtualThread(() -> deliver(organization));
            }
        }
    }

    private void deliver(UUID organization) {
        try {
            List<Parcel> parcels = database.write(organization, tx -> OutgoingSql.claim(tx, View.of(organization)));
            for (Parcel parcel : parcels) {
                while (!stopping && !room.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                    LOG.debug("Every place is taken");
                }
                if (stopping) {
                    return; // claimed again when the claim has run out, or at the next start
                }
                Thread.startVirtualThread(() -> carry(parcel));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            LOG.warn("Mail of organization {} could not be claimed: {}", organization, failure.toString());
        } finally {
            busy.remove(organization);
        }
    }

    private void carry(Parcel parcel) {
        try {
            Map<Parcel.Recipient, Outcome> outcomes = courier.carry(parcel);
            settlement.settle(parcel, outcomes);
        } catch (RuntimeException failure) {
            LOG.warn("Submission {} could not be settled and will be tried again", parcel.submission(), failure);
        } finally {
            room.release();
        }
    }
}
