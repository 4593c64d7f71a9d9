package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
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
 * @param exempt when it is approved: recipients who need no approval from now on; null when it is not
 */
record SendTurn(
        @Nullable Caller caller,
        @Nullable UUID claim,
        @Nullable List<String> exempt) {
    /** A caller sends it. */
    static SendTurn of(Caller caller) {
        return new SendTurn(caller, null, null);
    }

    /** Its time has come. */
    static SendTurn scheduled(UUID claim) {
        return new SendTurn(null, claim, null);
    }

    /** A caller approves it. */
    static SendTurn approved(Caller caller, List<String> exempt) {
        return new SendTurn(caller, null, List.copyOf(exempt));
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
            return SendOrigin.approved(organization, approval.reserved());
        }
        Draft.Author author = draft.author();
        SendOrigin origin = caller != null
                ? SendOrigin.of(caller)
                : new SendOrigin(organization, author.key(), false, AuthorKeys.NONE, null, null);
        return origin.writtenBy(author.keys(), author.needsApproval()).ofDraft(draft.id());
    }
}
