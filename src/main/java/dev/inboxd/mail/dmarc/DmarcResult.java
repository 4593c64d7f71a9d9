package dev.inboxd.mail.dmarc;

import dev.inboxd.mail.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * What came of an author's domain.
 *
 * @param outcome none without a policy; pass, fail, or temperror when the DNS left open which
 * @param domain the author's domain
 * @param policy what the owner wants done with a message that fails; null without one, or when it is not known
 */
public record DmarcResult(
        AuthResult outcome, String domain, @Nullable DmarcPolicy policy) {
    /** Whether the owner wants something done with messages that fail, and the DNS left open whether this one does. */
    public boolean mayDemand() {
        return outcome == AuthResult.TEMPERROR && policy != null && policy != DmarcPolicy.NONE;
    }

    /** Whether the owner wants something done with this message. */
    public boolean demands(DmarcPolicy wanted) {
        return outcome == AuthResult.FAIL && policy == wanted;
    }
}
