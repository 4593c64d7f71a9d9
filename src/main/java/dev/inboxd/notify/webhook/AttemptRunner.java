package dev.inboxd.notify.webhook;

import dev.inboxd.net.HttpOutcome;
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
final class AttemptRunner {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);
    /** All endpoints together: a thousand that hang with all they may have under way leave room for the others. */
    private static final int MOST_AT_ONCE = 6_144;
    /** How long another node's change of a webhook may go unnoticed; our own are noticed at once. */
    private static final Duration ENDPOINT_KNOWN = Duration.ofSeconds(2);

    private final Database database;
    private final PayloadPrefetch readings;
    private final WebhookPoster outgoing;
    private final WebhookSql webhooks;
    private final ResultWriter settlements;
    private final DeliveryMetrics meters;
    private final HostLimiter targets;
    private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE, true);
    private volatile boolean calledOff;

    /** What an attempt says of the webhook's lane ({@link EndpointQueue.Worker#attempt}) and of the host ({@link HostLimiter.Permit#release}). */
    enum LoadSignal {
        TAKEN(1, 1),
        FAILED(-1, -1),
        /** Our own congestion or our own end: the lane dares less, but the host, where others post too, did nothing. */
        OURS(-1, 0),
        /** There was nothing to post, or no time. */
        NONE(0, 0);

        final int queue;
        final int host;

        LoadSignal(int lane, int host) {
            this.queue = lane;
            this.host = host;
        }

        static LoadSignal of(HttpOutcome outcome, boolean calledOff) {
            return switch (outcome) {
                case HttpOutcome.Response answered -> answered.successful() ? TAKEN : FAILED;
                case HttpOutcome.NoResponse failed ->
                    calledOff || failed.kind() == HttpOutcome.Failure.BUSY ? OURS : FAILED;
            };
        }
    }

    /** What attempts are made of. */
    record Parts(Database database, Payloads payloads, WebhookPoster outgoing, HostLimiter targets) {}

    AttemptRunner(Parts parts, ResultWriter settlements, DeliveryMetrics meters) {
        this.database = parts.database;
        this.outgoing = parts.outgoing;
        this.targets = parts.targets;
        this.webhooks = new WebhookSql(parts.outgoing.vault());
        this.settlements = settlements;
        this.meters = meters;
        this.readings = new PayloadPrefetch(
                new PayloadPrefetch.Parts(parts.database, parts.payloads, parts.outgoing.clock()), settlements, meters);
    }

    /** See {@link EndpointQueue.Worker#attempt}. What cannot be found out now is left to the row and its lease. */
    int make(EndpointQueue lane, WebhookDelivery delivery) {
        try {
            Endpoint endpoint = delivery.isLate() || !outgoing.nodes().isAlive() ? null : endpoint(lane);
            // Before its payload is read: who waits here holds no more memory than the lane counts.
            WebhookPoster.ResolvedEndpoint aim = endpoint == null ? null : outgoing.resolve(endpoint, targets);
            HostLimiter.Permit stay =
                    aim == null ? null : targets.enter(delivery.organization(), aim.destination(), delivery.startBy());
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

    private int there(
            WebhookPoster.ResolvedEndpoint aim, EndpointQueue lane, WebhookDelivery delivery, HostLimiter.Permit stay) {
        LoadSignal course = LoadSignal.NONE;
        try {
            WebhookDelivery ready = readings.ready(lane, delivery);
            WebhookDelivery.EventContent payload = ready == null ? null : ready.payload();
            if (payload == null) {
                meters.skipped.accept(1);
            } else {
                course = bounded(aim, delivery.light(), payload);
            }
            return course.queue;
        } finally {
            stay.release(course.host);
        }
    }

    /** From now on an exchange that fails may have failed because of us, and says nothing of its endpoint. */
    void cancel() {
        calledOff = true;
    }

    private @Nullable Endpoint endpoint(EndpointQueue lane) {
        Endpoint known = lane.endpoint(ENDPOINT_KNOWN.toNanos());
        if (known != null) {
            return known;
        }
        Optional<Endpoint> read = database.read(tx -> endpoint(tx, lane));
        read.ifPresentOrElse(lane::endpoint, lane::clear);
        return read.orElse(null);
    }

    private Optional<Endpoint> endpoint(Tx tx, EndpointQueue lane) {
        return webhooks.endpoint(tx, View.of(lane.organization()), lane.webhook(), false)
                .map(stored -> stored.in(lane.organization(), outgoing.http()));
    }

    private LoadSignal bounded(
            WebhookPoster.ResolvedEndpoint aim, WebhookDelivery delivery, WebhookDelivery.EventContent payload) {
        atOnce.acquireUninterruptibly();
        try {
            return delivery.isLate() ? LoadSignal.NONE : post(aim, delivery, payload);
        } finally {
            atOnce.release();
        }
    }

    private LoadSignal post(
            WebhookPoster.ResolvedEndpoint aim, WebhookDelivery delivery, WebhookDelivery.EventContent payload) {
        Instant at = outgoing.clock().instant().truncatedTo(ChronoUnit.MICROS);
        long start = System.nanoTime();
        HttpOutcome outcome = outgoing.post(delivery.webhook(), aim, payload.eventId(), at, payload.content());
        int millis = Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        LogLine line = LogLine.of("delivery")
                .with("webhook", delivery.webhook())
                .with("event", payload.eventId())
                .with("attempt", delivery.attempts() + 1);
        LoadSignal course = LoadSignal.of(outcome, calledOff);
        switch (outcome) {
            case HttpOutcome.Response answered -> {
                line.with("status", answered.status()).with("ms", millis).write();
                if (course == LoadSignal.TAKEN) {
                    succeeded(
                            new AttemptResult(delivery, at, answered.status(), null, millis, answered.opening()),
                            payload);
                } else {
                    failed(
                            new AttemptResult(
                                    delivery,
                                    at,
                                    answered.status(),
                                    "status " + answered.status(),
                                    millis,
                                    answered.opening()),
                            payload);
                }
            }
            case HttpOutcome.NoResponse failed -> {
                line.with("failure", wire(failed.kind())).with("ms", millis).write();
                // Called off by us, or never begun: not an attempt. Who inherits from us finds the row, or whoever has
                // room.
                if (failed.kind() == HttpOutcome.Failure.BUSY) {
                    settlements.refused(delivery);
                }
                if (course != LoadSignal.OURS) {
                    failed(
                            new AttemptResult(
                                    delivery, at, null, wire(failed.kind()) + ": " + failed.detail(), millis, null),
                            payload);
                }
            }
        }
        return course;
    }

    private void succeeded(AttemptResult made, WebhookDelivery.EventContent payload) {
        settlements.succeeded(made);
        meters.delivered.accept(1);
        meters.latency.accept(Duration.between(payload.at(), outgoing.clock().instant()));
    }

    private void failed(AttemptResult made, WebhookDelivery.EventContent payload) {
        settlements.failed(ResultWriter.FailedAttempt.of(made, payload.isStored() ? null : payload.content()));
        meters.failed.accept(1);
    }

    private static String wire(HttpOutcome.Failure kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
