package dev.inboxd.webhook;

import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.event.EventId;
import dev.inboxd.json.Json;
import dev.inboxd.json.JsonObject;
import dev.inboxd.log.LogLine;
import dev.inboxd.message.ReceivedPayloads;
import dev.inboxd.net.Outcome;
import dev.inboxd.net.Post;
import dev.inboxd.net.Target;
import dev.inboxd.net.TargetCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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
    /** All endpoints together. A hanging one holds one exchange, so these are many endpoints. */
    private static final int MOST_AT_ONCE = 2_048;
    /** How long another node's change of a webhook may go unnoticed; our own are noticed at once. */
    private static final Duration ENDPOINT_KNOWN = Duration.ofSeconds(2);

    private final Database database;
    private final ReceivedPayloads received;
    private final Outgoing outgoing;
    private final WebhookSql webhooks;
    private final Settlements settlements;
    private final DeliveryMeters meters;
    private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE, true);
    private volatile boolean calledOff;

    /** What attempts are made of. */
    record Parts(Database database, ReceivedPayloads received, Outgoing outgoing) {}

    Attempts(Parts parts, Settlements settlements, DeliveryMeters meters) {
        this.database = parts.database;
        this.received = parts.received;
        this.outgoing = parts.outgoing;
        this.webhooks = new WebhookSql(parts.outgoing.vault());
        this.settlements = settlements;
        this.meters = meters;
    }

    /**
     * What is posted.
     *
     * @param stored whether the row has the bytes already
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Payload(byte[] content, String eventId, Instant at, boolean stored) {}

    /** See {@link Lane.Worker#attempt}. What cannot be found out now is left to the row and its lease. */
    int make(Lane lane, Delivery delivery) {
        try {
            Endpoint endpoint = delivery.isLate() ? null : endpoint(lane);
            Payload payload = endpoint == null ? null : payload(delivery);
            if (endpoint == null || payload == null) {
                meters.skipped.accept(1);
                return 0;
            }
            return bounded(endpoint, delivery, payload);
        } catch (RuntimeException unforeseen) {
            LOG.warn("A delivery could not be made and will be repeated: {}", unforeseen.toString());
            return 0;
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
        return webhooks.endpoint(tx, View.of(lane.organization()), lane.webhook())
                .map(stored -> stored.in(lane.organization(), outgoing.http()));
    }

    private @Nullable Payload payload(Delivery delivery) {
        Delivery.Known atHand = delivery.payload();
        if (atHand != null) {
            return new Payload(atHand.content(), atHand.eventId(), atHand.at(), false);
        }
        View view = View.of(delivery.organization());
        DeliverySql.Known known = database.read(tx -> DeliverySql.find(tx, view, delivery.webhook(), delivery.seq()))
                .orElse(null);
        if (known == null) {
            return null;
        }
        String id = EventId.of(delivery.organization(), new Tx.Stamp(delivery.seq(), known.at()));
        byte[] stored = known.payload();
        if (stored != null && !known.gone()) {
            return new Payload(stored, id, known.at(), true);
        }
        byte[] read = known.gone() ? null : read(delivery, known, id);
        if (read == null) {
            settlements.dropped(delivery);
            return null;
        }
        return new Payload(read, id, known.at(), false);
    }

    private byte @Nullable [] read(Delivery delivery, DeliverySql.Known known, String id) {
        if (known.type().isReceived() && known.message() != null) {
            return received.read(delivery.organization(), known.message(), known.type(), id).orElse(null);
        }
        String envelope = Json.text(JsonObject.of("type", "event").with("event_type", known.type().wire())
                .with("event_id", id));
        return withMembers(envelope, known.details()).getBytes(StandardCharsets.UTF_8);
    }

    /** The envelope with the event's own members, which are one JSON object as text, put into it. */
    private static String withMembers(String envelope, @Nullable String members) {
        String inner = members == null ? "" : members.strip();
        return inner.length() < 2 || inner.substring(1, inner.length() - 1).isBlank() ? envelope
                : envelope.substring(0, envelope.length() - 1) + "," + inner.substring(1);
    }

    private int bounded(Endpoint endpoint, Delivery delivery, Payload payload) {
        atOnce.acquireUninterruptibly();
        try {
            return delivery.isLate() ? 0 : post(endpoint, delivery, payload);
        } finally {
            atOnce.release();
        }
    }

    private int post(Endpoint endpoint, Delivery delivery, Payload payload) {
        long start = System.nanoTime();
        Outcome outcome = switch (endpoint.target()) {
            case TargetCheck.Accepted(Target target) -> outgoing.http().post(new Post(target, endpoint.fields(
                    payload.eventId, outgoing.clock().instant().getEpochSecond(), payload.content), payload.content,
                    Schedule.PATIENCE, delivery.webhook()));
            case TargetCheck.Refused(var _, String message) ->
                    new Outcome.Failed(Outcome.Failure.REFUSED_ADDRESS, message);
        };
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        LogLine line = LogLine.of("delivery").with("webhook", delivery.webhook()).with("event", payload.eventId)
                .with("attempt", delivery.attempts() + 1);
        return switch (outcome) {
            case Outcome.Answered answered -> {
                line.with("status", answered.status()).with("ms", millis).write();
                yield answered.successful() ? succeeded(delivery, payload)
                        : failed(delivery, payload, "status " + answered.status());
            }
            case Outcome.Failed failed -> {
                line.with("failure", wire(failed.kind())).with("ms", millis).write();
                // Called off by us, or never begun: not an attempt. The lease ends and the row is found again.
                boolean ours = calledOff || failed.kind() == Outcome.Failure.BUSY;
                yield ours ? -1 : failed(delivery, payload, wire(failed.kind()) + ": " + failed.detail());
            }
        };
    }

    private int succeeded(Delivery delivery, Payload payload) {
        settlements.succeeded(delivery);
        meters.delivered.accept(1);
        meters.latency.accept(Duration.between(payload.at, outgoing.clock().instant()));
        return 1;
    }

    private int failed(Delivery delivery, Payload payload, String error) {
        settlements.failed(Settlements.Failed.of(delivery, payload.stored ? null : payload.content, error));
        meters.failed.accept(1);
        return -1;
    }

    private static String wire(Outcome.Failure kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
