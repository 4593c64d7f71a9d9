package dev.inboxd.account.signup;

import dev.inboxd.platform.database.Tx;
import dev.inboxd.queue.SystemMail;
import java.time.Instant;
import java.util.UUID;

/**
 * A new code and the letter that carries it to the human; made before the transaction, which must not wait for it.
 *
 * @param letter signed and ready
 */
record Confirmation(OneTimeCode code, SystemMail.SignedMail letter) {
    /** Makes the code the organization's only one, and sends the letter with the commit. */
    void send(Tx tx, SystemMail mail, UUID organization, Instant now) {
        OneTimeCodeSql.putCode(tx, organization, code, now.plus(OneTimeCode.Purpose.VERIFICATION.valid()));
        mail.queue(tx, organization, letter);
    }
}
