package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.sending.AuthorKeys;
import dev.inboxd.sending.SendOrigin;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to send a draft.
 *
 * @param caller who sends or approves it; null when its time has come
 * @param claim the claim of the scheduler's attempt, or null
 * @param said what the caller says of claims and of earlier answers
 * @param exempt when it is approved: recipients who need no approval from now on; null when it is not
 */
record SendTurn(
        @Nullable Caller caller,
        @Nullable UUID claim,
        AnswerTerms said,
        @Nullable List<String> exempt) {
    /** A caller sends it. */
    static SendTurn of(Caller caller, AnswerTerms said) {
        return new SendTurn(caller, null, said, null);
    }

    /** Its time has come. */
    static SendTurn scheduled(UUID claim) {
        return new SendTurn(null, claim, AnswerTerms.NONE, null);
    }

    /** A caller approves it. */
    static SendTurn approved(Caller caller, List<String> exempt) {
        return new SendTurn(caller, null, AnswerTerms.NONE, List.copyOf(exempt));
    }

    /** Terms of whoever sends; a draft whose time has come is its author's. */
    AnswerTerms terms(AnswerTerms terms, Draft.Author author) {
        return terms.by(caller == null ? author.key() : caller.credential().id());
    }

    boolean isApproval() {
        return exempt != null;
    }

    /**
     * Where its message comes from. A draft whose time has come comes from its author; needs of all its authors count,
     * whoever sends it (ruling 164).
     */
    SendOrigin origin(UUID organization, Draft draft) {
        Draft.Approval approval = draft.approval();
        if (isApproval() && approval != null) {
            return SendOrigin.approved(organization, approval.reserved()).under(draft.terms(this));
        }
        Draft.Author author = draft.author();
        SendOrigin origin = caller != null
                ? SendOrigin.of(caller)
                : new SendOrigin(organization, author.key(), false, AuthorKeys.NONE, null, null, AnswerTerms.NONE);
        return origin.writtenBy(author.keys(), author.needsApproval())
                .ofDraft(draft.id())
                .under(draft.terms(this));
    }
}
