package dev.inboxd.sending.idempotency;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.message.Message;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The result of a send.
 *
 * @param messageName the public id of the message
 * @param thread the thread it is in
 * @param people whom it went to; null when an earlier request sent it
 * @param draft the draft that waits for approval; null when the message was sent. Until it is approved, the id and the
 *     thread are reserved for it (approvals.md §2)
 */
public record SendResult(
        String messageName,
        UUID thread,
        Message.@Nullable People people,
        @Nullable UUID draft) {
    /** The result of an earlier request. */
    public SendResult(String messageName, UUID thread) {
        this(messageName, thread, null, null);
    }

    /** The answer to a request that sends. */
    JsonObject json() {
        return JsonObject.of("message_id", messageName)
                .with("thread_id", thread)
                .with("status", draft == null ? null : "awaiting_approval")
                .with("draft_id", draft);
    }
}
