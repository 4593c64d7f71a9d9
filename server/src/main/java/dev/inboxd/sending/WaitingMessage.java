package dev.inboxd.sending;

import dev.inboxd.base.database.View;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.compose.SubmittedMessage;
import dev.inboxd.sending.limit.SendQuota;
import dev.inboxd.tenant.inbox.Inbox;
import org.jspecify.annotations.Nullable;

/**
 * A message that is to wait for approval (approvals.md §2).
 *
 * @param reserved the ids that it wishes
 * @param content what it says
 * @param submitted as its sender composed it, or null
 * @param parents what decides about its thread
 */
public record WaitingMessage(
        Sender sender,
        ReservedMessage reserved,
        OutgoingMessage content,
        @Nullable SubmittedMessage submitted,
        NewMessage.Parents parents) {
    /**
     * Who sends it.
     *
     * @param view narrowed to the sending inbox
     * @param isCharged whether it was counted before ({@link SendQuota#charge})
     */
    public record Sender(View view, Inbox inbox, SendOrigin origin, boolean isCharged) {
        static Sender of(SendCommand command, Inbox inbox) {
            return new Sender(command.view(), inbox, command.origin(), command.charged() != null);
        }
    }

    /** Under which terms it may join a thread. */
    AnswerTerms terms() {
        AnswerTerms terms = sender.origin.terms();
        return terms.original() != null || parents.candidates().isEmpty()
                ? terms
                : terms.of(terms.kind(), parents.candidates().getFirst());
    }

    /** The same under the ids that it gets. */
    WaitingMessage reserving(ReservedMessage reservedMessage) {
        return new WaitingMessage(sender, reservedMessage, content, submitted, parents);
    }
}
