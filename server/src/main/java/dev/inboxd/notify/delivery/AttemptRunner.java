package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Departures;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.HttpOutcome;
import dev.inboxd.notify.webhook.Endpoint;
import dev.inboxd.notify.webhook.WebhookSql;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one delivery attempt: resolves the endpoint, reads the payload, posts it, and hands the result to
 * {@link ResultWriter}.
 */
public final class AttemptRunner {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);
    /**
     * Limit of concurrent posts to all endpoints together. A thousand endpoints that hang, each with
     * {@link EndpointQueue#WIDEST} posts, leave room for the others.
     */
    private static final int MOST_AT_ONCE = 6_144;
    /**
     * How long an endpoint is cached. A change made on another node is noticed after this time at the latest; a change
     * made on this node is noticed at once.
     */
    private static final Duration ENDPOINT_KNOWN = Duration.ofSeconds(2);

    private final Database database;
    private final PayloadPrefetch prefetch;
    private final WebhookPoster poster;
    private final WebhookSql webhooks;
    private final ResultWriter results;
    private final DeliveryMetrics metrics;
    private final HostLimiter hosts;
    private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE, true);
    private final Set<WebhookDelivery> underway = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;

    /**
     * What the outcome of an attempt changes: the concurrency of its endpoint ({@link EndpointQueue.Worker#attempt})
     * and of its host ({@link HostLimiter.Permit#release}).
     */
    enum LoadSignal {
        ACCEPTED(1, 1),
        FAILED(-1, -1),
        /**
         * This node was congested or shut down. The endpoint's concurrency shrinks; the host's stays, because other
         * endpoints share the host and the host did nothing wrong.
         */
        OURS(-1, 0),
        /** Nothing was posted: no payload is left, or the lease ends too soon. */
        NONE(0, 0);

        final int queue;
        final int host;

        LoadSignal(int queue, int host) {
            this.queue = queue;
            this.host = host;
        }

        static LoadSignal of(HttpOutcome outcome, boolean cancelled) {
            return switch (outcome) {
                case HttpOutcome.Response answered -> answered.successful() ? ACCEPTED : FAILED;
                case HttpOutcome.NoResponse failed ->
                    cancelled || failed.kind() == HttpOutcome.Failure.BUSY ? OURS : FAILED;
            };
        }
    }

    /** The collaborators of an attempt. */
    record Parts(Database database, Payloads payloads, WebhookPoster poster, HostLimiter hosts) {}

    AttemptRunner(Parts parts, ResultWriter results, DeliveryMetrics metrics) {
        this.database = parts.database;
        this.poster = parts.poster;
        this.hosts = parts.hosts;
        this.webhooks = new WebhookSql(parts.poster.vault());
        this.results = results;
        this.metrics = metrics;
        this.prefetch = new PayloadPrefetch(
                new PayloadPrefetch.Parts(parts.database, parts.payloads, parts.poster.clock()), results, metrics);
        metrics.watch(parts.database, parts.poster.clock());
    }

    /**
     * Runs one attempt; see {@link EndpointQueue.Worker#attempt} for the result. An attempt that cannot be run now
     * leaves its row as it is: the lease runs out and the row is claimed again.
     */
    int make(EndpointQueue queue, WebhookDelivery delivery) {
        AtomicInteger change = new AtomicInteger();
        Departures departures = poster.nodes().departures();
        if (!departures.run(delivery.organization(), () -> change.set(makeNow(queue, delivery)))
                && poster.nodes().isAlive()) {
            results.refused(delivery); // it is held: its row is due when that ends
        }
        return change.get();
    }

    private int makeNow(EndpointQueue queue, WebhookDelivery delivery) {
        WebhookDelivery light = delivery.light();
        underway.add(light);
        try {
            Endpoint endpoint = delivery.isLate() ? null : endpoint(queue);
            // The permit comes before the payload is read: a delivery that waits for its host then holds no more memory
            // than its endpoint queue has counted.
            WebhookPoster.ResolvedEndpoint resolved = endpoint == null ? null : poster.resolve(endpoint, hosts);
            HostLimiter.Permit permit = resolved == null
                    ? null
                    : hosts.enter(delivery.organization(), resolved.destination(), delivery.startBy());
            if (resolved == null || permit == null) {
                metrics.skipped.accept(1);
                return 0;
            }
            return attempt(resolved, queue, delivery, permit);
        } catch (RuntimeException unforeseen) {
            LOG.warn(
                    "webhook attempt failed before the post, repeated when the lease ends webhook={} seq={} cause={}",
                    delivery.webhook(),
                    delivery.seq(),
                    unforeseen.toString());
            return 0;
        } finally {
            underway.remove(light);
        }
    }

    /** The deliveries of an organization that are being attempted. */
    List<WebhookDelivery> posted(UUID organization) {
        return underway.stream()
                .filter(delivery -> delivery.organization().equals(organization))
                .toList();
    }

    private int attempt(
            WebhookPoster.ResolvedEndpoint resolved,
            EndpointQueue queue,
            WebhookDelivery delivery,
            HostLimiter.Permit permit) {
        LoadSignal signal = LoadSignal.NONE;
        try {
            WebhookDelivery ready = prefetch.ready(queue, delivery);
            WebhookDelivery.EventContent payload = ready == null ? null : ready.payload();
            if (payload == null) {
                metrics.skipped.accept(1);
            } else {
                signal = postWithinLimit(resolved, delivery.light(), payload);
            }
            return signal.queue;
        } finally {
            permit.release(signal.host);
        }
    }

    /**
     * Marks the shutdown: an exchange that fails from now on may have failed because of this node, so its failure does
     * not count against the endpoint.
     */
    void cancel() {
        cancelled = true;
    }

    private @Nullable Endpoint endpoint(EndpointQueue queue) {
        Endpoint cached = queue.endpoint(ENDPOINT_KNOWN.toNanos());
        if (cached != null) {
            return cached;
        }
        Optional<Endpoint> read = database.read(tx -> endpoint(tx, queue));
        read.ifPresentOrElse(queue::endpoint, queue::clear);
        return read.orElse(null);
    }

    private Optional<Endpoint> endpoint(Tx tx, EndpointQueue queue) {
        return webhooks.endpoint(tx, View.of(queue.organization()), queue.webhook(), false)
                .map(stored -> stored.in(queue.organization(), poster.http()));
    }

    private LoadSignal postWithinLimit(
            WebhookPoster.ResolvedEndpoint resolved, WebhookDelivery delivery, WebhookDelivery.EventContent payload) {
        atOnce.acquireUninterruptibly();
        try {
            return delivery.isLate() ? LoadSignal.NONE : post(resolved, delivery, payload);
        } finally {
            atOnce.release();
        }
    }

    private LoadSignal post(
            WebhookPoster.ResolvedEndpoint resolved, WebhookDelivery delivery, WebhookDelivery.EventContent payload) {
        Instant at = poster.clock().instant().truncatedTo(ChronoUnit.MICROS);
        long start = System.nanoTime();
        WebhookPoster.EventPost event = new WebhookPoster.EventPost(payload.eventId(), payload.content());
        HttpOutcome outcome = poster.post(delivery.webhook(), resolved, event);
        int millis = metrics.posted(delivery, payload.eventId(), outcome, start);
        LogLine line = LogLine.of("delivery")
                .with("webhook", delivery.webhook())
                .with("event", payload.eventId())
                .with("attempt", delivery.attempts() + 1);
        LoadSignal signal = LoadSignal.of(outcome, cancelled);
        switch (outcome) {
            case HttpOutcome.Response answered -> {
                line.with("status", answered.status()).with("ms", millis).write();
                boolean accepted = signal == LoadSignal.ACCEPTED;
                String detail = accepted ? null : "status " + answered.status();
                AttemptResult result =
                        new AttemptResult(delivery, at, answered.status(), detail, millis, answered.opening());
                if (accepted) {
                    succeeded(result, payload);
                } else {
                    failed(result, payload);
                }
            }
            case HttpOutcome.NoResponse failed -> {
                line.with("failure", wire(failed.kind())).with("ms", millis).write();
                // Cancelled by the shutdown, or never begun for lack of room: this is no attempt. The row is released,
                // and another node, or this one when it has room, claims it.
                if (failed.kind() == HttpOutcome.Failure.BUSY) {
                    results.refused(delivery);
                }
                if (signal != LoadSignal.OURS) {
                    String detail = wire(failed.kind()) + ": " + failed.detail();
                    failed(new AttemptResult(delivery, at, null, detail, millis, null), payload);
                }
            }
        }
        return signal;
    }

    private void succeeded(AttemptResult result, WebhookDelivery.EventContent payload) {
        results.succeeded(result);
        metrics.delivered.accept(1);
        metrics.latency.accept(Duration.between(payload.at(), poster.clock().instant()));
    }

    private void failed(AttemptResult result, WebhookDelivery.EventContent payload) {
        results.failed(ResultWriter.FailedAttempt.of(result, payload.isStored() ? null : payload.content()));
        metrics.failed.accept(1);
    }

    private static String wire(HttpOutcome.Failure kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
