package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import java.util.List;

/**
 * What is in the trash of a conversation.
 *
 * @param messages as the API lists them, the newest first
 * @param until when they go for good; empty where a client put them there, and they stay
 */
public record TrashedThread(List<JsonTree> messages, String until) {
    public TrashedThread {
        messages = List.copyOf(messages);
    }

    /** The ids of its messages. */
    public List<String> names() {
        return messages.stream().map(message -> message.text("message_id")).toList();
    }

    /** Its newest message. */
    public JsonTree newest() {
        return messages.getFirst();
    }
}
