package dev.inboxd.agent;

import dev.inboxd.access.Caller;
import dev.inboxd.access.Gate;
import dev.inboxd.database.Database;
import dev.inboxd.database.Tx;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.inbox.Inbox;
import dev.inboxd.inbox.Inboxes;
import dev.inboxd.organization.Organization;
import dev.inboxd.organization.Organizations;
import dev.inboxd.organization.People;
import dev.inboxd.submission.SystemMail;
import dev.inboxd.vault.Vault;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Puts a human behind an agent's organization that has none yet, or another one (contract: identity.md §6.3). */
public final class Attaching {
    private static final int MOST_CHANGES = 2;

    private final Database database;
    private final SystemMail mail;
    private final Vault vault;

    /** Attaches humans to the organizations of a database, and writes to them. */
    public Attaching(Database database, SystemMail mail, Vault vault) {
        this.database = database;
        this.mail = mail;
        this.vault = vault;
    }

    /**
     * Attaches the human and sends a code, unless one that he may have got is still valid. The key stays as it is.
     *
     * @throws Problem {@code missing_permission} once verified, {@code limit_exceeded} at the third change,
     *     {@code validation_error} for a human who stands behind another organization
     */
    void attach(Caller caller, String human) {
        UUID organization = caller.organization();
        String inbox = database.read(tx -> Inboxes.oldest(tx, organization)).map(Inbox::address).orElse("it once had");
        OneTimeCode code = OneTimeCode.make(vault, OneTimeCode.Use.VERIFICATION, organization);
        Confirmation confirmation = new Confirmation(code, mail.seal(Letters.attached(human, inbox, code)));
        database.<@Nullable Void>write(organization, tx -> {
            Organization before = Organizations.find(tx, organization).orElseThrow();
            if (!before.isUnverified()) {
                throw caller.missing(Gate.AGENT_VERIFY.wire());
            }
            Instant now = tx.next().at();
            boolean same = human.equals(before.humanEmail());
            if (!same) {
                replace(tx, before, human, now);
            }
            if (!same || !isOnItsWay(tx, organization, human, now)) {
                confirmation.send(tx, mail, organization, now);
            }
            return null;
        });
    }

    /** Claimed before the other is let go: two organizations that swap their humans refuse and never deadlock. */
    private static void replace(Tx tx, Organization before, String human, Instant now) {
        UUID organization = before.id();
        String former = before.humanEmail();
        if (former != null && Organizations.humanChanges(tx, organization) >= MOST_CHANGES) {
            throw Problem.of(Code.LIMIT_EXCEEDED, "The human was changed " + MOST_CHANGES + " times already",
                    "Verify with the code sent to " + former + ", or sign up again with the right human.");
        }
        if (!People.claim(tx, human, organization)) {
            throw Problem.invalid("human_email", "human_email stands behind another organization already");
        }
        if (former != null) {
            People.release(tx, former);
        }
        Organizations.attach(tx, organization, human, former != null, now);
    }

    private static boolean isOnItsWay(Tx tx, UUID organization, String human, Instant now) {
        return AgentSql.code(tx, organization).map(code -> !code.isExpired(now)).orElse(false)
                && SystemMail.mayHaveReached(tx, organization, human);
    }
}
