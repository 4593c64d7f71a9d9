package dev.inboxd.mailbox.storage;

import dev.inboxd.base.database.Tx;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.hold.HeldMessages;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.label.change.LabelChangeBatch;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.MessageReads;
import dev.inboxd.mailbox.message.MessageSecurity;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages that an inbox sends to itself: one row, which is sent and received (mail.md §12.8). */
public final class SelfAddressedMessages {
    private SelfAddressedMessages() {}

    /**
     * Records the arrival of a message of an inbox to itself: the same row is now also received, or held.
     *
     * @param appending of the whole organization
     * @param verdict on the held mail that it passes on (ruling 166); null for any other, which is not judged
     */
    public static void receive(
            Tx tx, EventLog.EventBatch appending, UUID id, MessageSecurity.@Nullable Verdict verdict) {
        MessageReads.find(tx, appending.view(), id).ifPresent(before -> {
            if (verdict != null) {
                HeldMessages.hold(tx, appending, before, verdict);
                return;
            }
            LabelChange received = LabelChange.adding(Labels.RECEIVED, Labels.UNREAD);
            Message after = LabelChangeBatch.relabel(tx, before, received, appending);
            appending.add(new Event(EventType.MESSAGE_RECEIVED, MessageEvents.subject(after), List.of(), null));
        });
        appending.write();
    }
}
