package dev.inboxd.inbound;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.Message;
import org.jspecify.annotations.Nullable;

/** Takes in the calendars of received mail. */
@FunctionalInterface
public interface CalendarIntake {
    /**
     * Called for a message with a calendar, in the transaction that stores it.
     *
     * @param author whose word the message is, for certain; null when it is not
     */
    void received(Tx tx, View all, Message message, @Nullable String author);
}
