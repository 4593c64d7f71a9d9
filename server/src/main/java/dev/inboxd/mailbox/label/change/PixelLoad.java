package dev.inboxd.mailbox.label.change;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;

/** The first load of a pixel, by which a message counts as opened: its label, its time and its event. */
public final class PixelLoad {
    private PixelLoad() {}

    /**
     * Records the first loading of a message's pixel: one event, however often the pixel is loaded (mail.md §15).
     *
     * @param all the whole organization
     * @param before read after the organization's clock was taken
     */
    public static void record(Tx tx, View all, EventLog log, Message before) {
        if (before.openedAt() != null) {
            return;
        }
        EventLog.EventBatch appending = log.appending(tx, all);
        Message after = LabelChangeBatch.relabel(tx, before, LabelChange.adding(Labels.OPENED), appending);
        MessageEvents.Detail open = new MessageEvents.Detail("open", new JsonObject());
        Tx.Stamp stamp = MessageEvents.add(appending, EventType.MESSAGE_OPENED, after, open);
        MessageLabelSql.opened(tx, all, before.id(), stamp.at());
        appending.write();
    }
}
