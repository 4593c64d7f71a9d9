package dev.inboxd.mailbox.thread;

import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.platform.json.JsonObject;
import java.util.List;

/** The JSON form of threads (mail.md §4.10). */
public final class ThreadJson {
    private ThreadJson() {}

    /**
     * A thread in a list, in an event, or at the top of a single thread.
     *
     * @param inboxName the public id of its inbox
     * @param attachments those of all its messages
     */
    public static JsonObject of(MailThread thread, String inboxName, List<Attachment> attachments) {
        return JsonObject.of("inbox_id", inboxName)
                .with("thread_id", thread.id())
                .with("labels", thread.labels())
                .with("timestamp", thread.at())
                .with("received_timestamp", thread.receivedAt())
                .with("sent_timestamp", thread.sentAt())
                .with("senders", thread.senders())
                .with("recipients", thread.recipients())
                .with("subject", thread.subject())
                .with("preview", thread.preview())
                .with(
                        "attachments",
                        attachments.isEmpty()
                                ? null
                                : attachments.stream().map(Attachment::json).toList())
                .with("last_message_id", thread.lastMessage())
                .with("message_count", thread.messageCount())
                .with("size", thread.size())
                .with("updated_at", thread.updatedAt())
                .with("created_at", thread.createdAt());
    }
}
