package dev.inboxd.notify.stream;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.platform.http.WebSocketConnection;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The WebSockets that are open on this node (events.md §5). */
final class EventSockets implements AutoCloseable {
    /** A key that was revoked or has expired closes its sockets within a second, on every node (promise P12). */
    private static final Duration LOOK = Duration.ofMillis(400);

    private static final int PAGE = 50;

    private final Database database;
    private final CredentialAuthenticator credentials;
    private final LogTail tail;
    private final EventFeed feed;
    private final StreamCursor positions;
    private final ListenerMemory crowd;
    private final Set<Subscriber> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private final PeriodicTask beat = new PeriodicTask("keys of sockets", LOOK, this::look);

    /** What sockets stand on. */
    record Parts(
            Database database,
            CredentialAuthenticator credentials,
            LogTail tail,
            EventFeed feed,
            StreamCursor positions,
            ListenerMemory crowd) {}

    EventSockets(Parts parts) {
        this.database = parts.database;
        this.credentials = parts.credentials;
        this.tail = parts.tail;
        this.feed = parts.feed;
        this.positions = parts.positions;
        this.crowd = parts.crowd;
    }

    void start() {
        beat.start();
    }

    /** Looks at the keys at once. */
    void refresh() {
        beat.wake();
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
        if (!crowd.enter(subscriber.organization(), ListenerMemory.SOCKET)) {
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
            crowd.release(subscriber.organization(), ListenerMemory.SOCKET);
        }
        tail.unsubscribe(subscriber.organization(), subscriber, targets);
    }

    void join(Subscriber subscriber, Collection<UUID> targets) {
        tail.join(subscriber.organization(), subscriber, targets);
    }

    /** The caller behind a connection as its key is now, or null when the key has ended. */
    @Nullable
    Caller reauthenticate(Subscriber subscriber) {
        return credentials
                .reauthenticate(subscriber.organization(), List.of(subscriber.key()))
                .get(subscriber.key());
    }

    SubscriptionFilter filter(SubscribeFrame frame, Caller caller) {
        return database.read(tx -> frame.filter(tx, caller));
    }

    long head(UUID organization) {
        return feed.head(organization);
    }

    long position(UUID organization, String cursor, long head) {
        return positions.open(organization, cursor, () -> head);
    }

    EventFeed.FeedPage page(Caller caller, Predicate<LoggedEvent.Entry> due, long after) {
        return feed.read(caller, new EventFeed.FeedQuery(due, null, PAGE), after);
    }

    private void look() {
        Map<UUID, UUID> keys =
                open.stream().collect(Collectors.toMap(Subscriber::key, Subscriber::organization, (one, _) -> one));
        if (keys.isEmpty()) {
            return;
        }
        Set<UUID> ended = credentials.ended(keys);
        if (!ended.isEmpty()) {
            open.stream().filter(subscriber -> ended.contains(subscriber.key())).forEach(Subscriber::ended);
        }
    }

    /** Tells every client to connect again, elsewhere perhaps. */
    @Override
    public void close() {
        closing = true;
        beat.close();
        open.forEach(EventSockets::restart);
    }

    private static void restart(Subscriber subscriber) {
        subscriber.close(WebSocketConnection.SERVICE_RESTART, "the server restarts");
    }
}
