package dev.inboxd.sending;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageSummaries;
import dev.inboxd.mailbox.message.NewMessage;
import dev.inboxd.mailbox.message.ReadableContent;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A signed message, ready to be stored and queued.
 *
 * @param name its Message-ID
 * @param named whether the sender chose the Message-ID, which may then be taken already
 * @param summary the members shown of the stored message
 * @param envelope all recipients, each once
 * @param dsn the delivery status notifications that the sender requested
 * @param candidates the Message-IDs that decide about its thread, the nearest first
 * @param thread the thread it joins regardless of the ids, or null
 */
record PreparedMessage(
        Inbox inbox,
        String name,
        boolean named,
        SignedMessage mail,
        Summary summary,
        List<String> envelope,
        DsnRequest dsn,
        List<String> candidates,
        @Nullable UUID thread) {
    PreparedMessage {
        envelope = List.copyOf(envelope);
        candidates = List.copyOf(candidates);
    }

    /** Whether it may join an existing thread. */
    boolean mayJoin() {
        return thread != null || !candidates.isEmpty();
    }

    /** The members shown of a stored message. */
    record Summary(
            Message.People people,
            @Nullable String subject,
            ReadableContent readable,
            List<AttachmentPart> parts,
            List<String> labels) {
        Summary {
            parts = List.copyOf(parts);
            labels = List.copyOf(labels);
        }
    }

    /** The message to store, with this Message-ID. */
    NewMessage record(String freeName) {
        NewMessage.Summary outline = new NewMessage.Summary(
                summary.people,
                summary.subject,
                MessageSummaries.preview(summary.readable),
                mail.length(),
                summary.readable,
                summary.parts);
        return new NewMessage(inbox, freeName, summary.labels, true, outline, candidates, thread);
    }
}
