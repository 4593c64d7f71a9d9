package dev.inboxd.notify.webhook.polling;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.base.rate.RequestLimits;
import dev.inboxd.event.EventType;
import dev.inboxd.notify.delivery.Payloads;
import dev.inboxd.notify.webhook.DeliveryId;
import dev.inboxd.tenant.organization.EverythingStop;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a polling webhook (events.md §6.2). Events get positions from 1 in their order. Each consumer has a
 * cursor of its own. Fetched events are leased to the consumer until it commits or the lease ends.
 */
public final class PollingQueue {
    private static final int MOST_CONSUMERS = 100;
    /** Octets of payloads in one answer, which ends early then: what is behind is given the next time. */
    static final int LARGEST_ANSWER = 1 << 20;
    /** Limit of waiting events that a new consumer with {@code starting_position=latest} skips at once. */
    private static final int MOST_PASSED_OVER = 50_000;

    private final Database database;
    private final Payloads payloads;
    private final RequestLimits pacing;

    /** The queues of a database; tokens have the rate limits of API keys. */
    public PollingQueue(Database database, Payloads payloads, RequestLimits pacing) {
        this.database = database;
        this.payloads = payloads;
        this.pacing = pacing;
    }

    /**
     * A consumer and the queue it fetches from.
     *
     * @param app the organization, as the path names it
     * @param token the bearer token of the request, or null
     * @param address the client's IP address
     */
    record Client(
            String app,
            String webhook,
            String consumer,
            @Nullable String token,
            String address) {}

    /**
     * The parameters of a fetch.
     *
     * @param most limit of events
     * @param lease how long the events are leased to the consumer
     * @param latest whether a new consumer starts behind all waiting events
     */
    record FetchOptions(int most, Duration lease, boolean latest) {}

    /** An event as it is answered. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record QueuedEvent(long position, String id, String eventId, String type, Instant at, byte[] payload) {}

    /**
     * The fetched events.
     *
     * @param done whether the queue has no further event for this consumer now
     */
    record FetchResult(List<QueuedEvent> events, boolean done) {
        FetchResult {
            events = List.copyOf(events);
        }
    }

    /** A queue whose token was checked. */
    private record OpenQueue(UUID organization, PollingSql.Queue queue) {
        View all() {
            return View.of(organization);
        }
    }

    /**
     * Fetches the next events of a consumer and leases them to it.
     *
     * @throws Problem {@code unauthorized}, {@code rate_limit_exceeded}, {@code conflict} while a lease runs,
     *     {@code limit_exceeded}
     */
    FetchResult receive(Client client, FetchOptions options) {
        OpenQueue open = authenticate(client);
        if (database.read(tx -> isIdle(tx, open, client))) {
            return new FetchResult(List.of(), true);
        }
        WeighedPage.Rows<PollingSql.QueuedEvent> queued =
                database.write(open.organization, tx -> take(tx, open, client, options));
        int count = Math.min(options.most, queued.rows().size());
        boolean done = queued.total() <= count;
        long octets = 0;
        List<QueuedEvent> events = new ArrayList<>();
        List<QueuedEvent> unstored = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (PollingSql.QueuedEvent queuedEvent : queued.rows().subList(0, count)) {
            if (octets > LARGEST_ANSWER) {
                done = false;
                break;
            }
            Payloads.EventRow event = queuedEvent.event();
            EventType type = event.type();
            byte[] stored = queuedEvent.payload();
            byte[] payload = stored != null
                    ? stored
                    : payloads.fetched(open.organization, event).orElse(null);
            if (type != null && payload != null) { // a message deleted meanwhile is left out
                QueuedEvent fetched = fetched(open, queuedEvent, type, payload);
                events.add(fetched);
                octets += payload.length;
                if (stored == null) {
                    unstored.add(fetched);
                    numbers.add(event.stamp().number());
                }
            }
        }
        storePayloads(open, client.webhook, numbers, unstored);
        return new FetchResult(events, done);
    }

    private static QueuedEvent fetched(OpenQueue open, PollingSql.QueuedEvent queued, EventType type, byte[] payload) {
        String eventId = queued.event().id(open.organization);
        return new QueuedEvent(
                queued.position(),
                DeliveryId.of(eventId, open.queue.owner().within(open.organization)),
                eventId,
                type.wireName(),
                queued.event().stamp().at(),
                payload);
    }

    /** Whether a known consumer has no lease and no waiting events; such a fetch writes nothing. */
    private static boolean isIdle(Tx tx, OpenQueue open, Client client) {
        return PollingSql.consumer(tx, open.all(), client.webhook, client.consumer)
                .filter(consumer -> !consumer.leased())
                .filter(consumer -> !PollingSql.waits(tx, open.all(), client.webhook, consumer.committed()))
                .isPresent();
    }

    /** Reads one event more than requested, to know whether there are more. */
    private static WeighedPage.Rows<PollingSql.QueuedEvent> take(
            Tx tx, OpenQueue open, Client client, FetchOptions options) {
        View all = open.all();
        Optional<PollingSql.Consumer> consumer = PollingSql.consumer(tx, all, client.webhook, client.consumer);
        if (consumer.isPresent() && consumer.get().leased()) {
            throw Problem.of(ErrorCode.CONFLICT, "What this consumer was given is leased to it; commit it, or wait");
        }
        long committed = consumer.isPresent() ? consumer.get().committed() : begin(tx, all, client, options);
        PollingSql.place(tx, all, client.webhook, options.most + 1);
        WeighedPage.Rows<PollingSql.QueuedEvent> queued =
                PollingSql.waiting(tx, all, client.webhook, committed, options.most + 1);
        if (!queued.rows().isEmpty()) {
            long issued = queued.rows()
                    .get(Math.min(options.most, queued.rows().size()) - 1)
                    .position();
            PollingSql.lease(tx, all, client.webhook, client.consumer, issued, options.lease);
        }
        return queued;
    }

    private static long begin(Tx tx, View all, Client client, FetchOptions options) {
        if (PollingSql.consumers(tx, all, client.webhook) >= MOST_CONSUMERS) {
            throw Problem.limit(
                    "consumers",
                    MOST_CONSUMERS,
                    "A polling webhook has at most " + MOST_CONSUMERS + " consumers",
                    "Receive under the name of a consumer that there is already.");
        }
        long committed = 0;
        if (options.latest) {
            PollingSql.place(tx, all, client.webhook, MOST_PASSED_OVER);
            committed = PollingSql.lastPosition(tx, all, client.webhook);
        }
        PollingSql.begin(tx, all, client.webhook, client.consumer, committed);
        return committed;
    }

    private void storePayloads(OpenQueue open, String webhook, List<Long> numbers, List<QueuedEvent> unstored) {
        if (!unstored.isEmpty()) {
            database.run(open.organization, tx -> {
                for (int i = 0; i < unstored.size(); i++) {
                    PollingSql.storePayload(tx, open.all(), webhook, numbers.get(i), unstored.get(i).payload);
                }
            });
        }
    }

    /**
     * Commits all events up to a position; the lease of the consumer ends.
     *
     * @throws Problem {@code unauthorized}, {@code rate_limit_exceeded}, {@code unprocessable} for a position it was
     *     never given
     */
    void commit(Client client, long position) {
        OpenQueue open = authenticate(client);
        database.run(open.organization, tx -> {
            long issued = PollingSql.consumer(tx, open.all(), client.webhook, client.consumer)
                    .map(PollingSql.Consumer::issued)
                    .orElse(0L);
            if (position < 1 || position > issued) {
                throw Problem.of(
                        ErrorCode.UNPROCESSABLE, "The offset " + position + " was never given to this consumer");
            }
            PollingSql.commit(tx, open.all(), client.webhook, client.consumer, position);
        });
    }

    /**
     * The queue that a client may read.
     *
     * @throws Problem {@code unauthorized}, {@code rate_limit_exceeded}
     */
    PollingSql.Queue queue(Client client) {
        return authenticate(client).queue;
    }

    /**
     * Checks the token. A token is a credential like an API key: it has the same rate limit, and wrong tokens count
     * against the client's address.
     */
    private OpenQueue authenticate(Client client) {
        pacing.beforeLook(client.address);
        OpenQueue open;
        try {
            open = database.read(tx -> open(tx, client));
        } catch (Problem refused) {
            if (refused.code() == ErrorCode.UNAUTHORIZED) {
                pacing.refused(client.address);
            }
            throw refused;
        }
        pacing.admit(client.webhook).require();
        return open;
    }

    /** A wrong token and a missing queue give the same error. */
    private static OpenQueue open(Tx tx, Client client) {
        UUID organization = PollingWebhook.organization(client.app);
        if (organization != null && client.token != null) {
            Optional<PollingSql.Queue> queue = PollingSql.queue(tx, View.of(organization), client.webhook);
            if (queue.isPresent() && MessageDigest.isEqual(queue.get().tokenHash(), Digests.sha256(client.token))) {
                EverythingStop.check(tx, organization);
                return new OpenQueue(organization, queue.get());
            }
        }
        throw Problem.of(ErrorCode.UNAUTHORIZED, "The token does not open this queue");
    }
}
