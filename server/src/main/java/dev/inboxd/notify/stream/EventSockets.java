package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.http.WebSocketConnection;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The open WebSockets of this node (events.md §5). */
final class EventSockets implements AutoCloseable {
    /**
     * How often API keys of open sockets are checked: a key that was revoked or has expired closes its sockets within a
     * second, on every node (promise P12). So does an organization that is gone, whose account listens without a key.
     */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(400);

    private static final int PAGE = 50;

    private final Database database;
    private final CredentialAuthenticator credentials;
    private final LogTail tail;
    private final EventFeed feed;
    private final StreamCursor cursors;
    private final ListenerMemory memory;
    private final Set<Subscriber> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private final PeriodicTask keyCheck = new PeriodicTask("keys of sockets", CHECK_INTERVAL, this::checkKeys);

    /** The collaborators of the sockets. */
    record Parts(
            Database database,
            CredentialAuthenticator credentials,
            LogTail tail,
            EventFeed feed,
            StreamCursor cursors,
            ListenerMemory memory) {}

    EventSockets(Parts parts) {
        this.database = parts.database;
        this.credentials = parts.credentials;
        this.tail = parts.tail;
        this.feed = parts.feed;
        this.cursors = parts.cursors;
        this.memory = parts.memory;
    }

    void start() {
        keyCheck.start();
    }

    /** Checks the API keys now. */
    void refresh() {
        keyCheck.wake();
    }

    /** Mounts {@code GET /v0}. */
    void mount(Routes organization) {
        organization.socket(Permission.MESSAGE_READ, "", this::converse);
    }

    private Subscriber converse(Request request) {
        return new Subscriber(this, request.caller());
    }

    int count() {
        return open.size();
    }

    void opened(Subscriber subscriber) {
        if (!memory.enter(subscriber.organization(), ListenerMemory.SOCKET)) {
            subscriber.close(WebSocketConnection.TRY_AGAIN_LATER, "too many listen");
            return;
        }
        open.add(subscriber);
        if (closing) {
            restart(subscriber);
        }
    }

    void closed(Subscriber subscriber, Collection<UUID> targets) {
        if (open.remove(subscriber)) {
            memory.release(subscriber.organization(), ListenerMemory.SOCKET);
        }
        tail.unsubscribe(subscriber.organization(), subscriber, targets);
    }

    void join(Subscriber subscriber, Collection<UUID> targets) {
        tail.join(subscriber.organization(), subscriber, targets);
    }

    /** Authenticates the connection's API key again; null when the key was revoked or has expired. */
    @Nullable
    Caller reauthenticate(Subscriber subscriber) {
        UUID key = subscriber.key();
        if (key == null) {
            return existing(Set.of(subscriber.organization())).isEmpty() ? null : subscriber.payer();
        }
        return credentials
                .reauthenticate(subscriber.organization(), List.of(key))
                .get(key);
    }

    private Set<UUID> existing(Set<UUID> organizations) {
        return database.read(tx -> Organizations.existing(tx, organizations));
    }

    SubscriptionFilter filter(SubscribeFrame frame, Caller caller) {
        return database.read(tx -> frame.filter(tx, caller));
    }

    long head(UUID organization) {
        return feed.head(organization);
    }

    long position(UUID organization, String cursor, long head) {
        return cursors.open(
                organization, cursor, () -> feed.extent(organization).upTo(head));
    }

    EventFeed.FeedPage page(Caller caller, Predicate<LoggedEvent.Entry> due, long after) {
        return feed.read(caller, new EventFeed.FeedQuery(due, null, PAGE), after);
    }

    private void checkKeys() {
        Map<UUID, UUID> keys = new HashMap<>();
        Set<UUID> payers = new HashSet<>();
        for (Subscriber subscriber : open) {
            if (subscriber.key() == null) {
                payers.add(subscriber.organization());
            } else {
                keys.put(subscriber.key(), subscriber.organization());
            }
        }
        Set<UUID> ended = keys.isEmpty() ? Set.of() : credentials.ended(keys);
        payers.removeAll(payers.isEmpty() ? Set.of() : existing(payers));
        open.stream()
                .filter(peer -> peer.key() == null ? payers.contains(peer.organization()) : ended.contains(peer.key()))
                .forEach(Subscriber::ended);
    }

    /** Closes every socket with a code that tells clients to reconnect, to another node if there is one. */
    @Override
    public void close() {
        closing = true;
        keyCheck.close();
        open.forEach(EventSockets::restart);
    }

    private static void restart(Subscriber subscriber) {
        subscriber.close(WebSocketConnection.SERVICE_RESTART, "the server restarts");
    }
}
