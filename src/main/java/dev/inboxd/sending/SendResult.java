package dev.inboxd.sending;

import dev.inboxd.platform.json.JsonObject;
import java.util.UUID;

/**
 * The result of a send.
 *
 * @param messageName the public id of the message
 * @param thread the thread it is in
 */
public record SendResult(String messageName, UUID thread) {
    /** The answer to a request that sends. */
    JsonObject json() {
        return JsonObject.of("message_id", messageName).with("thread_id", thread);
    }
}
