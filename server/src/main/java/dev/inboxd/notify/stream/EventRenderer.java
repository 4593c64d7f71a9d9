package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventEnvelope;
import dev.inboxd.event.EventId;
import dev.inboxd.mailbox.payload.ReceivedPayloads;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renders entries of the event log from their rows: byte for byte what a webhook is sent (events.md §5.2). */
final class EventRenderer {
    private static final Logger LOG = LoggerFactory.getLogger(EventRenderer.class);

    private final ReceivedPayloads received;

    EventRenderer(ReceivedPayloads received) {
        this.received = received;
    }

    /** The public id of an entry, which is also the cursor of the position behind it. */
    static String id(UUID organization, LoggedEvent.Entry entry) {
        return EventId.of(organization, new Tx.Stamp(entry.number(), entry.of().at()));
    }

    /**
     * The JSON of an entry for every caller with the same view.
     *
     * @param inMemory renders the JSON from memory, or null to read the rows
     * @return null when there is nothing to send: the message was deleted meanwhile, or the entry cannot be rendered at
     *     all, which must not block the entries behind it
     */
    byte @Nullable [] bytes(Caller caller, LoggedEvent.Entry entry, @Nullable Supplier<byte[]> inMemory) {
        try {
            return inMemory == null ? render(caller, entry) : inMemory.get();
        } catch (RuntimeException broken) {
            if (DatabaseFailure.isRetryable(broken)) {
                throw broken; // the rows are read again later
            }
            LOG.error(
                    "event not rendered, skipped for all listeners event={} organization_id={}",
                    id(caller.organization(), entry),
                    caller.organization(),
                    broken);
            return null;
        }
    }

    private byte @Nullable [] render(Caller caller, LoggedEvent.Entry entry) {
        UUID organization = caller.organization();
        LoggedEvent of = entry.of();
        String id = id(organization, entry);
        if (entry.label() != null) {
            return EventEnvelope.bytes(entry.type(), id, Json.text(label(organization, entry)));
        }
        if (entry.type().isReceived() && of.message() != null) {
            View view = new View(
                    organization,
                    null,
                    null,
                    caller.view().hidden(),
                    caller.view().since());
            return received.asShown(
                            view,
                            new ReceivedPayloads.ReceivedEvent(
                                    of.message(), entry.type(), new Tx.Stamp(of.number(), of.at())))
                    .orElse(null);
        }
        return EventEnvelope.bytes(entry.type(), id, of.details());
    }

    /** The payload of a label entry, as the inbox's feed shows it (events.md §7). */
    private static JsonObject label(UUID organization, LoggedEvent.Entry entry) {
        LoggedEvent of = entry.of();
        return JsonObject.of("organization_id", organization)
                .with("pod_id", of.place().pod())
                .with("inbox_id", of.place().inboxName())
                .with("message_id", of.messageName())
                .with("label", entry.label())
                .with("event_at", of.at())
                .with("created_at", of.at());
    }
}
