package dev.inboxd.account.signup;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Verifies an agent's organization by the code that its human passed on (identity.md §6.2). */
public final class Verification {
    private final Database database;
    private final Vault vault;

    /** Verifies organizations of a database. */
    public Verification(Database database, Vault vault) {
        this.database = database;
        this.vault = vault;
    }

    /**
     * Verifies the caller's organization. Attempts are counted under the organization's clock row, so that parallel
     * calls get no eleventh attempt. A wrong attempt is committed before it is refused.
     *
     * @throws Problem {@code validation_error}, {@code limit_exceeded}, {@code missing_permission}
     */
    void verify(Caller caller, String digits) {
        UUID organization = caller.organization();
        byte[] mac = OneTimeCode.mac(vault, OneTimeCode.Purpose.VERIFICATION, organization, digits);
        Problem refusal = database.<@Nullable Problem>write(organization, tx -> {
            Organization before = Organizations.find(tx, organization).orElseThrow();
            if (!before.isUnverified()) {
                return caller.missing(Gate.AGENT_VERIFY.wireName());
            }
            Optional<OneTimeCode.StoredCode> code = OneTimeCodeSql.code(tx, organization);
            return code.isEmpty() ? noHuman() : attempt(tx, organization, code.get(), mac);
        });
        if (refusal != null) {
            throw refusal;
        }
    }

    private static @Nullable Problem attempt(Tx tx, UUID organization, OneTimeCode.StoredCode code, byte[] mac) {
        Instant now = tx.next().at();
        if (code.isUsedUp()) {
            return usedUp(code, now);
        }
        if (code.isExpired(now)) {
            return refused("The code has expired; sign up again to get another");
        }
        if (!code.isOf(mac)) {
            OneTimeCodeSql.countAttempt(tx, organization);
            return refused("The code is wrong; attempts left: " + (OneTimeCode.ATTEMPTS - 1 - code.attempts()));
        }
        OneTimeCodeSql.removeCode(tx, organization);
        Organizations.verified(tx, organization, now);
        return null;
    }

    /** All attempts are used, so even the right code is refused: six digits are guessed quickly. */
    private static Problem usedUp(OneTimeCode.StoredCode code, Instant now) {
        return Problem.limit(
                "attempts",
                OneTimeCode.ATTEMPTS,
                "All " + OneTimeCode.ATTEMPTS + " attempts were used",
                code.isExpired(now)
                        ? "The code has expired: sign up again now with POST /v0/agent/sign-up to get another."
                        : "Wait until " + Timestamps.format(code.expiresAt())
                                + ", then sign up again with POST /v0/agent/sign-up to get another code.");
    }

    private static Problem noHuman() {
        return refused("No human is attached to this organization, so no code was sent")
                .withFix("Attach a human with POST /v0/agent/human, or sign up again with human_email.");
    }

    private static Problem refused(String message) {
        return Problem.invalid("otp_code", message);
    }
}
