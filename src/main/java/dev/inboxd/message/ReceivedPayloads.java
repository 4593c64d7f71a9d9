package dev.inboxd.message;

import dev.inboxd.attachment.Attachment;
import dev.inboxd.attachment.Attachments;
import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.event.EventId;
import dev.inboxd.event.EventType;
import dev.inboxd.event.LabelHistory;
import dev.inboxd.link.Links;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.Threads;
import dev.inboxd.thread.ThreadsAsTold;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What subscribers are told of a message that arrived, read from the rows: for whoever was not there when it came. */
public final class ReceivedPayloads {
    private final Database database;
    private final Contents contents;
    private final Links links;

    /** Payloads from that database, with links to bodies that are too large. */
    public ReceivedPayloads(Database database, Contents contents, Links links) {
        this.database = database;
        this.contents = contents;
        this.links = links;
    }

    /**
     * An event that tells of a message.
     *
     * @param stamp the number and the time of the event
     */
    public record Arrival(UUID message, EventType type, Tx.Stamp stamp) {
        String id(UUID organization) {
            return EventId.of(organization, stamp);
        }
    }

    /**
     * The payload as it was when the event was raised: the same bytes whenever it is read, and on whichever node, though
     * labels and the thread have changed since (docs/decisions/0029-the-same-bytes.md). A link in it begins with the
     * event. What was deleted for good is not told: of another message of the thread, its attachments.
     *
     * @return empty when the message or its inbox was deleted meanwhile
     */
    public Optional<byte[]> asRaised(UUID organization, Arrival arrival) {
        View all = View.of(organization);
        Optional<ReceivedPayload> raised = database.read(tx -> raised(tx, all, arrival));
        if (raised.isEmpty() && remember(all, arrival)) {
            raised = database.read(tx -> raised(tx, all, arrival));
        }
        return raised.map(payload -> bytes(payload, arrival, arrival.stamp.at()));
    }

    /**
     * The payload for whoever reads it now: as it was when the event was raised, where the view hides nothing and that is
     * known; otherwise as the message and its thread are now and as the view shows them. A link in it is still valid.
     *
     * @param view a whole organization, with or without what is hidden
     * @return empty when the message or its inbox was deleted meanwhile, or is not shown
     */
    public Optional<byte[]> asShown(View view, Arrival arrival) {
        boolean whole = view.hidden() == 0 && view.since() == null;
        return database.read(tx -> (whole ? raised(tx, view, arrival) : Optional.<ReceivedPayload>empty())
                .or(() -> shown(tx, view, arrival)))
                .map(payload -> bytes(payload, arrival, links.usableSince(arrival.stamp.at())));
    }

    private byte[] bytes(ReceivedPayload payload, Arrival arrival, Instant from) {
        return payload.bytes(arrival.type, arrival.id(payload.organization()), links, from);
    }

    /** Of a thread that no webhook listened to then, or that was forgotten, is remembered what it is now; if it is. */
    private boolean remember(View all, Arrival arrival) {
        return database.write(all.organization(), tx -> {
            Optional<Message> message = MessageReads.find(tx, all, arrival.message);
            message.ifPresent(found -> ThreadsAsTold.remember(tx, all, arrival.stamp.number(), found.place().thread()));
            return message.isPresent();
        });
    }

    /** One round trip, since a backlog of deliveries is read so; another when the thread showed attachments. */
    private Optional<ReceivedPayload> raised(Tx tx, View all, Arrival arrival) {
        long event = arrival.stamp.number();
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Pending<MessageReads.Full> found = MessageReads.lookFull(trip, all, arrival.message);
        Supplier<LabelHistory> labels = LabelHistory.look(trip, all, arrival.message, event);
        RoundTrip.Pending<Attachment> own = Attachments.look(trip, all, arrival.message);
        RoundTrip.Pending<ThreadsAsTold.Remembered> thread = ThreadsAsTold.look(trip, all, event);
        trip.run();
        LabelHistory history = labels.get();
        if (found.rows().isEmpty() || (!history.opened() && thread.rows().isEmpty())) {
            return Optional.empty();
        }
        MessageReads.Full full = found.rows().getFirst();
        InThread around = history.opened() ? null : remembered(tx, all, thread.rows().getFirst());
        return Optional.of(payload(all, full.message().with(history.labels(), history.changedAt()), full.content(),
                own.rows(), around));
    }

    private static InThread remembered(Tx tx, View all, ThreadsAsTold.Remembered told) {
        return new InThread(told.thread(), Attachments.inOrder(tx, all, told.attachments()));
    }

    private Optional<ReceivedPayload> shown(Tx tx, View view, Arrival arrival) {
        return MessageReads.full(tx, view, arrival.message).map(full -> {
            UUID thread = full.message().place().thread();
            // A thread that is hidden says nothing beside the message itself.
            InThread around = Threads.find(tx, view, thread).map(found -> new InThread(found,
                    Attachments.ofThreads(tx, view, List.of(thread)).getOrDefault(thread, List.of()))).orElse(null);
            return payload(view, full.message(), full.content(), own(tx, view, arrival), around);
        });
    }

    private static List<Attachment> own(Tx tx, View view, Arrival arrival) {
        return Attachments.ofMessages(tx, view, List.of(arrival.message)).getOrDefault(arrival.message, List.of());
    }

    /** A thread and the attachments it shows. */
    private record InThread(MailThread thread, List<Attachment> attachments) {}

    /** The payload of a message in a thread, or alone. */
    private ReceivedPayload payload(View view, Message message, Content content, List<Attachment> own,
            @Nullable InThread around) {
        Message.Place place = message.place();
        InThread thread = around != null ? around
                : new InThread(MailThread.of(place.thread(), place.inbox(), place.pod(), message.member()), own);
        return new ReceivedPayload(view.organization(), message, contents.shown(content), own, thread.thread,
                thread.attachments);
    }
}
