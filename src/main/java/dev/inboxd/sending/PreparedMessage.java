package dev.inboxd.sending;

import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageSummaries;
import dev.inboxd.mailbox.message.NewMessage;
import dev.inboxd.mailbox.message.ReadableContent;
import dev.inboxd.mailbox.message.StoredContent;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A signed message that has to be stored and queued.
 *
 * @param name its Message-ID
 * @param named whether its sender chose the name, which may be taken then
 * @param summary what its record shows
 * @param envelope everybody who gets it, each once
 * @param dsn what its sender wants to be told of each by mail
 * @param candidates the ids that decide about its thread, the nearest first
 * @param thread the thread it joins whatever they say, or null
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

    /** Whether it may find itself in a thread that was there before. */
    boolean mayJoin() {
        return thread != null || !candidates.isEmpty();
    }

    /** What the record of a message shows. */
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

    /** The record to store, under that name, with its bytes kept there. */
    NewMessage record(String freeName, StoredContent content) {
        NewMessage.Summary outline = new NewMessage.Summary(
                summary.people,
                summary.subject,
                MessageSummaries.preview(summary.readable),
                mail.length(),
                summary.readable,
                content);
        return new NewMessage(
                inbox.id(),
                inbox.address(),
                inbox.pod(),
                freeName,
                summary.labels,
                true,
                outline,
                summary.parts,
                candidates,
                thread);
    }
}
