package dev.inboxd.screening;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.message.Message;

/** What is done with a message when it is released, and was not done when it came in ({@link Message#isHeld()}). */
@FunctionalInterface
public interface ReleaseHook {
    /**
     * Called once for a message, in the transaction that releases it; what it throws undoes the release.
     *
     * @param tx holds the organization's clock
     * @param all the whole organization
     * @param message as it is now, without the label
     */
    void released(Tx tx, View all, Message message);
}
