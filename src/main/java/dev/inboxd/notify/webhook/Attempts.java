package dev.inboxd.notify.webhook;

import dev.inboxd.net.Outcome;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.log.LogLine;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes one attempt: finds the endpoint and the payload, posts, and hands the outcome to be settled. */
final class Attempts {
    private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);
    /** All endpoints together: a thousand that hang with all they may have under way leave room for the others. */
    private static final int MOST_AT_ONCE = 6_144;
    /** How long another node's change of a webhook may go unnoticed; our own are noticed at once. */
    private static final Duration ENDPOINT_KNOWN = Duration.ofSeconds(2);

    private final Database database;
    private final Readings readings;
    private final Outgoing outgoing;
    private final WebhookSql webhooks;
    private final Settlements settlements;
    private final DeliveryMeters meters;
    private final Targets targets;
    private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE, true);
    private volatile boolean calledOff;

    /** What an attempt says of the webhook's lane ({@link Lane.Worker#attempt}) and of the host ({@link Targets.Stay#leave}). */
    enum Course {
        TAKEN(1, 1),
        FAILED(-1, -1),
        /** Our own congestion or our own end: the lane dares less, but the host, where others post too, did nothing. */
        OURS(-1, 0),
        /** There was nothing to post, or no time. */
        NONE(0, 0);

        final int lane;
        final int host;

        Course(int lane, int host) {
            this.lane = lane;
            this.host = host;
        }

        static Course of(Outcome outcome, boolean calledOff) {
            return switch (outcome) {
                case Outcome.Answered answered -> answered.successful() ? TAKEN : FAILED;
                case Outcome.Failed failed -> calledOff || failed.kind() == Outcome.Failure.BUSY ? OURS : FAILED;
            };
        }
    }

    /** What attempts are made of. */
    record Parts(Database database, Payloads payloads, Outgoing outgoing, Targets targets) {}

    Attempts(Parts parts, Settlements settlements, DeliveryMeters meters) {
        this.database = parts.database;
        this.outgoing = parts.outgoing;
        this.targets = parts.targets;
        this.webhooks = new WebhookSql(parts.outgoing.vault());
        this.settlements = settlements;
        this.meters = meters;
        this.readings = new Readings(
                new Readings.Parts(parts.database, parts.payloads, parts.outgoing.clock()), settlements, meters);
    }

    /** See {@link Lane.Worker#attempt}. What cannot be found out now is left to the row and its lease. */
    int make(Lane lane, Delivery delivery) {
        try {
            Endpoint endpoint = delivery.isLate() || !outgoing.nodes().isAlive() ? null : endpoint(lane);
            // Before its payload is read: who waits here holds no more memory than the lane counts.
            Outgoing.Aim aim = endpoint == null ? null : outgoing.aim(endpoint, targets);
            Targets.Stay stay =
                    aim == null ? null : targets.enter(delivery.organization(), aim.place(), delivery.startBy());
            if (aim == null || stay == null) {
                meters.skipped.accept(1);
                return 0;
            }
            return there(aim, lane, delivery, stay);
        } catch (RuntimeException unforeseen) {
            LOG.warn("A delivery could not be made and will be repeated: {}", unforeseen.toString());
            return 0;
        }
    }

    private int there(Outgoing.Aim aim, Lane lane, Delivery delivery, Targets.Stay stay) {
        Course course = Course.NONE;
        try {
            Delivery ready = readings.ready(lane, delivery);
            Delivery.Known payload = ready == null ? null : ready.payload();
            if (payload == null) {
                meters.skipped.accept(1);
            } else {
                course = bounded(aim, delivery.light(), payload);
            }
            return course.lane;
        } finally {
            stay.leave(course.host);
        }
    }

    /** From now on an exchange that fails may have failed because of us, and says nothing of its endpoint. */
    void callOff() {
        calledOff = true;
    }

    private @Nullable Endpoint endpoint(Lane lane) {
        Endpoint known = lane.endpoint(ENDPOINT_KNOWN.toNanos());
        if (known != null) {
            return known;
        }
        Optional<Endpoint> read = database.read(tx -> endpoint(tx, lane));
        read.ifPresentOrElse(lane::endpoint, lane::clear);
        return read.orElse(null);
    }

    private Optional<Endpoint> endpoint(Tx tx, Lane lane) {
        return webhooks.endpoint(tx, View.of(lane.organization()), lane.webhook(), false)
                .map(stored -> stored.in(lane.organization(), outgoing.http()));
    }

    private Course bounded(Outgoing.Aim aim, Delivery delivery, Delivery.Known payload) {
        atOnce.acquireUninterruptibly();
        try {
            return delivery.isLate() ? Course.NONE : post(aim, delivery, payload);
        } finally {
            atOnce.release();
        }
    }

    private Course post(Outgoing.Aim aim, Delivery delivery, Delivery.Known payload) {
        Instant at = outgoing.clock().instant().truncatedTo(ChronoUnit.MICROS);
        long start = System.nanoTime();
        Outcome outcome = outgoing.post(delivery.webhook(), aim, payload.eventId(), at, payload.content());
        int millis = Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        LogLine line = LogLine.of("delivery")
                .with("webhook", delivery.webhook())
                .with("event", payload.eventId())
                .with("attempt", delivery.attempts() + 1);
        Course course = Course.of(outcome, calledOff);
        switch (outcome) {
            case Outcome.Answered answered -> {
                line.with("status", answered.status()).with("ms", millis).write();
                if (course == Course.TAKEN) {
                    succeeded(new Made(delivery, at, answered.status(), null, millis, answered.opening()), payload);
                } else {
                    failed(
                            new Made(
                                    delivery,
                                    at,
                                    answered.status(),
                                    "status " + answered.status(),
                                    millis,
                                    answered.opening()),
                            payload);
                }
            }
            case Outcome.Failed failed -> {
                line.with("failure", wire(failed.kind())).with("ms", millis).write();
                // Called off by us, or never begun: not an attempt. Who inherits from us finds the row, or whoever has
                // room.
                if (failed.kind() == Outcome.Failure.BUSY) {
                    settlements.refused(delivery);
                }
                if (course != Course.OURS) {
                    failed(
                            new Made(delivery, at, null, wire(failed.kind()) + ": " + failed.detail(), millis, null),
                            payload);
                }
            }
        }
        return course;
    }

    private void succeeded(Made made, Delivery.Known payload) {
        settlements.succeeded(made);
        meters.delivered.accept(1);
        meters.latency.accept(Duration.between(payload.at(), outgoing.clock().instant()));
    }

    private void failed(Made made, Delivery.Known payload) {
        settlements.failed(Settlements.Failed.of(made, payload.isStored() ? null : payload.content()));
        meters.failed.accept(1);
    }

    private static String wire(Outcome.Failure kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
