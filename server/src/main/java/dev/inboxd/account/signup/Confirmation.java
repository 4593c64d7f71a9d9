package dev.inboxd.account.signup;

import dev.inboxd.base.database.Tx;
import dev.inboxd.queue.SystemMail;
import java.time.Instant;
import java.util.UUID;

/**
 * A new code and the mail with it. Composed before the transaction, which must not wait for the signature.
 *
 * @param mail signed mail to the human
 */
record Confirmation(OneTimeCode code, SystemMail.SignedMail mail) {
    /** Stores the code as the organization's only one, and queues the mail with the commit. */
    void send(Tx tx, SystemMail systemMail, UUID organization, Instant now) {
        OneTimeCodeSql.putCode(tx, organization, code, now.plus(OneTimeCode.Purpose.VERIFICATION.valid()));
        systemMail.queue(tx, organization, mail);
    }
}
