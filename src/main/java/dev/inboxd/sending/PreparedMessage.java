package dev.inboxd.sending;

import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mailbox.message.NewMessage;
import java.util.List;

/**
 * A signed message, ready to be stored and queued.
 *
 * @param message the message as it is stored
 * @param named whether the sender chose the Message-ID, which may then be taken already
 * @param mail its bytes
 * @param envelope all recipients, each once
 * @param dsn the delivery status notifications that the sender requested
 * @param isCharged whether it was counted before
 */
record PreparedMessage(
        NewMessage message,
        boolean named,
        SignedMessage mail,
        List<String> envelope,
        DsnRequest dsn,
        boolean isCharged) {
    PreparedMessage {
        envelope = List.copyOf(envelope);
    }

    /** Whether it may join an existing thread. */
    boolean mayJoin() {
        return message.parents().thread() != null
                || !message.parents().candidates().isEmpty();
    }
}
