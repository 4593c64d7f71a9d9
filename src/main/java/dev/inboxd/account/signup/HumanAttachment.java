package dev.inboxd.account.signup;

import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Gate;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Puts a human behind an agent's organization that has none yet, or another one (identity.md §6.3). */
public final class HumanAttachment {
    private static final int MOST_CHANGES = 2;

    private final Database database;
    private final SystemMail mail;
    private final Vault vault;
    private final SignUpLimits pace;

    /** Attaches humans to the organizations of a database, and writes to them at that pace. */
    public HumanAttachment(Database database, SystemMail mail, Vault vault, SignUpLimits pace) {
        this.database = database;
        this.mail = mail;
        this.vault = vault;
        this.pace = pace;
    }

    /**
     * Attaches the human and sends a code, unless one that he may have got is still valid. Whom he replaces is told. The
     * key stays as it is.
     *
     * @throws Problem {@code missing_permission} once verified, {@code limit_exceeded} at the third change or when
     *     the key was given out again, {@code validation_error} for a human who stands behind another organization,
     *     {@code rate_limit_exceeded} when he was written to too often
     */
    void attach(Caller caller, String human) {
        boolean done = false;
        while (!done) {
            // Not done: what was found out was overtaken by another call of the agent.
            Plan plan = database.read(tx -> plan(tx, caller, human));
            done = plan.isNothing() || carriedOut(caller, human, plan);
        }
    }

    /**
     * What there is to do.
     *
     * @param former whom the human replaces, or null
     * @param replaces whether the human is another than before
     * @param writes whether he is sent a code
     */
    private record Plan(@Nullable String former, boolean replaces, boolean writes) {
        boolean isNothing() {
            return !replaces && !writes;
        }
    }

    private static Plan plan(Tx tx, Caller caller, String human) {
        UUID organization = caller.organization();
        Organization before = Organizations.find(tx, organization).orElseThrow();
        if (!before.isUnverified()) {
            throw caller.missing(Gate.AGENT_VERIFY.wireName());
        }
        String former = before.humanEmail();
        if (human.equals(former)) {
            return new Plan(
                    null,
                    false,
                    !OneTimeCodeSql.isLive(tx, organization) || !SystemMail.mayHaveReached(tx, organization, human));
        }
        if (former != null) {
            requireReplaceable(tx, organization, former);
        }
        if (OrganizationHumans.organizationOf(tx, human).isPresent()) {
            throw standsElsewhere();
        }
        return new Plan(former, true, true);
    }

    /**
     * Whoever knows the human's address gets a new key by signing up again. Naming another human, and verifying with that
     * one's code, must not bring such a key the mail from before it (ruling 23).
     */
    private static void requireReplaceable(Tx tx, UUID organization, String former) {
        if (Organizations.isEarlierMailHidden(tx, organization)) {
            throw Problem.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    "The key was given out again, so that only the human named before can confirm the agent",
                    "Verify with the code sent to " + former + ", or sign up with the right human for another agent.");
        }
        if (Organizations.humanChanges(tx, organization) >= MOST_CHANGES) {
            throw Problem.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    "The human was changed " + MOST_CHANGES + " times already",
                    "Verify with the code sent to " + former + ", or sign up again with the right human.");
        }
    }

    private boolean carriedOut(Caller caller, String human, Plan plan) {
        UUID organization = caller.organization();
        pace.writing(human);
        String inbox = database.read(tx -> Inboxes.oldest(tx, organization))
                .map(Inbox::address)
                .orElse("it once had");
        OneTimeCode code = OneTimeCode.make(vault, OneTimeCode.Purpose.VERIFICATION, organization);
        Confirmation confirmation = new Confirmation(code, mail.seal(SignUpMail.attached(human, inbox, code)));
        SystemMail.SignedMail farewell =
                plan.former == null ? null : mail.seal(SignUpMail.replaced(plan.former, inbox));
        return database.write(organization, tx -> {
            if (!plan(tx, caller, human).equals(plan)) {
                return false;
            }
            Instant now = tx.next().at();
            if (plan.replaces) {
                replace(tx, organization, human, plan.former, now);
            }
            confirmation.send(tx, mail, organization, now);
            if (farewell != null) {
                mail.queue(tx, organization, farewell);
            }
            return true;
        });
    }

    /** Claimed before the other is let go: two organizations that swap their humans refuse and never deadlock. */
    private static void replace(Tx tx, UUID organization, String human, @Nullable String former, Instant now) {
        if (!OrganizationHumans.claim(tx, human, organization)) {
            throw standsElsewhere();
        }
        if (former != null) {
            OrganizationHumans.release(tx, former);
        }
        Organizations.attach(tx, organization, human, former != null, now);
    }

    private static Problem standsElsewhere() {
        return Problem.invalid("human_email", "human_email stands behind another organization already");
    }
}
