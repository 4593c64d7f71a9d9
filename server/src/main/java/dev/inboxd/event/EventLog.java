package dev.inboxd.event;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
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

/** Appends events to the log, with their delivery rows. */
public final class EventLog {
    /** How long a new delivery row is reserved for the node that committed it; then any node takes it over. */
    public static final Duration LEASE = Duration.ofSeconds(60);

    private final Consumer<List<DeliveryRow>> listener;
    private final Supplier<@Nullable UUID> node;
    private Supplier<List<String>> full = List::of;
    private Consumer<EventType> counter = _ -> {};
    private final List<Consumer<AppendedEvents>> followers = new CopyOnWriteArrayList<>();

    /**
     * A log of a process that does not deliver: any node takes over its delivery rows.
     *
     * @param listener receives, on the committing thread after the commit, every new delivery row; a hint, must be
     *     quick
     */
    public EventLog(Consumer<List<DeliveryRow>> listener) {
        this(listener, () -> null);
    }

    /**
     * A log of a named node: when that node dies, others take over its deliveries.
     *
     * @param listener see {@link #EventLog(Consumer)}
     * @param node the id of this node, or null while it must claim nothing
     */
    public EventLog(Consumer<List<DeliveryRow>> listener, Supplier<@Nullable UUID> node) {
        this.listener = listener;
        this.node = node;
    }

    /**
     * Sets the source of webhooks whose queues are full: their deliveries have a due row from the start, for any node.
     */
    public void leaveToRows(Supplier<List<String>> full) {
        this.full = full;
    }

    /** Sets what is told the type of each event that is committed; before there are any. */
    public void onEvent(Consumer<EventType> eventCounter) {
        counter = eventCounter;
    }

    /** Registers a follower that receives, after each commit, the appended events; a hint, must not block. */
    public void onAppended(Consumer<AppendedEvents> follower) {
        followers.add(follower);
    }

    /**
     * The events that a transaction appended.
     *
     * @param organization their organization
     * @param payloads by event number, a supplier of the event's payload, as in {@link DeliveryRow}; not for every
     *     event
     */
    public record AppendedEvents(UUID organization, Map<Long, Supplier<byte[]>> payloads) {
        public AppendedEvents {
            payloads = Map.copyOf(payloads);
        }
    }

    /**
     * A committed delivery row.
     *
     * @param organization its organization
     * @param webhookId the webhook
     * @param type the event's type
     * @param stamp the event's number and time
     * @param payload renders the bytes to post from objects that the committing thread still has in memory, or null
     *     when the rows must be read
     */
    public record DeliveryRow(
            UUID organization,
            String webhookId,
            EventType type,
            Tx.Stamp stamp,
            @Nullable Supplier<byte[]> payload) {}

    /** Starts the batch of events of one transaction. */
    public EventBatch appending(Tx tx, View view) {
        return new EventBatch(tx, view);
    }

    /**
     * Whether webhooks get the event. Nobody asks them what they may read, so mail that is in the trash when it is
     * told of is for those alone who may read the trash.
     */
    private static boolean isPosted(EventSql.Line line) {
        boolean trash = (line.event().subject().restricted() & RestrictedLabel.TRASH.bit()) != 0;
        return !(trash && line.event().type().isReceived());
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

        /** The view of the whole organization. */
        public View view() {
            return view;
        }

        /** The stamp of the next event, for events that contain their own time. */
        public Tx.Stamp next() {
            return tx.next();
        }

        /**
         * Adds an event.
         *
         * @return its stamp; each of its labels takes one of the numbers that follow
         */
        public Tx.Stamp add(Event event) {
            return add(event, tx.next(), null);
        }

        /** As {@link #add(Event)}, with a stamp taken before and a payload from memory. */
        public Tx.Stamp add(Event event, Tx.Stamp stamp, @Nullable Supplier<byte[]> payload) {
            tx.skip(event.labels().size());
            entries.add(new Entry(event, stamp, payload));
            return stamp;
        }

        /** Adds the statements for the events and their deliveries to a round trip. */
        public void appendTo(RoundTrip trip) {
            if (entries.isEmpty()) {
                return;
            }
            List<EventSql.Line> lines = entries.stream()
                    .map(entry -> new EventSql.Line(entry.event, entry.stamp))
                    .toList();
            EventSql.insert(trip, view, lines);
            UUID claimant = node.get();
            if (claimant == null) {
                tx.schedules(); // what nobody has claimed is due at once
            }
            RoundTrip.Result<EventSql.Match> matches = EventSql.fanOut(
                    trip,
                    view,
                    lines.stream().filter(EventLog::isPosted).toList(),
                    new EventSql.Node(claimant, full.get()));
            tx.afterCommit(() -> {
                notifyListener(
                        matches.rows().stream().filter(EventSql.Match::called).toList());
                notifyFollowers();
            });
        }

        /** Writes the batch in its own round trip. */
        public void write() {
            RoundTrip trip = tx.roundTrip();
            appendTo(trip);
            trip.run();
        }

        private void notifyFollowers() {
            Map<Long, Supplier<byte[]>> payloads = new HashMap<>();
            for (Entry entry : entries) {
                counter.accept(entry.event.type());
                if (entry.payload != null) {
                    payloads.put(entry.stamp.number(), entry.payload);
                }
            }
            AppendedEvents appended = new AppendedEvents(view.organization(), payloads);
            followers.forEach(follower -> follower.accept(appended));
        }

        private void notifyListener(List<EventSql.Match> matches) {
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
