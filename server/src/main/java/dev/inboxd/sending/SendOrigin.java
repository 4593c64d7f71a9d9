package dev.inboxd.sending;

import dev.inboxd.base.access.Caller;
import dev.inboxd.mailbox.claim.AnswerTerms;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a message comes from, as far as its approval depends on it (approvals.md §1).
 *
 * @param organization the organization that sends
 * @param key the key behind it; null for a person, or when it is not known
 * @param needsApproval whether nothing leaves through that key without approval
 * @param authors further keys that wrote what it says
 * @param draft the draft that it is made from, or null
 * @param approved what was reserved for a message that is approved now, or null
 * @param terms under which it may join a thread
 */
public record SendOrigin(
        UUID organization,
        @Nullable UUID key,
        boolean needsApproval,
        AuthorKeys authors,
        @Nullable UUID draft,
        @Nullable ReservedMessage approved,
        AnswerTerms terms) {
    /** A call of the API, or a submission. */
    public static SendOrigin of(Caller caller) {
        return new SendOrigin(
                caller.organization(),
                caller.apiKeyId(),
                caller.needsApproval(),
                AuthorKeys.NONE,
                null,
                null,
                AnswerTerms.NONE);
    }

    /**
     * The same for what others wrote, too.
     *
     * @param needsOwn whether one of them needed approval when he wrote
     */
    public SendOrigin writtenBy(AuthorKeys keys, boolean needsOwn) {
        return new SendOrigin(organization, key, needsApproval || needsOwn, keys, draft, approved, terms);
    }

    /** The same for a draft. */
    public SendOrigin ofDraft(UUID id) {
        return new SendOrigin(organization, key, needsApproval, authors, id, null, terms);
    }

    /** An approved message: it leaves under the ids that were promised. */
    public static SendOrigin approved(UUID organization, ReservedMessage reserved) {
        return new SendOrigin(organization, null, false, AuthorKeys.NONE, null, reserved, AnswerTerms.NONE);
    }

    /** The same under these terms. */
    public SendOrigin under(AnswerTerms newTerms) {
        return new SendOrigin(organization, key, needsApproval, authors, draft, approved, newTerms);
    }
}
