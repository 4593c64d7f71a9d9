package dev.inboxd.notify.stream;

import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.message.Arrivals;
import dev.inboxd.mailbox.message.ReceivedPayloads;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.platform.log.Metrics;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.tenant.apikey.Authentication;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events as they happen: sockets, the feed, and waits for messages, told by one tail. */
public final class Streams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Streams.class);

    private final Authentication credentials;
    private final Telling telling;
    private final Tail tail;
    private final Sockets sockets;
    private final Waits waits;
    private final EventFeedHttp feedHttp;
    private final MessageWaitHttp messageWaitHttp;

    /**
     * What it all stands on.
     *
     * @param credentials looks again at the keys that sockets were opened with
     * @param received renders what arrived
     * @param arrivals finds what arrived
     * @param vault seals cursors
     * @param metrics shows how many listen
     */
    public record Parts(
            Database database,
            Authentication credentials,
            ReceivedPayloads received,
            Arrivals arrivals,
            Vault vault,
            Metrics metrics) {}

    /** Streams of a database; nobody is told anything before {@link #start}. */
    public Streams(Parts parts) {
        this.credentials = parts.credentials;
        this.telling = new Telling(parts.received);
        this.tail = new Tail(parts.database, this::tell);
        Position positions = new Position(parts.vault);
        EventFeed feed = new EventFeed(parts.database, telling);
        Crowd crowd = Crowd.ofHeap();
        this.sockets = new Sockets(new Sockets.Parts(parts.database, credentials, tail, feed, positions, crowd));
        this.waits = new Waits(tail, crowd);
        this.feedHttp = new EventFeedHttp(parts.database, feed, positions, waits);
        parts.metrics.gauge("inboxd.sockets", "Open WebSockets", sockets::count);
        parts.metrics.gauge("inboxd.waits", "Requests that wait for an event", waits::count);
        this.messageWaitHttp = new MessageWaitHttp(parts.arrivals, feed, positions, waits);
    }

    /** Begins to follow. */
    public void start() {
        tail.start();
        sockets.start();
    }

    /** Hears of what this node has committed; a hint, never blocks. */
    public void appended(EventLog.Appended appended) {
        tail.appended(appended);
    }

    /** Hears that credentials were revoked or changed; a hint, never blocks. */
    public void credentialsChanged() {
        sockets.lookNow();
    }

    /** Mounts the WebSocket and the feed of the organization. */
    public void mount(Routes organization) {
        sockets.mount(organization);
        feedHttp.mount(organization);
    }

    /** Mounts the wait for a message of one inbox. */
    public void mountInbox(Routes inbox) {
        messageWaitHttp.mount(inbox);
    }

    /** Lets every waiting request answer and every socket reconnect, before the server stops to serve. */
    @Override
    public void close() {
        sockets.close();
        waits.close();
        tail.close();
    }

    /** An entry that a subscriber wants. */
    private record Due(Happening.Entry entry, Subscriber subscriber) {}

    private void tell(Audience audience, List<Happening> rows) {
        List<Due> due = new ArrayList<>();
        Set<UUID> keys = new HashSet<>();
        for (Happening row : rows) {
            if (row.type() == null) {
                LOG.warn(
                        "The event {} of {} is of a type that is not known here; nobody is told of it",
                        row.number(),
                        audience.organization());
            }
            for (Happening.Entry entry : row.entries()) {
                for (Listener listener : audience.of(entry)) {
                    switch (listener) {
                        case Waiter waiter -> waiter.ring();
                        case Subscriber subscriber -> {
                            if (subscriber.listens(entry)) {
                                due.add(new Due(entry, subscriber));
                                keys.add(subscriber.key());
                            }
                        }
                    }
                }
            }
        }
        if (!due.isEmpty()) {
            // Read after the rows, so that a key that was narrowed before an event does not see it (ruling 20).
            send(audience, due, credentials.again(audience.organization(), keys));
        }
    }

    private void send(Audience audience, List<Due> due, Map<UUID, Caller> callers) {
        Made made = new Made(audience);
        for (Due one : due) {
            Caller caller = callers.get(one.subscriber.key());
            if (caller == null) {
                one.subscriber.ended();
            } else if (Wish.isShown(caller, one.entry)) {
                byte[] bytes = made.of(caller, one.entry);
                if (bytes != null) {
                    one.subscriber.hear(one.entry, bytes);
                }
            }
        }
    }

    /** What those see alike to whom the same is hidden. */
    private record Sight(int hidden, @Nullable Instant since) {}

    /** The bytes of one entry, made once for all who see the same of it. */
    private final class Made {
        private final Audience audience;
        private final Map<Sight, byte[]> bytes = new HashMap<>();
        private final Set<Sight> gone = new HashSet<>();
        private long number = -1;

        Made(Audience audience) {
            this.audience = audience;
        }

        byte @Nullable [] of(Caller caller, Happening.Entry entry) {
            if (entry.number() != number) {
                number = entry.number();
                bytes.clear();
                gone.clear();
            }
            Sight sight = new Sight(caller.view().hidden(), caller.view().since());
            byte[] known = bytes.get(sight);
            if (known == null && !gone.contains(sight)) {
                known = make(caller, entry);
                if (known == null) {
                    gone.add(sight);
                } else {
                    bytes.put(sight, known);
                }
            }
            return known;
        }

        private byte @Nullable [] make(Caller caller, Happening.Entry entry) {
            // What is at hand was made for those from whom nothing is hidden. A clean message comes with a clean
            // thread.
            View view = caller.view();
            boolean fits = view.since() == null
                    && (view.hidden() == 0 || entry.of().restricted() == 0)
                    && !entry.of().gone();
            Supplier<byte[]> atHand = fits && entry.label() == null ? audience.remembered(entry.number()) : null;
            return telling.bytes(caller, entry, atHand);
        }
    }
}
