package dev.inboxd.mail.dmarc;

import dev.inboxd.mail.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * Result for an author's domain.
 *
 * @param outcome none without a policy; pass, fail, or temperror when DNS did not decide between them
 * @param domain the author's domain
 * @param policy the owner's policy for a message that fails; null without one, or when it is unknown
 */
public record DmarcResult(
        AuthResult outcome, String domain, @Nullable DmarcPolicy policy) {
    /** Whether the owner has a policy for failing messages, and DNS did not decide whether this message fails. */
    public boolean mayDemand() {
        return outcome == AuthResult.TEMPERROR && policy != null && policy != DmarcPolicy.NONE;
    }

    /** Whether the owner demands this action for this message. */
    public boolean demands(DmarcPolicy demanded) {
        return outcome == AuthResult.FAIL && policy == demanded;
    }
}
