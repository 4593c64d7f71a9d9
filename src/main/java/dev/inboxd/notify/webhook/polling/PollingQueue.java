package dev.inboxd.notify.webhook.polling;

import dev.inboxd.event.EventType;
import dev.inboxd.notify.webhook.DeliveryId;
import dev.inboxd.notify.webhook.Payloads;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Digests;
import dev.inboxd.platform.rate.RequestLimits;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Fetching from a polling webhook (events.md §6.2): events get positions from 1 in their order, each consumer
 * has a position of its own, and what it was given is leased to it until it commits or time runs out.
 */
public final class PollingQueue {
    private static final int MOST_CONSUMERS = 100;
    /** Of a queue that a new consumer of later events steps over at once. */
    private static final int MOST_PASSED_OVER = 50_000;

    private final Database database;
    private final Payloads payloads;
    private final RequestLimits pacing;

    /** Fetching from the queues in a database, at the pace that keys have. */
    public PollingQueue(Database database, Payloads payloads, RequestLimits pacing) {
        this.database = database;
        this.payloads = payloads;
        this.pacing = pacing;
    }

    /**
     * Who fetches from where.
     *
     * @param app the organization as the path names it
     * @param token what the request shows, or null
     * @param address where the request comes from
     */
    record Client(
            String app,
            String webhook,
            String consumer,
            @Nullable String token,
            String address) {}

    /**
     * What a fetch asks for.
     *
     * @param most how many events
     * @param lease how long they are the consumer's alone
     * @param latest whether a consumer that is new begins behind all there is
     */
    record FetchOptions(int most, Duration lease, boolean latest) {}

    /** An event as it is given out. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record QueuedEvent(long position, String id, String eventId, String type, Instant at, byte[] payload) {}

    /**
     * What a fetch gives.
     *
     * @param done whether nothing more is queued
     */
    record FetchResult(List<QueuedEvent> events, boolean done) {
        FetchResult {
            events = List.copyOf(events);
        }
    }

    /** An open door: whose queue it is. */
    private record OpenQueue(UUID organization, PollingSql.Queue queue) {
        View all() {
            return View.of(organization);
        }
    }

    /**
     * What comes next for a consumer.
     *
     * @throws Problem {@code unauthorized}, {@code rate_limit_exceeded}, {@code conflict} while a lease runs,
     *     {@code limit_exceeded}
     */
    FetchResult receive(Client visit, FetchOptions order) {
        OpenQueue open = enter(visit);
        if (database.read(tx -> isIdle(tx, open, visit))) {
            return new FetchResult(List.of(), true);
        }
        List<PollingSql.QueuedEvent> waiting = database.write(open.organization, tx -> take(tx, open, visit, order));
        boolean done = waiting.size() <= order.most;
        List<QueuedEvent> given = new ArrayList<>();
        List<QueuedEvent> fresh = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (PollingSql.QueuedEvent one : waiting.subList(0, Math.min(order.most, waiting.size()))) {
            Payloads.EventRow event = one.event();
            EventType type = event.type();
            byte[] kept = one.payload();
            byte[] payload = kept != null
                    ? kept
                    : payloads.fetched(open.organization, event).orElse(null);
            if (type != null && payload != null) { // what was deleted meanwhile is told to nobody
                String eventId = event.id(open.organization);
                QueuedEvent told = new QueuedEvent(
                        one.position(),
                        DeliveryId.of(eventId, open.queue.owner().within(open.organization)),
                        eventId,
                        type.wireName(),
                        event.stamp().at(),
                        payload);
                given.add(told);
                if (kept == null) {
                    fresh.add(told);
                    numbers.add(event.stamp().number());
                }
            }
        }
        keep(open, visit.webhook, numbers, fresh);
        return new FetchResult(given, done);
    }

    /** Nothing is written for a consumer that looks again and finds nothing. */
    private static boolean isIdle(Tx tx, OpenQueue open, Client visit) {
        return PollingSql.consumer(tx, open.all(), visit.webhook, visit.consumer)
                .filter(consumer -> !consumer.leased())
                .filter(consumer -> !PollingSql.waits(tx, open.all(), visit.webhook, consumer.committed()))
                .isPresent();
    }

    /** One more than was asked for tells whether there is more. */
    private static List<PollingSql.QueuedEvent> take(Tx tx, OpenQueue open, Client visit, FetchOptions order) {
        View all = open.all();
        Optional<PollingSql.Consumer> known = PollingSql.consumer(tx, all, visit.webhook, visit.consumer);
        if (known.isPresent() && known.get().leased()) {
            throw Problem.of(ErrorCode.CONFLICT, "What this consumer was given is leased to it; commit it, or wait");
        }
        long committed = known.isPresent() ? known.get().committed() : begin(tx, all, visit, order);
        PollingSql.place(tx, all, visit.webhook, order.most + 1);
        List<PollingSql.QueuedEvent> waiting = PollingSql.waiting(tx, all, visit.webhook, committed, order.most + 1);
        if (!waiting.isEmpty()) {
            long issued = waiting.get(Math.min(order.most, waiting.size()) - 1).position();
            PollingSql.lease(tx, all, visit.webhook, visit.consumer, issued, order.lease);
        }
        return waiting;
    }

    private static long begin(Tx tx, View all, Client visit, FetchOptions order) {
        if (PollingSql.consumers(tx, all, visit.webhook) >= MOST_CONSUMERS) {
            throw Problem.of(
                    ErrorCode.LIMIT_EXCEEDED, "A polling webhook has at most " + MOST_CONSUMERS + " consumers");
        }
        long committed = 0;
        if (order.latest) {
            PollingSql.place(tx, all, visit.webhook, MOST_PASSED_OVER);
            committed = PollingSql.lastPosition(tx, all, visit.webhook);
        }
        PollingSql.begin(tx, all, visit.webhook, visit.consumer, committed);
        return committed;
    }

    private void keep(OpenQueue open, String webhook, List<Long> numbers, List<QueuedEvent> fresh) {
        if (!fresh.isEmpty()) {
            database.<@Nullable Void>write(open.organization, tx -> {
                for (int i = 0; i < fresh.size(); i++) {
                    PollingSql.storePayload(tx, open.all(), webhook, numbers.get(i), fresh.get(i).payload);
                }
                return null;
            });
        }
    }

    /**
     * A consumer is done with all up to a position; its lease ends.
     *
     * @throws Problem {@code unauthorized}, {@code rate_limit_exceeded}, {@code unprocessable} for a position it was
     *     never given
     */
    void commit(Client visit, long position) {
        OpenQueue open = enter(visit);
        database.<@Nullable Void>write(open.organization, tx -> {
            long issued = PollingSql.consumer(tx, open.all(), visit.webhook, visit.consumer)
                    .map(PollingSql.Consumer::issued)
                    .orElse(0L);
            if (position < 1 || position > issued) {
                throw Problem.of(
                        ErrorCode.UNPROCESSABLE, "The offset " + position + " was never given to this consumer");
            }
            PollingSql.commit(tx, open.all(), visit.webhook, visit.consumer, position);
            return null;
        });
    }

    /**
     * The queue that a visit may read.
     *
     * @throws Problem {@code unauthorized}, {@code rate_limit_exceeded}
     */
    PollingSql.Queue queue(Client visit) {
        return enter(visit).queue;
    }

    /** A token is a credential like a key: it has the rate of one, and bad ones count against their address. */
    private OpenQueue enter(Client visit) {
        pacing.beforeLook(visit.address);
        OpenQueue open;
        try {
            open = database.read(tx -> open(tx, visit));
        } catch (Problem refused) {
            if (refused.code() == ErrorCode.UNAUTHORIZED) {
                pacing.refused(visit.address);
            }
            throw refused;
        }
        pacing.admit(visit.webhook).require();
        return open;
    }

    /** A wrong token and a queue that is not there look the same. */
    private static OpenQueue open(Tx tx, Client visit) {
        UUID organization = PollingWebhook.organization(visit.app);
        if (organization != null && visit.token != null) {
            Optional<PollingSql.Queue> queue = PollingSql.queue(tx, View.of(organization), visit.webhook);
            if (queue.isPresent() && MessageDigest.isEqual(queue.get().tokenHash(), Digests.sha256(visit.token))) {
                return new OpenQueue(organization, queue.get());
            }
        }
        throw Problem.of(ErrorCode.UNAUTHORIZED, "The token does not open this queue");
    }
}
