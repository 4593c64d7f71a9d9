package dev.inboxd.mailbox.payload;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.link.Links;
import dev.inboxd.event.EventType;
import dev.inboxd.mail.reply.ExtractedReply;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageJson;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The payload of an event about a received message (events.md §4.2).
 *
 * @param message the message
 * @param readable its headers and body
 * @param thread its thread with the message in it
 * @param threadAttachments the attachments of the thread's messages, this message's included
 */
public record ReceivedPayload(
        UUID organization,
        Message message,
        ReadableContent readable,
        List<Attachment> attachments,
        MailThread thread,
        List<Attachment> threadAttachments) {
    /** A larger stored body, in octets, is replaced by a link (events.md §4.2). */
    private static final int LARGEST_INLINE_BODY = 64 * 1024;

    /**
     * The payload's bytes: the same bytes for the same rows.
     *
     * @param from when a link to the body begins to be valid
     */
    public byte[] bytes(EventType type, String eventId, Links links, Instant from) {
        JsonObject json = MessageJson.single(organization, message, readable, attachments);
        if (!addBody(json)) {
            Links.Link link = links.to(Links.Kind.BODY, organization, message.id(), from);
            json.with("body_url", link.url()).with("body_expires_at", link.expiresAt());
        }
        return Json.write(JsonObject.of("type", "event")
                .with("event_type", type.wireName())
                .with("event_id", eventId)
                .with(
                        "message",
                        json.withAll(MessageJson.raisedSecurity(message))
                                .with("pod_id", message.place().pod()))
                .with(
                        "thread",
                        ThreadJson.of(thread, message.place().inboxName(), threadAttachments)
                                .withAll(ThreadJson.place(organization, thread))));
    }

    /** Adds the body, unless its members together are too large (events.md §4.2). */
    private boolean addBody(JsonObject json) {
        long bodySize = size(readable.text()) + size(readable.html());
        if (bodySize > LARGEST_INLINE_BODY) {
            return false;
        }
        ExtractedReply extracted = readable.extracted();
        boolean fits = bodySize + size(extracted.text()) + size(extracted.html()) <= LARGEST_INLINE_BODY;
        if (fits) {
            MessageJson.withBody(json, readable, extracted);
        }
        return fits;
    }

    private static long size(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
