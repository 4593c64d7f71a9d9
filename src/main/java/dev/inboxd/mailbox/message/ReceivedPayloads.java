package dev.inboxd.mailbox.message;

import dev.inboxd.event.EventId;
import dev.inboxd.event.EventType;
import dev.inboxd.event.LabelHistory;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.thread.EventThreadSnapshots;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.link.Links;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What subscribers are told of a message that arrived, read from the rows: for whoever was not there when it came. */
public final class ReceivedPayloads {
    private final Database database;
    private final MessageContents contents;
    private final Links links;

    /** Payloads from that database, with links to bodies that are too large. */
    public ReceivedPayloads(Database database, MessageContents contents, Links links) {
        this.database = database;
        this.contents = contents;
        this.links = links;
    }

    /**
     * An event that tells of a message.
     *
     * @param stamp the number and the time of the event
     */
    public record ReceivedEvent(UUID message, EventType type, Tx.Stamp stamp) {
        String id(UUID organization) {
            return EventId.of(organization, stamp);
        }
    }

    /**
     * The payloads as they were when the events were raised: the same bytes whenever they are read, and on whichever
     * node, though labels and threads have changed since (docs/decisions/0029-the-same-bytes.md). A link in one begins
     * with the event. What was deleted for good is not told: of another message of the thread, its attachments.
     *
     * @return by the event's number, what makes the bytes; nothing for a message that was deleted meanwhile, or whose
     *     inbox was
     */
    public Map<Long, Supplier<byte[]>> asRaised(UUID organization, List<ReceivedEvent> arrivals) {
        View all = View.of(organization);
        RenderedPayloads raised = database.read(tx -> raised(tx, all, arrivals));
        Map<Long, ReceivedPayload> payloads = new HashMap<>(raised.payloads);
        if (!raised.unremembered.isEmpty()) {
            remember(all, raised.unremembered);
            payloads.putAll(database.read(tx -> raised(tx, all, raised.unremembered)).payloads);
        }
        Map<Long, Supplier<byte[]>> bytes = new HashMap<>();
        for (ReceivedEvent arrival : arrivals) {
            ReceivedPayload payload = payloads.get(arrival.stamp.number());
            if (payload != null) {
                bytes.put(arrival.stamp.number(), () -> bytes(payload, arrival, arrival.stamp.at()));
            }
        }
        return bytes;
    }

    /**
     * The payload for whoever reads it now: as it was when the event was raised, where the view hides nothing and that is
     * known; otherwise as the message and its thread are now and as the view shows them. A link in it is still valid.
     *
     * @param view a whole organization, with or without what is hidden
     * @return empty when the message or its inbox was deleted meanwhile, or is not shown
     */
    public Optional<byte[]> asShown(View view, ReceivedEvent arrival) {
        boolean whole = view.hidden() == 0 && view.since() == null;
        return database.read(tx -> (whole
                                ? raised(tx, view, List.of(arrival)).of(arrival)
                                : Optional.<ReceivedPayload>empty())
                        .or(() -> shown(tx, view, arrival)))
                .map(payload -> bytes(payload, arrival, links.usableSince(arrival.stamp.at())));
    }

    private byte[] bytes(ReceivedPayload payload, ReceivedEvent arrival, Instant from) {
        return payload.bytes(arrival.type, arrival.id(payload.organization()), links, from);
    }

    /** Of threads that no webhook listened to then, or that were forgotten, is remembered what they are now. */
    private void remember(View all, List<ReceivedEvent> arrivals) {
        database.<@Nullable Void>write(all.organization(), tx -> {
            Map<UUID, UUID> threads = MessageReads.byKey(tx, all, messages(arrivals)).stream()
                    .collect(Collectors.toMap(
                            Message::id, message -> message.place().thread()));
            for (ReceivedEvent arrival : arrivals) {
                UUID thread = threads.get(arrival.message);
                if (thread != null) {
                    EventThreadSnapshots.remember(tx, all, arrival.stamp.number(), thread);
                }
            }
            return null;
        });
    }

    private static List<UUID> messages(List<ReceivedEvent> arrivals) {
        return arrivals.stream().map(ReceivedEvent::message).distinct().toList();
    }

    /**
     * Payloads as they were.
     *
     * @param payloads by the event's number
     * @param unremembered of whose threads nothing is known any more
     */
    private record RenderedPayloads(Map<Long, ReceivedPayload> payloads, List<ReceivedEvent> unremembered) {
        Optional<ReceivedPayload> of(ReceivedEvent arrival) {
            return Optional.ofNullable(payloads.get(arrival.stamp.number()));
        }
    }

    /** One round trip, since a backlog of deliveries is read so; another when a thread showed attachments. */
    private RenderedPayloads raised(Tx tx, View all, List<ReceivedEvent> arrivals) {
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<MessageReads.Full> found = MessageReads.prefetchFull(trip, all, messages(arrivals));
        Supplier<Map<Long, LabelHistory>> labels = LabelHistory.prefetch(
                trip,
                all,
                arrivals.stream()
                        .map(each -> new LabelHistory.Moment(each.message, each.stamp.number()))
                        .toList());
        RoundTrip.Result<Attachment> attachments = Attachments.prefetch(trip, all, messages(arrivals));
        RoundTrip.Result<EventThreadSnapshots.StoredSnapshot> threads = EventThreadSnapshots.prefetch(
                trip, all, arrivals.stream().map(each -> each.stamp.number()).toList());
        trip.run();
        Map<Long, ThreadContext> around = around(tx, all, threads.rows());
        Map<UUID, MessageReads.Full> messages = found.rows().stream()
                .collect(Collectors.toMap(full -> full.message().id(), full -> full));
        Map<UUID, List<Attachment>> own = attachments.rows().stream()
                .collect(Collectors.groupingBy(attachment -> attachment.owner().message()));
        Map<Long, ReceivedPayload> payloads = new HashMap<>();
        List<ReceivedEvent> unremembered = new ArrayList<>();
        for (ReceivedEvent arrival : arrivals) {
            long event = arrival.stamp.number();
            MessageReads.Full full = messages.get(arrival.message);
            LabelHistory history = labels.get().get(event);
            if (full != null && history != null && (history.opened() || around.containsKey(event))) {
                payloads.put(
                        event,
                        payload(
                                all,
                                full.message().with(history.labels(), history.changedAt()),
                                full.content(),
                                own.getOrDefault(arrival.message, List.of()),
                                history.opened() ? null : around.get(event)));
            } else if (full != null) {
                unremembered.add(arrival);
            }
        }
        return new RenderedPayloads(payloads, unremembered);
    }

    private static Map<Long, ThreadContext> around(Tx tx, View all, List<EventThreadSnapshots.StoredSnapshot> threads) {
        Map<UUID, Attachment> attachments = Attachments.byId(
                tx,
                all,
                threads.stream()
                        .flatMap(told -> told.attachments().stream())
                        .distinct()
                        .toList());
        return threads.stream()
                .collect(Collectors.toMap(
                        EventThreadSnapshots.StoredSnapshot::event,
                        told -> new ThreadContext(
                                told.thread(),
                                told.attachments().stream()
                                        .map(attachments::get)
                                        .filter(Objects::nonNull)
                                        .toList())));
    }

    private Optional<ReceivedPayload> shown(Tx tx, View view, ReceivedEvent arrival) {
        return MessageReads.full(tx, view, arrival.message).map(full -> {
            UUID thread = full.message().place().thread();
            // A thread that is hidden says nothing beside the message itself.
            ThreadContext around = Threads.find(tx, view, thread)
                    .map(found -> new ThreadContext(
                            found,
                            Attachments.ofThreads(tx, view, List.of(thread)).getOrDefault(thread, List.of())))
                    .orElse(null);
            return payload(view, full.message(), full.content(), own(tx, view, arrival), around);
        });
    }

    private static List<Attachment> own(Tx tx, View view, ReceivedEvent arrival) {
        return Attachments.ofMessages(tx, view, List.of(arrival.message)).getOrDefault(arrival.message, List.of());
    }

    /** A thread and the attachments it shows. */
    private record ThreadContext(MailThread thread, List<Attachment> attachments) {}

    /** The payload of a message in a thread, or alone. */
    private ReceivedPayload payload(
            View view, Message message, StoredContent content, List<Attachment> own, @Nullable ThreadContext around) {
        Message.Place place = message.place();
        ThreadContext thread = around != null
                ? around
                : new ThreadContext(MailThread.of(place.thread(), place.inbox(), place.pod(), message.member()), own);
        return new ReceivedPayload(
                view.organization(), message, contents.readable(content), own, thread.thread, thread.attachments);
    }
}
