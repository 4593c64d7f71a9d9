package dev.inboxd.mailbox.thread;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mailbox.attachment.Attachment;
import java.util.List;
import java.util.UUID;

/** The JSON form of threads (mail.md §4.10). */
public final class ThreadJson {
    private ThreadJson() {}

    /**
     * A thread in a list, in an event, or at the top of a single thread, without its place.
     *
     * @param inboxName the public id of its inbox
     * @param attachments those of all its messages
     */
    public static JsonObject of(MailThread thread, String inboxName, List<Attachment> attachments) {
        ThreadTotals totals = thread.totals();
        return JsonObject.of("inbox_id", inboxName)
                .with("thread_id", thread.id())
                .with("labels", totals.labels())
                .with("timestamp", totals.at())
                .with("received_timestamp", totals.receivedAt())
                .with("sent_timestamp", totals.sentAt())
                .with("senders", totals.senders())
                .with("recipients", totals.recipients())
                .with("subject", totals.subject())
                .with("preview", totals.preview())
                .with(
                        "attachments",
                        attachments.isEmpty()
                                ? null
                                : attachments.stream().map(Attachment::json).toList())
                .with("last_message_id", totals.lastMessage())
                .with("message_count", totals.messageCount())
                .with("size", totals.size())
                .with("updated_at", thread.updatedAt())
                .with("created_at", totals.createdAt());
    }

    /** The members that say where its inbox lies; they stand behind all others. */
    public static JsonObject place(UUID organization, MailThread thread) {
        return JsonObject.of("organization_id", organization).with("pod_id", thread.pod());
    }
}
