package dev.inboxd.account.signup;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Attaches the human of an organization that an account's payment made (payments.md §5). Nobody is attached before the
 * human's code comes back, as who pays may not make a stranger the owner; and only once.
 */
public final class WalletHuman {
    private final Database database;
    private final SystemMail mail;
    private final Vault vault;
    private final SignUpLimits limits;

    /** Attaches humans to the organizations of a database, and limits the rate of mail to them. */
    public WalletHuman(Database database, SystemMail mail, Vault vault, SignUpLimits limits) {
        this.database = database;
        this.mail = mail;
        this.vault = vault;
        this.limits = limits;
    }

    /** Whether an account's payment made the caller's organization. */
    boolean isFor(Caller caller) {
        return database.read(tx -> Organizations.find(tx, caller.organization()))
                .map(organization -> organization.type() == Organization.Type.WALLET)
                .orElse(false);
    }

    /**
     * Sends a code to a human, unless an earlier one that may have arrived is still valid.
     *
     * @throws Problem {@code missing_permission} when a human is attached, {@code validation_error} for the human of
     *     another organization, {@code rate_limit_exceeded} for too much mail to the human
     */
    void ask(Caller caller, CodeRequest request) {
        String human = request.human();
        UUID organization = caller.organization();
        boolean isAsked = database.read(tx -> {
            requireNone(tx, caller);
            if (OrganizationHumans.organizationOf(tx, human).isPresent()) {
                throw belongsToAnother("human_email");
            }
            WalletHumanSql.PendingHuman pending =
                    WalletHumanSql.pending(tx, organization).orElse(null);
            return pending != null
                    && pending.live()
                    && pending.human().equals(human)
                    && SystemMail.mayHaveReached(tx, organization, human);
        });
        if (isAsked) {
            return;
        }
        limits.writing(human);
        String inbox = database.read(tx -> Inboxes.oldest(tx, organization))
                .map(Inbox::address)
                .orElse("it once had");
        OneTimeCode code = OneTimeCode.make(vault, OneTimeCode.Purpose.VERIFICATION, organization);
        SystemMail.SignedMail letter = mail.seal(SignUpMail.walletCode(request, inbox, code));
        database.run(organization, tx -> {
            requireNone(tx, caller);
            Instant expires = tx.next().at().plus(OneTimeCode.Purpose.VERIFICATION.valid());
            WalletHumanSql.ask(tx, organization, human, new OneTimeCode.StoredCode(code.mac(), expires, 0));
            mail.queue(tx, organization, letter);
        });
    }

    /**
     * Attaches the human whose code it is. A wrong attempt is committed before it is refused.
     *
     * @throws Problem {@code validation_error}, {@code limit_exceeded}, {@code missing_permission}
     */
    void attach(Caller caller, String digits) {
        UUID organization = caller.organization();
        byte[] mac = OneTimeCode.mac(vault, OneTimeCode.Purpose.VERIFICATION, organization, digits);
        Problem refusal = database.<@Nullable Problem>write(organization, tx -> {
            requireNone(tx, caller);
            WalletHumanSql.PendingHuman pending =
                    WalletHumanSql.pending(tx, organization).orElse(null);
            return pending == null
                    ? refused("No human was asked, so no code was sent")
                    : attempt(tx, caller, pending, mac);
        });
        if (refusal != null) {
            throw refusal;
        }
    }

    private static @Nullable Problem attempt(Tx tx, Caller caller, WalletHumanSql.PendingHuman pending, byte[] mac) {
        UUID organization = caller.organization();
        Instant now = tx.next().at();
        OneTimeCode.StoredCode code = pending.code();
        if (code.isUsedUp()) {
            return Problem.limit(
                    "attempts",
                    OneTimeCode.ATTEMPTS,
                    "All " + OneTimeCode.ATTEMPTS + " attempts were used",
                    "Wait until " + Timestamps.format(code.expiresAt())
                            + ", then ask for another code with POST /v0/agent/human.");
        }
        if (code.isExpired(now)) {
            return refused("The code has expired");
        }
        if (!code.isOf(mac)) {
            WalletHumanSql.countAttempt(tx, organization);
            return refused("The code is wrong; attempts left: " + (OneTimeCode.ATTEMPTS - 1 - code.attempts()));
        }
        if (!OrganizationHumans.claim(tx, pending.human(), organization)) {
            return belongsToAnother("otp_code");
        }
        WalletHumanSql.forget(tx, organization);
        Organizations.attach(tx, organization, pending.human(), false, now);
        AuditLog.add(
                tx,
                organization,
                AuditActor.of(caller, AuditSource.NONE),
                AuditChange.of(AuditAction.ORGANIZATION_HUMAN_CHANGED, pending.human()));
        return null;
    }

    private static void requireNone(Tx tx, Caller caller) {
        if (Organizations.find(tx, caller.organization()).orElseThrow().humanEmail() != null) {
            throw caller.missing(Gate.AGENT_VERIFY.wireName());
        }
    }

    private static Problem belongsToAnother(String member) {
        return Problem.invalid(member, "human_email is the human of another organization");
    }

    private static Problem refused(String message) {
        return Problem.invalid("otp_code", message).withFix("Ask for a code with POST /v0/agent/human.");
    }
}
