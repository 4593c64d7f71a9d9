package dev.inboxd.message;

import dev.inboxd.attachment.Attachment;
import dev.inboxd.attachment.Attachments;
import dev.inboxd.database.Database;
import dev.inboxd.database.View;
import dev.inboxd.event.EventType;
import dev.inboxd.link.Links;
import dev.inboxd.thread.Threads;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

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
     * The payload, as the message and its thread are now.
     *
     * @param eventId the public id of the event
     * @return empty when the message or its inbox was deleted meanwhile
     */
    public Optional<byte[]> read(UUID organization, UUID message, EventType type, String eventId) {
        return read(View.of(organization), message, type, eventId);
    }

    /**
     * The payload, as the message and its thread are now and as the view shows them.
     *
     * @param eventId the public id of the event
     * @return empty when the message or its inbox was deleted meanwhile, or is not shown
     */
    public Optional<byte[]> read(View view, UUID message, EventType type, String eventId) {
        return database.read(tx -> MessageReads.full(tx, view, message).flatMap(full -> {
            UUID thread = full.message().place().thread();
            List<Attachment> own = Attachments.ofMessages(tx, view, List.of(message)).getOrDefault(message, List.of());
            List<Attachment> others = Attachments.ofThreads(tx, view, List.of(thread)).getOrDefault(thread, List.of());
            return Threads.find(tx, view, thread).map(found -> new ReceivedPayload(view.organization(), full.message(),
                    contents.shown(full.content()), own, found, others));
        })).map(payload -> payload.bytes(type, eventId, links));
    }
}
