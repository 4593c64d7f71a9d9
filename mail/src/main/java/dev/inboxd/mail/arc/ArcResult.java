package dev.inboxd.mail.arc;

import dev.inboxd.mail.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * Result of validating a chain.
 *
 * @param outcome none, pass or fail (RFC 8617 §4.4), or temperror when DNS gave no answer for a key
 * @param instances number of seals; 0 without a chain or when it is incomplete
 * @param sealer the domain of the last seal; null unless the chain is valid
 * @param reason why it is not valid, empty when it is; contains no text of the message
 */
public record ArcResult(
        AuthResult outcome, int instances, @Nullable String sealer, String reason) {
    /** A message without a chain. */
    public static final ArcResult NONE = new ArcResult(AuthResult.NONE, 0, null, "");
}
