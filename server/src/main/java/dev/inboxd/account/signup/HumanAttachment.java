package dev.inboxd.account.signup;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Attaches the first or another human to an agent's organization (identity.md §6.3). */
public final class HumanAttachment {
    private static final int MOST_CHANGES = 2;

    private final Database database;
    private final SystemMail mail;
    private final Vault vault;
    private final SignUpLimits limits;

    /** Attaches humans to the organizations of a database, and limits the rate of mail to them. */
    public HumanAttachment(Database database, SystemMail mail, Vault vault, SignUpLimits limits) {
        this.database = database;
        this.mail = mail;
        this.vault = vault;
        this.limits = limits;
    }

    /**
     * Attaches the human and sends a code, unless an earlier code that may have arrived is still valid. The former
     * human gets a notice. The key stays as it is.
     *
     * @throws Problem {@code missing_permission} once verified, {@code limit_exceeded} at the third change or when the
     *     key was issued again, {@code validation_error} for a human behind another organization,
     *     {@code rate_limit_exceeded} for too much mail to the human
     */
    void attach(Caller caller, CodeRequest request) {
        boolean done = false;
        while (!done) {
            // When another call of the agent has changed the rows meanwhile, the plan is made again.
            Plan plan = database.read(tx -> plan(tx, caller, request.human()));
            done = plan.isNothing() || carryOut(caller, request, plan);
        }
    }

    /**
     * The steps of an attachment.
     *
     * @param former the human who is replaced, or null
     * @param replaces whether the human differs from the present one
     * @param writes whether a code is sent
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
            throw belongsToAnother();
        }
        return new Plan(former, true, true);
    }

    /**
     * A caller who knows the human's address gets a new key by signing up again. A change of the human, and its
     * verification, must not show such a key the mail from before it (ruling 23).
     */
    private static void requireReplaceable(Tx tx, UUID organization, String former) {
        if (Organizations.isEarlierMailHidden(tx, organization)) {
            throw Problem.of(
                    ErrorCode.LIMIT_EXCEEDED,
                    "The key was given out again, so that only the human named before can confirm the agent",
                    "Verify with the code sent to " + former + ", or sign up with the right human for another agent.");
        }
        if (Organizations.humanChanges(tx, organization) >= MOST_CHANGES) {
            throw Problem.limit(
                    "human_changes",
                    MOST_CHANGES,
                    "The human was changed " + MOST_CHANGES + " times already",
                    "Verify with the code sent to " + former + ", or sign up again with the right human.");
        }
    }

    private boolean carryOut(Caller caller, CodeRequest request, Plan plan) {
        String human = request.human();
        UUID organization = caller.organization();
        limits.writing(human);
        String inbox = database.read(tx -> Inboxes.oldest(tx, organization))
                .map(Inbox::address)
                .orElse("it once had");
        OneTimeCode code = OneTimeCode.make(vault, OneTimeCode.Purpose.VERIFICATION, organization);
        Confirmation confirmation = new Confirmation(code, mail.seal(SignUpMail.attached(request, inbox, code)));
        SystemMail.SignedMail notice = plan.former == null ? null : mail.seal(SignUpMail.replaced(plan.former, inbox));
        return database.write(organization, tx -> {
            if (!plan(tx, caller, human).equals(plan)) {
                return false;
            }
            Instant now = tx.next().at();
            if (plan.replaces) {
                replace(tx, organization, human, plan.former, now);
            }
            confirmation.send(tx, mail, organization, now);
            if (notice != null) {
                mail.queue(tx, organization, notice);
            }
            return true;
        });
    }

    /**
     * Assigns the new human before the former one is removed. So two organizations that swap their humans are refused,
     * and never deadlock.
     */
    private static void replace(Tx tx, UUID organization, String human, @Nullable String former, Instant now) {
        if (!OrganizationHumans.claim(tx, human, organization)) {
            throw belongsToAnother();
        }
        if (former != null) {
            OrganizationHumans.release(tx, former, organization);
        }
        Organizations.attach(tx, organization, human, former != null, now);
    }

    private static Problem belongsToAnother() {
        return Problem.invalid("human_email", "human_email is the human of another organization");
    }
}
