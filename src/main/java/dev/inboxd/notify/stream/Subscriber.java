package dev.inboxd.notify.stream;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.WebSocketConnection;
import dev.inboxd.platform.http.WebSocketHandler;
import dev.inboxd.platform.json.Json;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One connection: what it subscribed to, and how far it was told. Each entry it wants is sent once and in order. While
 * it is brought up to the present from the rows, what the tail tells is not sent but noted, and the rows are read again.
 */
final class Subscriber implements WebSocketHandler, LogListener {
    private static final int MOST_TARGETS = 1_000;

    private final EventSockets sockets;
    private final UUID organization;
    private final UUID key;
    private final Set<UUID> targets = new HashSet<>();
    private @Nullable WebSocketConnection socket;
    private volatile SubscriptionFilter wish = SubscriptionFilter.NOTHING;
    private boolean live;
    private boolean missed;
    private boolean gone;
    /** Every wanted entry up to this number was sent, none behind it. */
    private long told;

    Subscriber(EventSockets sockets, Caller caller) {
        this.sockets = sockets;
        this.organization = caller.organization();
        this.key = caller.requireKey();
    }

    UUID organization() {
        return organization;
    }

    UUID key() {
        return key;
    }

    @Override
    public void opened(WebSocketConnection opened) {
        socket = opened;
        sockets.opened(this);
    }

    @Override
    public void closed() {
        sockets.closed(this, leave());
    }

    private synchronized Set<UUID> leave() {
        gone = true;
        live = false;
        return Set.copyOf(targets);
    }

    @Override
    public void received(byte[] text) {
        try {
            SubscribeFrame frame = SubscribeFrame.read(text);
            Caller caller = sockets.reauthenticate(this);
            if (caller == null) {
                ended();
                return;
            }
            subscribe(frame, sockets.filter(frame, caller), caller);
        } catch (Problem problem) {
            socket().refuse(problem);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void subscribe(SubscribeFrame frame, SubscriptionFilter wished, Caller caller) throws InterruptedException {
        join(wished);
        long head = sockets.head(organization);
        Long cursor = frame.cursor() == null ? null : sockets.position(organization, frame.cursor(), head);
        byte[] subscribed = Json.write(frame.subscribed());
        SubscriptionFilter before = wish;
        if (cursor == null) {
            begin(wish.with(wished), head, subscribed);
            return;
        }
        boolean first = before.equals(SubscriptionFilter.NOTHING);
        long reached = suspend(wish.with(wished), subscribed);
        CatchUp catchUp = new CatchUp(before, wished, first ? Long.MAX_VALUE : reached, cursor);
        try {
            catchUp(catchUp, first ? cursor : Math.min(cursor, reached), caller);
        } catch (RuntimeException cut) {
            // It would stay silent from here on: the client comes back with its cursor.
            socket().close(
                            WebSocketConnection.TRY_AGAIN_LATER,
                            "what was missed could not be read; resume with the same cursor");
        }
    }

    private void join(SubscriptionFilter wished) {
        Set<UUID> more = wished.types().keySet();
        synchronized (this) {
            Set<UUID> all = new HashSet<>(targets);
            all.addAll(more);
            if (all.size() > MOST_TARGETS) {
                throw Problem.of(
                        ErrorCode.LIMIT_EXCEEDED,
                        "A connection listens to at most " + MOST_TARGETS + " pods and inboxes",
                        "Open another connection for the others, or subscribe without any.");
            }
            targets.addAll(more);
        }
        sockets.join(this, more);
        if (isGone()) {
            sockets.closed(this, more); // it ended while it joined
        }
    }

    private synchronized boolean isGone() {
        return gone;
    }

    /** Hears from now on; a wish that is added later does not change how far the connection was told. */
    private synchronized void begin(SubscriptionFilter all, long head, byte[] subscribed) {
        if (!live) {
            told = head;
            live = true;
        }
        wish = all; // before the client may count on it
        socket().send(subscribed);
    }

    private synchronized long suspend(SubscriptionFilter all, byte[] subscribed) {
        live = false;
        missed = false;
        wish = all;
        socket().send(subscribed);
        return told;
    }

    /**
     * What is still to be sent of the rows.
     *
     * @param before what was wanted before the cursor came, and was sent up to {@code reached}
     * @param added what the cursor came with; sent from the cursor on
     */
    private record CatchUp(SubscriptionFilter before, SubscriptionFilter added, long reached, long cursor) {
        boolean isDue(UUID organization, LoggedEvent.Entry entry) {
            boolean old = before.matches(organization, entry);
            return (old && entry.number() > reached)
                    || (added.matches(organization, entry)
                            && entry.number() > cursor
                            && !(old && entry.number() <= reached));
        }
    }

    private void catchUp(CatchUp due, long from, Caller first) throws InterruptedException {
        long at = from;
        Caller caller = first;
        boolean behind = true;
        while (behind) {
            notice();
            EventFeed.FeedPage page = sockets.page(caller, entry -> due.isDue(organization, entry), at);
            for (EventFeed.FeedEntry one : page.entries()) {
                if (!socket().awaitRoom() || !socket().send(one.bytes())) {
                    return;
                }
            }
            at = page.upTo();
            behind = page.more() || !present(at);
            caller = behind ? sockets.reauthenticate(this) : caller;
            if (caller == null) {
                ended();
                return;
            }
        }
    }

    private synchronized void notice() {
        missed = false;
    }

    /** Goes on live, unless something happened behind the rows that were read. */
    private synchronized boolean present(long reached) {
        if (missed) {
            return false;
        }
        told = reached;
        live = true;
        return true;
    }

    @Override
    public boolean accepts(LoggedEvent.Entry entry) {
        return wish.matches(organization, entry);
    }

    /** Whether an entry would be sent now; if not for its being brought up to the present, that is noted. */
    synchronized boolean isSubscribedTo(LoggedEvent.Entry entry) {
        missed |= !live;
        return live && entry.number() > told;
    }

    /** Sends what the tail tells. */
    synchronized void deliver(LoggedEvent.Entry entry, byte[] bytes) {
        if (isSubscribedTo(entry)) {
            told = entry.number();
            socket().send(bytes);
        }
    }

    /** Its key was revoked or has expired. */
    void ended() {
        close(WebSocketConnection.POLICY_VIOLATION, "the API key was revoked or has expired");
    }

    void close(int code, String reason) {
        socket().close(code, reason);
    }

    private WebSocketConnection socket() {
        return Objects.requireNonNull(socket);
    }
}
