package dev.inboxd.account.session;

import dev.inboxd.account.signup.OneTimeCode;
import dev.inboxd.base.database.Tx;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** An attempt to sign in with the code of a mail. */
final class CodeAttempt {
    private CodeAttempt() {}

    /**
     * The person whose code it is, which is used up; empty for a wrong code, which is counted.
     *
     * @param mac of the digits
     */
    static Optional<String> person(Tx tx, UUID organization, SignIn signIn, byte[] mac) {
        String human = signIn.human();
        Instant now = tx.next().at();
        Optional<OneTimeCode.StoredCode> code =
                SessionSql.code(tx, organization, human).filter(stored -> !stored.isExpired(now) && !stored.isUsedUp());
        if (code.isEmpty()) {
            return Optional.empty();
        }
        if (!code.get().isOf(mac)) {
            SessionSql.countAttempt(tx, organization, human);
            return Optional.empty();
        }
        SessionSql.removeCode(tx, organization, human);
        return Optional.of(human);
    }
}
