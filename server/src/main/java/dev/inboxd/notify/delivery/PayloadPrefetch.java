package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the payloads of deliveries from their rows. For an endpoint with several concurrent attempts, the payloads of
 * the next deliveries are read together with the payload of the one that is about to be attempted, and wait in memory
 * (docs/decisions/0042-read-ahead-of-the-attempt.md).
 */
final class PayloadPrefetch {
    private static final Logger LOG = LoggerFactory.getLogger(PayloadPrefetch.class);

    private final Database database;
    private final Payloads payloads;
    private final InstantSource clock;
    private final ResultWriter results;
    private final DeliveryMetrics metrics;

    /** The sources of payloads, and the clock that ages them. */
    record Parts(Database database, Payloads payloads, InstantSource clock) {}

    PayloadPrefetch(Parts parts, ResultWriter results, DeliveryMetrics metrics) {
        this.database = parts.database;
        this.payloads = parts.payloads;
        this.clock = parts.clock;
        this.results = results;
        this.metrics = metrics;
    }

    /** The delivery with its payload; null when there is nothing to post now, which the row explains. */
    @Nullable
    WebhookDelivery ready(EndpointQueue queue, WebhookDelivery delivery) {
        Instant now = clock.instant();
        if (delivery.isReady(now)) {
            return delivery;
        }
        if (delivery.alone()) {
            return alone(delivery);
        }
        EndpointQueue.ReadAhead ahead = queue.readAhead(now);
        return ahead.deliveries().isEmpty() ? alone(delivery) : together(queue, ahead, delivery);
    }

    private @Nullable WebhookDelivery alone(WebhookDelivery delivery) {
        return read(List.of(delivery), Long.MAX_VALUE).get(delivery.seq());
    }

    private @Nullable WebhookDelivery together(
            EndpointQueue queue, EndpointQueue.ReadAhead ahead, WebhookDelivery first) {
        List<WebhookDelivery> all = new ArrayList<>(ahead.deliveries());
        all.addFirst(first);
        Map<Long, WebhookDelivery> read = Map.of();
        try {
            read = orApart(all);
        } finally {
            List<WebhookDelivery> left = ahead.deliveries().stream()
                    .map(WebhookDelivery::seq)
                    .map(read::get)
                    .filter(Objects::nonNull)
                    .toList();
            metrics.skipped.accept(ahead.deliveries().size() - left.size());
            queue.putBack(ahead, left);
        }
        WebhookDelivery own = read.get(first.seq());
        return own != null && own.payload() == null ? alone(own) : own;
    }

    /** When one of them cannot be read, each is read by itself to find out which. */
    private Map<Long, WebhookDelivery> orApart(List<WebhookDelivery> all) {
        try {
            return read(all, EndpointQueue.MOST_READ);
        } catch (RuntimeException unreadable) {
            LOG.warn("webhook payloads not read together, each is read alone cause={}", unreadable.toString());
            return all.stream()
                    .collect(Collectors.toMap(WebhookDelivery::seq, WebhookDelivery::apart, (first, _) -> first));
        }
    }

    /**
     * Reads deliveries of one webhook.
     *
     * @param room limit of bytes to read; a delivery that does not fit is marked to be read by itself
     * @return deliveries by the event's sequence number, without those that cannot be attempted now
     */
    private Map<Long, WebhookDelivery> read(List<WebhookDelivery> all, long room) {
        Instant now = clock.instant();
        UUID organization = all.getFirst().organization();
        Map<Long, DeliverySql.DeliveryRow> rows = findRows(View.of(organization), all);
        Map<Long, WebhookDelivery> read = new HashMap<>();
        Map<WebhookDelivery, DeliverySql.DeliveryRow> fitting = new LinkedHashMap<>();
        long left = room;
        for (WebhookDelivery delivery : all) {
            left -= delivery.bytes();
        }
        for (WebhookDelivery delivery : all) {
            DeliverySql.DeliveryRow row = rows.get(delivery.seq());
            if (row == null || row.event().type() == null) {
                continue; // ended or cancelled, or of an event type that only newer nodes know
            }
            WebhookDelivery.EventContent written = delivery.payload();
            if (row.deleted()) {
                results.dropped(delivery);
            } else if (written != null && written.read().written() && row.isEnabled()) {
                read.put(
                        delivery.seq(),
                        delivery.with(new WebhookDelivery.EventContent(
                                written.content(),
                                written.eventId(),
                                written.at(),
                                new WebhookDelivery.RowSnapshot(now, false, true))));
            } else if (row.bytes() > left) {
                read.put(delivery.seq(), delivery.apart());
            } else {
                left -= row.bytes();
                fitting.put(delivery, row);
            }
        }
        Map<Long, Supplier<byte[]>> contents = contents(organization, fitting);
        fitting.forEach((delivery, row) -> {
            byte[] content = content(delivery, row, contents.get(delivery.seq()));
            if (content != null) {
                read.put(
                        delivery.seq(),
                        delivery.with(new WebhookDelivery.EventContent(
                                content,
                                row.event().id(organization),
                                row.event().stamp().at(),
                                new WebhookDelivery.RowSnapshot(now, row.stored()))));
            }
        });
        return read;
    }

    private Map<Long, DeliverySql.DeliveryRow> findRows(View view, List<WebhookDelivery> all) {
        return database.read(tx -> {
            RoundTrip trip = tx.roundTrip();
            RoundTrip.Result<DeliverySql.DeliveryRow> rows = DeliverySql.find(trip, view, all);
            trip.run();
            return rows.rows().stream()
                    .collect(Collectors.toMap(row -> row.event().stamp().number(), row -> row, (first, _) -> first));
        });
    }

    /** The sources of the payloads: the bytes that a failed attempt stored, or the event as it was raised. */
    private Map<Long, Supplier<byte[]>> contents(
            UUID organization, Map<WebhookDelivery, DeliverySql.DeliveryRow> rows) {
        List<WebhookDelivery> stored = new ArrayList<>();
        List<Payloads.EventRow> others = new ArrayList<>();
        rows.forEach((delivery, row) -> {
            if (row.stored()) {
                stored.add(delivery);
            } else {
                others.add(row.event());
            }
        });
        Map<Long, Supplier<byte[]>> contents = new HashMap<>(payloads.posted(organization, others));
        if (!stored.isEmpty()) {
            database.read(tx -> {
                        RoundTrip trip = tx.roundTrip();
                        RoundTrip.Result<DeliverySql.StoredPayload> storedPayloads =
                                DeliverySql.stored(trip, View.of(organization), stored);
                        trip.run();
                        return storedPayloads.rows();
                    })
                    .forEach(row -> contents.put(row.seq(), row::payload));
        }
        return contents;
    }

    private byte @Nullable [] content(
            WebhookDelivery delivery, DeliverySql.DeliveryRow row, @Nullable Supplier<byte[]> content) {
        if (content == null) {
            if (!row.stored()) {
                results.dropped(delivery); // the message was deleted at this very moment
            }
            return null;
        }
        try {
            return content.get();
        } catch (RuntimeException | Error unforeseen) {
            LOG.warn(
                    "webhook payload not read, repeated when the lease ends webhook={} seq={} cause={}",
                    delivery.webhook(),
                    delivery.seq(),
                    unforeseen.toString());
            return null;
        }
    }
}
