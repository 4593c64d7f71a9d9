package dev.inboxd.notify.webhook;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.View;
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
 * Reads from the rows what deliveries post. Of an endpoint that takes several at once, what comes next is read with
 * what is about to be attempted, and waits for its own attempt with the payload at hand
 * (docs/decisions/0042-read-ahead-of-the-attempt.md).
 */
final class Readings {
    private static final Logger LOG = LoggerFactory.getLogger(Readings.class);

    private final Database database;
    private final Payloads payloads;
    private final InstantSource clock;
    private final Settlements settlements;
    private final DeliveryMeters meters;

    /** What is read from, and the time of it. */
    record Parts(Database database, Payloads payloads, InstantSource clock) {}

    Readings(Parts parts, Settlements settlements, DeliveryMeters meters) {
        this.database = parts.database;
        this.payloads = parts.payloads;
        this.clock = parts.clock;
        this.settlements = settlements;
        this.meters = meters;
    }

    /** A delivery with what it posts; null when there is nothing to post now: the row knows why. */
    @Nullable
    Delivery ready(Lane lane, Delivery delivery) {
        Instant now = clock.instant();
        if (delivery.isReady(now)) {
            return delivery;
        }
        if (delivery.alone()) {
            return alone(delivery);
        }
        Lane.Ahead ahead = lane.ahead(now);
        return ahead.deliveries().isEmpty() ? alone(delivery) : together(lane, ahead, delivery);
    }

    private @Nullable Delivery alone(Delivery delivery) {
        return read(List.of(delivery), Long.MAX_VALUE).get(delivery.seq());
    }

    private @Nullable Delivery together(Lane lane, Lane.Ahead ahead, Delivery first) {
        List<Delivery> all = new ArrayList<>(ahead.deliveries());
        all.addFirst(first);
        Map<Long, Delivery> read = Map.of();
        try {
            read = orApart(all);
        } finally {
            List<Delivery> left = ahead.deliveries().stream()
                    .map(Delivery::seq)
                    .map(read::get)
                    .filter(Objects::nonNull)
                    .toList();
            meters.skipped.accept(ahead.deliveries().size() - left.size());
            lane.giveBack(ahead, left);
        }
        Delivery own = read.get(first.seq());
        return own != null && own.payload() == null ? alone(own) : own;
    }

    /** When one cannot be read, which one is found out by reading each by itself. */
    private Map<Long, Delivery> orApart(List<Delivery> all) {
        try {
            return read(all, Lane.MOST_READ);
        } catch (RuntimeException unreadable) {
            LOG.warn("Deliveries could not be read together; each is read alone: {}", unreadable.toString());
            return all.stream().collect(Collectors.toMap(Delivery::seq, Delivery::apart, (one, _) -> one));
        }
    }

    /**
     * Reads deliveries of one webhook.
     *
     * @param room how many bytes may be read; what does not fit is to be read by itself
     * @return by the event's number; without those that cannot be attempted now
     */
    private Map<Long, Delivery> read(List<Delivery> all, long room) {
        Instant now = clock.instant();
        UUID organization = all.getFirst().organization();
        Map<Long, DeliverySql.Known> known = known(View.of(organization), all);
        Map<Long, Delivery> read = new HashMap<>();
        Map<Delivery, DeliverySql.Known> fitting = new LinkedHashMap<>();
        long left = room;
        for (Delivery each : all) {
            left -= each.bytes();
        }
        for (Delivery each : all) {
            DeliverySql.Known row = known.get(each.seq());
            if (row == null || row.event().type() == null) {
                continue; // settled or called off; or a newer node knows it
            }
            Delivery.Known written = each.payload();
            if (row.gone()) {
                settlements.dropped(each);
            } else if (written != null && written.read().written() && row.stands()) {
                read.put(
                        each.seq(),
                        each.with(new Delivery.Known(
                                written.content(),
                                written.eventId(),
                                written.at(),
                                new Delivery.Read(now, false, true))));
            } else if (row.bytes() > left) {
                read.put(each.seq(), each.apart());
            } else {
                left -= row.bytes();
                fitting.put(each, row);
            }
        }
        Map<Long, Supplier<byte[]>> contents = contents(organization, fitting);
        fitting.forEach((delivery, row) -> {
            byte[] content = content(delivery, row, contents.get(delivery.seq()));
            if (content != null) {
                read.put(
                        delivery.seq(),
                        delivery.with(new Delivery.Known(
                                content,
                                row.event().id(organization),
                                row.event().stamp().at(),
                                new Delivery.Read(now, row.stored()))));
            }
        });
        return read;
    }

    private Map<Long, DeliverySql.Known> known(View view, List<Delivery> all) {
        return database.read(tx -> {
            RoundTrip trip = tx.roundTrip();
            RoundTrip.Pending<DeliverySql.Known> found = DeliverySql.find(trip, view, all);
            trip.run();
            return found.rows().stream()
                    .collect(Collectors.toMap(row -> row.event().stamp().number(), row -> row, (one, _) -> one));
        });
    }

    /** What makes the bytes: those of an attempt that failed, or the event as it was raised. */
    private Map<Long, Supplier<byte[]>> contents(UUID organization, Map<Delivery, DeliverySql.Known> rows) {
        List<Delivery> stored = new ArrayList<>();
        List<Payloads.Told> others = new ArrayList<>();
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
                        RoundTrip.Pending<DeliverySql.Stored> found =
                                DeliverySql.stored(trip, View.of(organization), stored);
                        trip.run();
                        return found.rows();
                    })
                    .forEach(row -> contents.put(row.seq(), row::payload));
        }
        return contents;
    }

    private byte @Nullable [] content(Delivery delivery, DeliverySql.Known row, @Nullable Supplier<byte[]> content) {
        if (content == null) {
            if (!row.stored()) {
                settlements.dropped(delivery); // the message was deleted at this very moment
            }
            return null;
        }
        try {
            return content.get();
        } catch (RuntimeException | Error unforeseen) {
            LOG.warn("A delivery could not be read and will be repeated: {}", unforeseen.toString());
            return null;
        }
    }
}
