package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.WebSocketConnection;
import dev.inboxd.base.http.WebSocketHandler;
import dev.inboxd.base.json.Json;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection: its subscription and the position up to which events were sent. Each matching entry is sent
 * once and in order. While missed entries are read from the rows, entries from the tail are not sent; their arrival is
 * noted, and the rows are read again.
 */
final class Subscriber implements WebSocketHandler, LogListener {
    private static final int MOST_TARGETS = 1_000;

    private final EventSockets sockets;
    private final UUID organization;
    private final @Nullable UUID key;
    private final @Nullable Caller payer;
    private final Set<UUID> targets = new HashSet<>();
    private @Nullable WebSocketConnection socket;
    private volatile SubscriptionFilter filter = SubscriptionFilter.NOTHING;
    private boolean live;
    private boolean missed;
    private boolean closed;
    /** Every matching entry up to this sequence number was sent, none behind it. */
    private long sentUpTo;

    Subscriber(EventSockets sockets, Caller caller) {
        this.sockets = sockets;
        this.organization = caller.organization();
        this.payer = caller.credential() instanceof Caller.Credential.Payer ? caller : null;
        this.key = payer == null ? caller.requireKey() : null;
    }

    UUID organization() {
        return organization;
    }

    /** The API key; null where an account pays. */
    @Nullable
    UUID key() {
        return key;
    }

    /** The account that pays, whose rights do not change; null where a key listens. */
    @Nullable
    Caller payer() {
        return payer;
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
        closed = true;
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

    private void subscribe(SubscribeFrame frame, SubscriptionFilter added, Caller caller) throws InterruptedException {
        join(added);
        long head = sockets.head(organization);
        Long cursor = frame.cursor() == null ? null : sockets.position(organization, frame.cursor(), head);
        byte[] subscribed = Json.write(frame.subscribed());
        SubscriptionFilter before = filter;
        if (cursor == null) {
            begin(filter.with(added), head, subscribed);
            return;
        }
        boolean first = before.equals(SubscriptionFilter.NOTHING);
        long reached = suspend(filter.with(added), subscribed);
        CatchUp catchUp = new CatchUp(before, added, first ? Long.MAX_VALUE : reached, cursor);
        try {
            catchUp(catchUp, first ? cursor : Math.min(cursor, reached), caller);
        } catch (RuntimeException cut) {
            // Without a close the connection would stay silent: the client reconnects with its cursor.
            socket().close(
                            WebSocketConnection.TRY_AGAIN_LATER,
                            "what was missed could not be read; resume with the same cursor");
        }
    }

    private void join(SubscriptionFilter added) {
        Set<UUID> more = added.types().keySet();
        synchronized (this) {
            Set<UUID> all = new HashSet<>(targets);
            all.addAll(more);
            if (all.size() > MOST_TARGETS) {
                throw Problem.limit(
                        "targets",
                        MOST_TARGETS,
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
        return closed;
    }

    /** Sends live from now on. A subscription that is added later does not change the position. */
    private synchronized void begin(SubscriptionFilter all, long head, byte[] subscribed) {
        if (!live) {
            sentUpTo = head;
            live = true;
        }
        filter = all; // before the client hears that it is subscribed
        socket().send(subscribed);
    }

    private synchronized long suspend(SubscriptionFilter all, byte[] subscribed) {
        live = false;
        missed = false;
        filter = all;
        socket().send(subscribed);
        return sentUpTo;
    }

    /**
     * The entries still to be sent from the rows.
     *
     * @param before the filter before the cursor came; its entries were sent up to {@code reached}
     * @param added the filter that came with the cursor; its entries are sent from the cursor on
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
            clearMissed();
            EventFeed.FeedPage page = sockets.page(caller, entry -> due.isDue(organization, entry), at);
            for (EventFeed.FeedEntry entry : page.entries()) {
                if (!socket().awaitRoom() || !socket().send(entry.bytes())) {
                    return;
                }
            }
            at = page.upTo();
            behind = page.more() || !goLive(at);
            caller = behind ? sockets.reauthenticate(this) : caller;
            if (caller == null) {
                ended();
                return;
            }
        }
    }

    private synchronized void clearMissed() {
        missed = false;
    }

    /** Switches to live sending, unless entries arrived behind the rows that were read. */
    private synchronized boolean goLive(long reached) {
        if (missed) {
            return false;
        }
        sentUpTo = reached;
        live = true;
        return true;
    }

    @Override
    public boolean accepts(LoggedEvent.Entry entry) {
        return filter.matches(organization, entry);
    }

    /** Whether an entry would be sent now. If the connection is still catching up, the entry is noted as missed. */
    synchronized boolean isSubscribedTo(LoggedEvent.Entry entry) {
        missed |= !live;
        return live && entry.number() > sentUpTo;
    }

    /** Sends an entry from the tail. */
    synchronized void deliver(LoggedEvent.Entry entry, byte[] bytes) {
        if (isSubscribedTo(entry)) {
            sentUpTo = entry.number();
            socket().send(bytes);
        }
    }

    /** The API key was revoked or has expired. */
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
