package dev.inboxd.event;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Where events are appended. */
public final class EventLog {
    /** How long a new delivery row is left to the node that commits it; then whoever finds it takes over. */
    public static final Duration LEASE = Duration.ofSeconds(60);

    private final Consumer<List<DeliveryRow>> listener;
    private final @Nullable UUID node;
    private Supplier<List<String>> full = List::of;
    private final List<Consumer<AppendedEvents>> followers = new CopyOnWriteArrayList<>();

    /**
     * A log of a process that makes no deliveries: whoever finds their rows makes them.
     *
     * @param listener told after the commit, on the committing thread, of every delivery row made; a hint to be quick
     */
    public EventLog(Consumer<List<DeliveryRow>> listener) {
        this(listener, null);
    }

    /**
     * A log whose node is known by name: when it dies, others take over the deliveries it was about to make.
     *
     * @param listener see {@link #EventLog(Consumer)}
     * @param node the name of this process
     */
    public EventLog(Consumer<List<DeliveryRow>> listener, @Nullable UUID node) {
        this.listener = listener;
        this.node = node;
    }

    /** Says which webhooks have no room in memory: their deliveries are left to the rows from the start. */
    public void leaveToRows(Supplier<List<String>> full) {
        this.full = full;
    }

    /** Says who else is told, after each commit, of what was appended; a hint, must not block. */
    public void onAppended(Consumer<AppendedEvents> follower) {
        followers.add(follower);
    }

    /**
     * What a transaction appended.
     *
     * @param organization whose events they are
     * @param payloads by number, what makes the bytes to tell of an event, as in {@link DeliveryRow}; not of every event
     */
    public record AppendedEvents(UUID organization, Map<Long, Supplier<byte[]>> payloads) {
        public AppendedEvents {
            payloads = Map.copyOf(payloads);
        }
    }

    /**
     * A delivery row that was committed for an event.
     *
     * @param organization whose it is
     * @param webhookId the webhook
     * @param type the event's type
     * @param stamp its number and time
     * @param payload makes the bytes to post from what the committing thread still has in memory, or null when the
     *     rows must be read
     */
    public record DeliveryRow(
            UUID organization,
            String webhookId,
            EventType type,
            Tx.Stamp stamp,
            @Nullable Supplier<byte[]> payload) {}

    /** Starts appending the events of one transaction. */
    public EventBatch appending(Tx tx, View view) {
        return new EventBatch(tx, view);
    }

    /** The events of one transaction, written together. */
    public final class EventBatch {
        private final Tx tx;
        private final View view;
        private final List<Entry> entries = new ArrayList<>();

        private record Entry(
                Event event, Tx.Stamp stamp, @Nullable Supplier<byte[]> payload) {}

        private EventBatch(Tx tx, View view) {
            this.tx = tx;
            this.view = view;
        }

        /** The whole organization, which the events belong to. */
        public View view() {
            return view;
        }

        /** The number that the next event will have, for events that tell their own time. */
        public Tx.Stamp next() {
            return tx.next();
        }

        /** Gives the event its number, and each of its labels one of the numbers that follow. */
        public Tx.Stamp add(Event event) {
            return add(event, tx.next(), null);
        }

        /** As {@link #add(Event)}, under a number taken before and with the payload at hand. */
        public Tx.Stamp add(Event event, Tx.Stamp stamp, @Nullable Supplier<byte[]> payload) {
            tx.skip(event.labels().size());
            entries.add(new Entry(event, stamp, payload));
            return stamp;
        }

        /** Adds the writing of the events and of their deliveries to a round trip. */
        public void appendTo(RoundTrip trip) {
            if (entries.isEmpty()) {
                return;
            }
            List<EventSql.Line> lines = entries.stream()
                    .map(entry -> new EventSql.Line(entry.event, entry.stamp))
                    .toList();
            EventSql.insert(trip, view, lines);
            RoundTrip.Result<EventSql.Match> matches =
                    EventSql.fanOut(trip, view, lines, new EventSql.Node(node, full.get()));
            tx.afterCommit(() -> {
                tell(matches.rows().stream().filter(EventSql.Match::called).toList());
                tell();
            });
        }

        /** Writes them in a round trip of their own. */
        public void write() {
            RoundTrip trip = tx.roundTrip();
            appendTo(trip);
            trip.run();
        }

        private void tell() {
            Map<Long, Supplier<byte[]>> payloads = new HashMap<>();
            for (Entry entry : entries) {
                if (entry.payload != null) {
                    payloads.put(entry.stamp.number(), entry.payload);
                }
            }
            AppendedEvents appended = new AppendedEvents(view.organization(), payloads);
            followers.forEach(follower -> follower.accept(appended));
        }

        private void tell(List<EventSql.Match> matches) {
            if (matches.isEmpty()) {
                return;
            }
            Map<Long, Entry> byNumber = entries.stream().collect(Collectors.toMap(e -> e.stamp.number(), e -> e));
            List<DeliveryRow> fanned = new ArrayList<>();
            for (EventSql.Match match : matches) {
                Entry entry = byNumber.get(match.seq());
                if (entry != null) {
                    fanned.add(new DeliveryRow(
                            view.organization(), match.webhookId(), entry.event.type(), entry.stamp, entry.payload));
                }
            }
            listener.accept(fanned);
        }
    }
}
