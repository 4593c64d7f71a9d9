package dev.inboxd.sending;

import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.compose.SubmittedMessage;
import dev.inboxd.sending.tracking.TrackedMessage;
import dev.inboxd.tenant.inbox.Inbox;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a message, when, and under which ids, whether the service composes it or its sender did.
 *
 * @param id makes its Message-ID, unless its sender gave it one
 * @param now the time that it carries
 */
record SendContext(WaitingMessage.Sender sender, DkimSigner signer, UUID id, Instant now) {
    UUID organization() {
        return sender.view().organization();
    }

    Inbox inbox() {
        return sender.inbox();
    }

    /** Under which terms it may join a thread; what it answers, its references say where nobody named it. */
    AnswerTerms terms(NewMessage.Parents parents) {
        AnswerTerms terms = sender.origin().terms();
        List<String> candidates = parents.candidates();
        return terms.original() != null || candidates.isEmpty() ? terms : terms.of(terms.kind(), candidates.getFirst());
    }

    /** What its pixel tells of. */
    TrackedMessage tracked() {
        return new TrackedMessage(organization(), inbox().id(), id);
    }

    /** Its Message-ID, unless its sender gave it one. */
    String name() {
        return tracked().name(inbox().domain());
    }

    /** The message as it is stored; an approved one in the thread that was promised. */
    NewMessage stored(String name, List<String> labels, NewMessage.Summary summary, NewMessage.Parents parents) {
        ReservedMessage reserved = sender.origin().approved();
        return new NewMessage(
                inbox(),
                name,
                labels,
                true,
                summary,
                reserved == null ? parents : parents.reserving(reserved.thread()));
    }

    /** The message as it waits for approval; it wishes a thread of its own. */
    WaitingMessage waiting(
            String name, OutgoingMessage content, @Nullable SubmittedMessage submitted, NewMessage.Parents parents) {
        return new WaitingMessage(sender, new ReservedMessage(id, name, Uuid7.next()), content, submitted, parents);
    }
}
