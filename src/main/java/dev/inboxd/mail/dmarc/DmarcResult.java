package dev.inboxd.mail.dmarc;

import dev.inboxd.mail.auth.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What came of an author's domain.
 *
 * @param outcome none without a policy; pass, fail, or temperror when the DNS left open which
 * @param domain the author's domain
 * @param policy what the owner wants done with a message that fails; null without one, or when it is not known
 */
public record DmarcResult(
        Outcome outcome, String domain, @Nullable Policy policy) {
    /** Whether the owner wants something done with messages that fail, and the DNS left open whether this one does. */
    public boolean mayDemand() {
        return outcome == Outcome.TEMPERROR && policy != null && policy != Policy.NONE;
    }

    /** Whether the owner wants something done with this message. */
    public boolean demands(Policy wanted) {
        return outcome == Outcome.FAIL && policy == wanted;
    }
}
