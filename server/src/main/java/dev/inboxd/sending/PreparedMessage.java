package dev.inboxd.sending;

import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.sending.compose.SignedMessage;
import dev.inboxd.sending.idempotency.CommitHook;
import java.util.List;
import java.util.UUID;

/**
 * A signed message, ready to be stored and queued: unchanged from here to its commit.
 *
 * @param message the message as it is stored
 * @param mail its bytes
 * @param hooks further work in the same transaction
 * @param terms under which it may join a thread
 */
record PreparedMessage(
        NewMessage message,
        SignedMessage mail,
        Envelope to,
        Clearance clearance,
        List<CommitHook> hooks,
        AnswerTerms terms) {
    PreparedMessage {
        hooks = List.copyOf(hooks);
    }

    /**
     * Whom it goes to.
     *
     * @param recipients all recipients, each once
     * @param dsn the delivery status notifications that the sender requested
     */
    record Envelope(List<String> recipients, DsnRequest dsn) {
        Envelope {
            recipients = List.copyOf(recipients);
        }
    }

    /**
     * What was decided before.
     *
     * @param isNamed whether the sender chose the Message-ID, which may then be taken already
     * @param isCharged whether it was counted before
     * @param isApproved whether it leaves whatever its inbox needs: it was approved, or all its recipients are exempt
     */
    record Clearance(boolean isNamed, boolean isCharged, boolean isApproved) {}

    /** The sending inbox. */
    UUID sender() {
        return message.inbox().id();
    }

    /** All recipients, each once. */
    List<String> recipients() {
        return to.recipients;
    }

    /** What its commit adds to the stored usage; its hooks may free some. */
    StoredUsage growth() {
        return StoredUsage.message(mail.length()).minus(CommitHook.frees(hooks));
    }

    /** Whether it may join an existing thread. */
    boolean mayJoin() {
        return message.parents().thread() != null
                || !message.parents().candidates().isEmpty();
    }
}
