package dev.inboxd.mailbox.payload;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.link.Links;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventType;
import dev.inboxd.event.LabelHistory;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.MessageReads;
import dev.inboxd.mailbox.thread.EventThreadSnapshots;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
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

/**
 * Payloads of events about received messages, read from the rows: for deliveries and listeners that do not have the
 * payload from the transaction in memory.
 */
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
     * An event about a received message.
     *
     * @param stamp the sequence number and the time of the event
     */
    public record ReceivedEvent(UUID message, EventType type, Tx.Stamp stamp) {
        String id(UUID organization) {
            return EventId.of(organization, stamp);
        }
    }

    /**
     * The payloads as they were when the events were raised: the same bytes at every time and on every node, though
     * labels and threads have changed since (docs/decisions/0029-the-same-bytes.md). A link in a payload is valid from
     * the time of the event. Deleted content is left out, such as attachments of other messages of the thread.
     *
     * @return suppliers of the bytes by the event's sequence number, without messages that were deleted, or whose inbox
     *     was
     */
    public Map<Long, Supplier<byte[]>> asRaised(UUID organization, List<ReceivedEvent> events) {
        View all = View.of(organization);
        RenderedPayloads raised = database.read(tx -> raised(tx, all, events));
        Map<Long, ReceivedPayload> payloads = new HashMap<>(raised.payloads);
        if (!raised.withoutSnapshot.isEmpty()) {
            storeSnapshots(all, raised.withoutSnapshot);
            payloads.putAll(database.read(tx -> raised(tx, all, raised.withoutSnapshot)).payloads);
        }
        Map<Long, Supplier<byte[]>> bytes = new HashMap<>();
        for (ReceivedEvent event : events) {
            ReceivedPayload payload = payloads.get(event.stamp.number());
            if (payload != null) {
                bytes.put(event.stamp.number(), () -> bytes(payload, event, event.stamp.at()));
            }
        }
        return bytes;
    }

    /**
     * The payload for a reader of now. It is the payload as it was raised, when the view hides nothing and the thread's
     * snapshot exists. Otherwise it has the message and its thread as they are now and as the view shows them. A link
     * in it is still valid.
     *
     * @param view a whole organization, with or without what is hidden
     * @return empty when the message or its inbox was deleted, or the view does not show it
     */
    public Optional<byte[]> asShown(View view, ReceivedEvent event) {
        boolean seesAll = view.hidden() == 0 && view.since() == null;
        return database.read(
                        tx -> (seesAll ? raised(tx, view, List.of(event)).of(event) : Optional.<ReceivedPayload>empty())
                                .or(() -> shown(tx, view, event)))
                .map(payload -> bytes(payload, event, links.usableSince(event.stamp.at())));
    }

    private byte[] bytes(ReceivedPayload payload, ReceivedEvent event, Instant from) {
        return payload.bytes(event.type, event.id(payload.organization()), links, from);
    }

    /**
     * Stores snapshots of the present threads for events without one: no webhook existed then, or the snapshot has
     * expired.
     */
    private void storeSnapshots(View all, List<ReceivedEvent> events) {
        database.run(all.organization(), tx -> {
            Map<UUID, UUID> threads = MessageReads.byKey(tx, all, messages(events)).stream()
                    .collect(Collectors.toMap(
                            Message::id, message -> message.place().thread()));
            for (ReceivedEvent event : events) {
                UUID thread = threads.get(event.message);
                if (thread != null) {
                    EventThreadSnapshots.remember(tx, all, event.stamp.number(), thread);
                }
            }
        });
    }

    private static List<UUID> messages(List<ReceivedEvent> events) {
        return events.stream().map(ReceivedEvent::message).distinct().toList();
    }

    /**
     * Payloads as they were raised.
     *
     * @param payloads by the event's sequence number
     * @param withoutSnapshot events whose thread has no snapshot
     */
    private record RenderedPayloads(Map<Long, ReceivedPayload> payloads, List<ReceivedEvent> withoutSnapshot) {
        Optional<ReceivedPayload> of(ReceivedEvent event) {
            return Optional.ofNullable(payloads.get(event.stamp.number()));
        }
    }

    /**
     * Reads payloads in one round trip, because a backlog of deliveries is read with it, and in a second one when a
     * thread showed attachments.
     */
    private RenderedPayloads raised(Tx tx, View all, List<ReceivedEvent> events) {
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<MessageReads.Full> fullMessages = MessageReads.prefetchFull(trip, all, messages(events));
        Supplier<Map<Long, LabelHistory>> labels = LabelHistory.prefetch(
                trip,
                all,
                events.stream()
                        .map(event -> new LabelHistory.Moment(event.message, event.stamp.number()))
                        .toList());
        RoundTrip.Result<Attachment> attachments = Attachments.prefetch(trip, all, messages(events));
        RoundTrip.Result<EventThreadSnapshots.StoredSnapshot> threads = EventThreadSnapshots.prefetch(
                trip, all, events.stream().map(event -> event.stamp.number()).toList());
        trip.run();
        Map<Long, ThreadContext> around = around(tx, all, threads.rows());
        Map<UUID, MessageReads.Full> messages = fullMessages.rows().stream()
                .collect(Collectors.toMap(full -> full.message().id(), full -> full));
        Map<UUID, List<Attachment>> own = attachments.rows().stream()
                .collect(Collectors.groupingBy(attachment -> attachment.owner().message()));
        Map<Long, ReceivedPayload> payloads = new HashMap<>();
        List<ReceivedEvent> withoutSnapshot = new ArrayList<>();
        for (ReceivedEvent event : events) {
            long number = event.stamp.number();
            MessageReads.Full full = messages.get(event.message);
            LabelHistory history = labels.get().get(number);
            if (full != null && history != null && (history.opened() || around.containsKey(number))) {
                payloads.put(
                        number,
                        payload(
                                all,
                                full.message().with(history.labels(), history.changedAt()),
                                full.content(),
                                own.getOrDefault(event.message, List.of()),
                                around.get(number)));
            } else if (full != null) {
                withoutSnapshot.add(event);
            }
        }
        return new RenderedPayloads(payloads, withoutSnapshot);
    }

    private static Map<Long, ThreadContext> around(Tx tx, View all, List<EventThreadSnapshots.StoredSnapshot> threads) {
        Map<UUID, Attachment> attachments = Attachments.byId(
                tx,
                all,
                threads.stream()
                        .flatMap(snapshot -> snapshot.attachments().stream())
                        .distinct()
                        .toList());
        return threads.stream()
                .collect(Collectors.toMap(
                        EventThreadSnapshots.StoredSnapshot::event,
                        snapshot -> new ThreadContext(
                                snapshot.thread(),
                                snapshot.attachments().stream()
                                        .map(attachments::get)
                                        .filter(Objects::nonNull)
                                        .toList())));
    }

    private Optional<ReceivedPayload> shown(Tx tx, View view, ReceivedEvent event) {
        return MessageReads.full(tx, view, event.message).map(full -> {
            UUID thread = full.message().place().thread();
            // A hidden thread shows only the message itself.
            ThreadContext around = Threads.find(tx, view, thread)
                    .map(mailThread -> new ThreadContext(
                            mailThread,
                            Attachments.ofThreads(tx, view, List.of(thread)).getOrDefault(thread, List.of())))
                    .orElse(null);
            return payload(view, full.message(), full.content(), own(tx, view, event), around);
        });
    }

    private static List<Attachment> own(Tx tx, View view, ReceivedEvent event) {
        return Attachments.ofMessages(tx, view, List.of(event.message)).getOrDefault(event.message, List.of());
    }

    /** A thread and the attachments it shows. */
    private record ThreadContext(MailThread thread, List<Attachment> attachments) {}

    /** The payload of a message in a thread, or alone. */
    private ReceivedPayload payload(
            View view, Message message, StoredContent content, List<Attachment> own, @Nullable ThreadContext around) {
        Message.Place place = message.place();
        ThreadContext thread = around != null
                ? around
                : new ThreadContext(MailThread.of(place.thread(), place.inbox(), place.pod(), message.totals()), own);
        return new ReceivedPayload(
                view.organization(), message, contents.readable(content), own, thread.thread, thread.attachments);
    }
}
