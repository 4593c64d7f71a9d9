package dev.inboxd.message;

import dev.inboxd.access.RestrictedLabel;
import dev.inboxd.attachment.Attachment;
import dev.inboxd.attachment.Attachments;
import dev.inboxd.database.Database;
import dev.inboxd.database.View;
import dev.inboxd.event.EventType;
import dev.inboxd.link.Links;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.Threads;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** What subscribers are told of a message that arrived, read from the rows: for whoever was not there when it came. */
public final class ReceivedPayloads {
    private final Database database;
    private final Links links;

    /** Payloads from that database, with links of that kind to bodies that are too large. */
    public ReceivedPayloads(Database database, Links links) {
        this.database = database;
        this.links = links;
    }

    /**
     * The payload, as the message and its thread are now.
     *
     * @param eventId the public id of the event
     * @return empty when the message or its inbox was deleted meanwhile
     */
    public Optional<byte[]> read(UUID organization, UUID message, EventType type, String eventId) {
        View all = View.of(organization);
        Optional<ReceivedPayload> payload = database.read(tx -> MessageReads.full(tx, all, message).flatMap(full -> {
            Map<UUID, List<Attachment>> own = Attachments.ofMessages(tx, all, List.of(message));
            return Threads.find(tx, all, full.message().place().thread()).map(thread -> new ReceivedPayload(organization,
                    full.message(), shown(full.content()), own.getOrDefault(message, List.of()), thread,
                    Attachments.ofThread(tx, all, thread.id(), excluded(thread))));
        }));
        return payload.map(known -> known.bytes(type, eventId, links));
    }

    /** A thread that shows clean messages shows theirs alone (contract: mail.md §10.4). */
    private static int excluded(MailThread thread) {
        return thread.restricted() == 0 ? RestrictedLabel.ALL : 0;
    }

    private static Shown shown(Content content) {
        byte[] stored = content.shown();
        return stored != null ? Shown.inflated(stored)
                : Shown.of(MessageParser.parse(new ByteArrayInputStream(Objects.requireNonNull(content.raw()))));
    }
}
