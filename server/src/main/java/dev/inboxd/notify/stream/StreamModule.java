package dev.inboxd.notify.stream;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.http.ReceivedMessages;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.payload.ReceivedPayloads;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
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
public final class StreamModule implements ServiceModule {
    private static final Logger LOG = LoggerFactory.getLogger(StreamModule.class);

    private final CredentialAuthenticator credentials;
    private final EventRenderer telling;
    private final LogTail tail;
    private final EventSockets sockets;
    private final LongPolls waits;
    private final EventFeedHttp feedHttp;
    private final MessageWaitHttp messageWaitHttp;

    /**
     * Streams of this platform; nobody is told anything before the start.
     *
     * @param credentials looks again at the keys that sockets were opened with
     */
    public StreamModule(PlatformModule platform, CredentialAuthenticator credentials) {
        Database database = platform.database();
        MessageContents contents = new MessageContents(platform.blobs());
        this.credentials = credentials;
        this.telling = new EventRenderer(new ReceivedPayloads(database, contents, platform.links()));
        this.tail = new LogTail(database, this::announce);
        StreamCursor positions = new StreamCursor(platform.vault());
        EventFeed feed = new EventFeed(database, telling);
        ListenerMemory crowd = ListenerMemory.ofHeap();
        this.sockets = new EventSockets(new EventSockets.Parts(database, credentials, tail, feed, positions, crowd));
        this.waits = new LongPolls(tail, crowd);
        this.feedHttp = new EventFeedHttp(database, feed, positions, waits);
        platform.metrics().gauge("inboxd.sockets", "Open WebSockets", sockets::count);
        platform.metrics().gauge("inboxd.waits", "Requests that wait for an event", waits::count);
        this.messageWaitHttp = new MessageWaitHttp(new ReceivedMessages(database, contents), feed, positions, waits);
    }

    /** Sockets stop before the server that serves them: every waiting request answers, every socket reconnects. */
    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStart(Phase.WORKERS, this::start);
        lifecycle.onStop(Phase.WAITS, this::close);
    }

    private void start() {
        tail.start();
        sockets.start();
    }

    private void close() {
        sockets.close();
        waits.close();
        tail.close();
    }

    /** Hears of what this node has committed; a hint, never blocks. */
    public void appended(EventLog.AppendedEvents appended) {
        tail.appended(appended);
    }

    /** Hears that credentials were revoked or changed; a hint, never blocks. */
    public void credentialsChanged() {
        sockets.refresh();
    }

    @Override
    public void mount(RouteTable routes) {
        sockets.mount(routes.at(Level.ORGANIZATION));
        feedHttp.mount(routes.at(Level.ORGANIZATION));
        messageWaitHttp.mount(routes.at(Level.INBOX));
    }

    /** An entry that a subscriber wants. */
    private record DueEntry(LoggedEvent.Entry entry, Subscriber subscriber) {}

    private void announce(OrganizationListeners audience, List<LoggedEvent> rows) {
        List<DueEntry> due = new ArrayList<>();
        Set<UUID> keys = new HashSet<>();
        for (LoggedEvent row : rows) {
            if (row.type() == null) {
                LOG.warn(
                        "The event {} of {} is of a type that is not known here; nobody is told of it",
                        row.number(),
                        audience.organization());
            }
            for (LoggedEvent.Entry entry : row.entries()) {
                for (LogListener listener : audience.of(entry)) {
                    switch (listener) {
                        case LongPoll waiter -> waiter.signal();
                        case Subscriber subscriber -> {
                            if (subscriber.isSubscribedTo(entry)) {
                                due.add(new DueEntry(entry, subscriber));
                                if (subscriber.key() != null) {
                                    keys.add(subscriber.key());
                                }
                            }
                        }
                    }
                }
            }
        }
        if (!due.isEmpty()) {
            // Read after the rows, so that a key that was narrowed before an event does not see it (ruling 20).
            send(audience, due, credentials.reauthenticate(audience.organization(), keys));
        }
    }

    private void send(OrganizationListeners audience, List<DueEntry> due, Map<UUID, Caller> callers) {
        RenderedEntry rendered = new RenderedEntry(audience);
        for (DueEntry dueEntry : due) {
            UUID key = dueEntry.subscriber.key();
            Caller caller = key == null ? dueEntry.subscriber.payer() : callers.get(key);
            if (caller == null) {
                dueEntry.subscriber.ended();
            } else if (SubscriptionFilter.isShown(caller, dueEntry.entry)) {
                byte[] bytes = rendered.of(caller, dueEntry.entry);
                if (bytes != null) {
                    dueEntry.subscriber.deliver(dueEntry.entry, bytes);
                }
            }
        }
    }

    /** What those see alike to whom the same is hidden. */
    private record Visibility(int hidden, @Nullable Instant since) {}

    /** The bytes of one entry, made once for all who see the same of it. */
    private final class RenderedEntry {
        private final OrganizationListeners audience;
        private final Map<Visibility, byte[]> bytes = new HashMap<>();
        private final Set<Visibility> invisible = new HashSet<>();
        private long number = -1;

        RenderedEntry(OrganizationListeners audience) {
            this.audience = audience;
        }

        byte @Nullable [] of(Caller caller, LoggedEvent.Entry entry) {
            if (entry.number() != number) {
                number = entry.number();
                bytes.clear();
                invisible.clear();
            }
            Visibility sight =
                    new Visibility(caller.view().hidden(), caller.view().since());
            byte[] payload = bytes.get(sight);
            if (payload == null && !invisible.contains(sight)) {
                payload = make(caller, entry);
                if (payload == null) {
                    invisible.add(sight);
                } else {
                    bytes.put(sight, payload);
                }
            }
            return payload;
        }

        private byte @Nullable [] make(Caller caller, LoggedEvent.Entry entry) {
            // What is at hand was made for those from whom nothing is hidden. A clean message comes with a clean
            // thread.
            View view = caller.view();
            boolean fits = view.since() == null
                    && (view.hidden() == 0 || entry.of().restricted() == 0)
                    && !entry.of().messageDeleted();
            Supplier<byte[]> atHand = fits && entry.label() == null ? audience.rendered(entry.number()) : null;
            return telling.bytes(caller, entry, atHand);
        }
    }
}
