package dev.inboxd.notify.webhook.polling;

import dev.inboxd.event.EventType;
import dev.inboxd.notify.webhook.DeliveryId;
import dev.inboxd.notify.webhook.Payloads;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Code;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Digests;
import dev.inboxd.platform.rate.Pacing;
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
public final class Polling {
    private static final int MOST_CONSUMERS = 100;
    /** Of a queue that a new consumer of later events steps over at once. */
    private static final int MOST_PASSED_OVER = 50_000;

    private final Database database;
    private final Payloads payloads;
    private final Pacing pacing;

    /** Fetching from the queues in a database, at the pace that keys have. */
    public Polling(Database database, Payloads payloads, Pacing pacing) {
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
    record Visit(
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
    record Order(int most, Duration lease, boolean latest) {}

    /** An event as it is given out. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Given(long position, String id, String eventId, String type, Instant at, byte[] payload) {}

    /**
     * What a fetch gives.
     *
     * @param done whether nothing more is queued
     */
    record Haul(List<Given> events, boolean done) {
        Haul {
            events = List.copyOf(events);
        }
    }

    /** An open door: whose queue it is. */
    private record Open(UUID organization, PollingSql.Queue queue) {
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
    Haul receive(Visit visit, Order order) {
        Open open = enter(visit);
        if (database.read(tx -> isIdle(tx, open, visit))) {
            return new Haul(List.of(), true);
        }
        List<PollingSql.Waiting> waiting = database.write(open.organization, tx -> take(tx, open, visit, order));
        boolean done = waiting.size() <= order.most;
        List<Given> given = new ArrayList<>();
        List<Given> fresh = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (PollingSql.Waiting one : waiting.subList(0, Math.min(order.most, waiting.size()))) {
            Payloads.Told event = one.event();
            EventType type = event.type();
            byte[] kept = one.payload();
            byte[] payload = kept != null
                    ? kept
                    : payloads.fetched(open.organization, event).orElse(null);
            if (type != null && payload != null) { // what was deleted meanwhile is told to nobody
                String eventId = event.id(open.organization);
                Given told = new Given(
                        one.position(),
                        DeliveryId.of(eventId, open.queue.owner().within(open.organization)),
                        eventId,
                        type.wire(),
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
        return new Haul(given, done);
    }

    /** Nothing is written for a consumer that looks again and finds nothing. */
    private static boolean isIdle(Tx tx, Open open, Visit visit) {
        return PollingSql.consumer(tx, open.all(), visit.webhook, visit.consumer)
                .filter(consumer -> !consumer.leased())
                .filter(consumer -> !PollingSql.waits(tx, open.all(), visit.webhook, consumer.committed()))
                .isPresent();
    }

    /** One more than was asked for tells whether there is more. */
    private static List<PollingSql.Waiting> take(Tx tx, Open open, Visit visit, Order order) {
        View all = open.all();
        Optional<PollingSql.Consumer> known = PollingSql.consumer(tx, all, visit.webhook, visit.consumer);
        if (known.isPresent() && known.get().leased()) {
            throw Problem.of(Code.CONFLICT, "What this consumer was given is leased to it; commit it, or wait");
        }
        long committed = known.isPresent() ? known.get().committed() : begin(tx, all, visit, order);
        PollingSql.place(tx, all, visit.webhook, order.most + 1);
        List<PollingSql.Waiting> waiting = PollingSql.waiting(tx, all, visit.webhook, committed, order.most + 1);
        if (!waiting.isEmpty()) {
            long issued = waiting.get(Math.min(order.most, waiting.size()) - 1).position();
            PollingSql.lease(tx, all, visit.webhook, visit.consumer, issued, order.lease);
        }
        return waiting;
    }

    private static long begin(Tx tx, View all, Visit visit, Order order) {
        if (PollingSql.consumers(tx, all, visit.webhook) >= MOST_CONSUMERS) {
            throw Problem.of(Code.LIMIT_EXCEEDED, "A polling webhook has at most " + MOST_CONSUMERS + " consumers");
        }
        long committed = 0;
        if (order.latest) {
            PollingSql.place(tx, all, visit.webhook, MOST_PASSED_OVER);
            committed = PollingSql.lastPosition(tx, all, visit.webhook);
        }
        PollingSql.begin(tx, all, visit.webhook, visit.consumer, committed);
        return committed;
    }

    private void keep(Open open, String webhook, List<Long> numbers, List<Given> fresh) {
        if (!fresh.isEmpty()) {
            database.<@Nullable Void>write(open.organization, tx -> {
                for (int i = 0; i < fresh.size(); i++) {
                    PollingSql.keep(tx, open.all(), webhook, numbers.get(i), fresh.get(i).payload);
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
    void commit(Visit visit, long position) {
        Open open = enter(visit);
        database.<@Nullable Void>write(open.organization, tx -> {
            long issued = PollingSql.consumer(tx, open.all(), visit.webhook, visit.consumer)
                    .map(PollingSql.Consumer::issued)
                    .orElse(0L);
            if (position < 1 || position > issued) {
                throw Problem.of(Code.UNPROCESSABLE, "The offset " + position + " was never given to this consumer");
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
    PollingSql.Queue queue(Visit visit) {
        return enter(visit).queue;
    }

    /** A token is a credential like a key: it has the rate of one, and bad ones count against their address. */
    private Open enter(Visit visit) {
        pacing.beforeLook(visit.address);
        Open open;
        try {
            open = database.read(tx -> open(tx, visit));
        } catch (Problem refused) {
            if (refused.code() == Code.UNAUTHORIZED) {
                pacing.refused(visit.address);
            }
            throw refused;
        }
        pacing.admit(visit.webhook).require();
        return open;
    }

    /** A wrong token and a queue that is not there look the same. */
    private static Open open(Tx tx, Visit visit) {
        UUID organization = PollingWebhook.organization(visit.app);
        if (organization != null && visit.token != null) {
            Optional<PollingSql.Queue> queue = PollingSql.queue(tx, View.of(organization), visit.webhook);
            if (queue.isPresent() && MessageDigest.isEqual(queue.get().tokenHash(), Digests.sha256(visit.token))) {
                return new Open(organization, queue.get());
            }
        }
        throw Problem.of(Code.UNAUTHORIZED, "The token does not open this queue");
    }
}
