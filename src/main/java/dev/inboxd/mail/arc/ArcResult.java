package dev.inboxd.mail.arc;

import dev.inboxd.mail.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * What came of a chain.
 *
 * @param outcome none, pass or fail (RFC 8617 §4.4), or temperror when a key could not be asked for
 * @param instances how many relays sealed, 0 without a chain or when it is not whole
 * @param sealer the domain of the last seal; null unless the chain holds
 * @param reason why it does not hold, empty when it does; words of ours alone
 */
public record ArcResult(
        AuthResult outcome, int instances, @Nullable String sealer, String reason) {
    static final ArcResult NONE = new ArcResult(AuthResult.NONE, 0, null, "");
}
