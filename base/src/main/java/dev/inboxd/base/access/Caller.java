package dev.inboxd.base.access;

import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The credential of a request.
 *
 * @param credential the key or the session
 * @param scope its tier
 * @param view the rows that it may see
 * @param inboxName the public id of its inbox; null unless the scope is an inbox
 * @param granted the flags in effect: granted, within the scope, and not withheld from its organization
 * @param unrestricted whether it was stored without a permissions set
 * @param unverified whether an agent created its organization and no human has verified it yet
 * @param needsApproval whether nothing leaves through it without approval (approvals.md §1)
 * @param pays whether its organization pays for each call (payments.md §5)
 */
public record Caller(
        Credential credential,
        Scope scope,
        View view,
        @Nullable String inboxName,
        Set<Permission> granted,
        boolean unrestricted,
        boolean unverified,
        boolean needsApproval,
        boolean pays) {
    public Caller {
        granted = granted.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(granted));
    }

    /** Whether calls that cost something are closed to it: its organization pays for each, and it cannot. */
    public boolean mustPay() {
        return pays && !(credential instanceof Credential.Payer);
    }

    /** Kind of credential. */
    public sealed interface Credential {
        /** The id of the key or of the session, in limits and logs. */
        UUID id();

        /** An API key. */
        record Key(UUID id) implements Credential {}

        /**
         * A human's session in the console (identity.md §17).
         *
         * @param role what the human may do in the organization
         */
        record Session(UUID id, Role role) implements Credential {}

        /**
         * An account that pays for each call (payments.md §5).
         *
         * @param id made of the account, always the same
         * @param account the account, such as {@code eip155:8453:0x…}
         * @param payment the payment of this call; null for one that costs nothing
         */
        record Payer(UUID id, String account, @Nullable UUID payment) implements Credential {
            /** That of an account, for a call that costs nothing. */
            public static Payer of(String account) {
                return of(account, null);
            }

            /** That of an account, for a call that it has paid for. */
            public static Payer of(String account, @Nullable UUID payment) {
                return new Payer(UUID.nameUUIDFromBytes(account.getBytes(StandardCharsets.UTF_8)), account, payment);
            }
        }

        /** Whoever uses an open console on the machine of the server. */
        record Operator() implements Credential {
            /** The same for all, and of no key or session. */
            public static final UUID ID = new UUID(0, 0);

            @Override
            public UUID id() {
                return ID;
            }
        }
    }

    /** The role of the person; whatever is no person's has no such bound. */
    public Role role() {
        return credential instanceof Credential.Session session ? session.role() : Role.OWN;
    }

    /**
     * Refuses a person whose role is not enough.
     *
     * @throws Problem {@link ErrorCode#MISSING_PERMISSION}
     */
    public void require(Role needed) {
        role().require(needed);
    }

    /**
     * The same person for one call that belongs to a decision which the role takes, and needs a right that the role
     * does not have: mail that is held is deleted, its sender blocked, and what leaves is stopped. Whoever asks for it
     * has made sure that it is one of these.
     *
     * @param needed the right of the call, which is added; no organization holds it that must be verified first
     */
    public Caller deciding(Permission needed) {
        if (role() != Role.APPROVE) {
            return this;
        }
        Set<Permission> held = EnumSet.of(needed);
        held.addAll(granted);
        if (unverified && needed.needsVerification()) {
            held.remove(needed);
        }
        Credential owner = new Credential.Session(credential.id(), Role.OWN);
        return new Caller(owner, scope, view, inboxName, held, unrestricted, unverified, needsApproval, pays);
    }

    /** The key used; null for a session. */
    public @Nullable UUID apiKeyId() {
        return credential instanceof Credential.Key(UUID id) ? id : null;
    }

    /** The account that pays, in CAIP-10 form; null for a key or a session. */
    public @Nullable String payer() {
        return credential instanceof Credential.Payer payer ? payer.account() : null;
    }

    /**
     * The key used, for an action in the name of a key.
     *
     * @throws Problem {@link ErrorCode#INVALID_TOKEN_TYPE} for a session, {@link ErrorCode#FORBIDDEN} for an account
     *     that pays
     */
    public UUID requireKey() {
        if (credential instanceof Credential.Key(UUID id)) {
            return id;
        }
        if (credential instanceof Credential.Payer) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "This call is made in the name of an API key, and here it is paid for",
                    "Create a key with POST /v0/api-keys, and make the call with it at the server's public URL.");
        }
        throw Problem.of(ErrorCode.INVALID_TOKEN_TYPE, "This call takes an API key, not a session token");
    }

    /** The organization of the credential. */
    public UUID organization() {
        return view.organization();
    }

    /** Whether the flag is in effect for this credential. */
    public boolean holds(Permission permission) {
        return granted.contains(permission);
    }

    /**
     * Refuses a credential that does not satisfy the rule.
     *
     * @throws Problem {@link ErrorCode#MISSING_PERMISSION}; it names the flag and the way to get it
     */
    public void require(Access access) {
        if (!satisfies(access)) {
            throw missing(access.wireName());
        }
    }

    /** Whether this credential satisfies the rule. */
    public boolean satisfies(Access access) {
        return switch (access) {
            case Permission permission -> holds(permission);
            case Access.OfKey(Permission permission) -> apiKeyId() != null && holds(permission);
            case Access.Either either -> holds(either.primary()) || holds(either.alternative());
            case Gate gate ->
                switch (gate) {
                    case PUBLIC, ANY_KEY -> true;
                    case ORGANIZATION_READ, ORGANIZATION_KEY -> scope == Scope.ORGANIZATION;
                    case AGENT_VERIFY -> unverified || (isWallets() && scope == Scope.ORGANIZATION);
                };
        };
    }

    /** Whether its organization was made by a payment; its human may still have to be attached. */
    private boolean isWallets() {
        return pays || credential instanceof Credential.Payer;
    }

    /** The refusal for a missing flag, set or derived, with the remedy that helps in this case. */
    public Problem missing(String flag) {
        return Problem.of(
                ErrorCode.MISSING_PERMISSION,
                "Forbidden",
                "The call needs the permission " + flag + ". " + remedy(flag));
    }

    /** identity.md §3.3, missing_permission (a) to (d). */
    private String remedy(String flag) {
        if (flag.equals(Gate.AGENT_VERIFY.wireName())) {
            return "Only an unverified organization has it; this one is verified already, nothing is left to do.";
        }
        Permission settable = Permission.ofWire(flag);
        if (settable == null || !scope.allows(settable)) {
            return "This key is bound to one " + scope.wireName() + "; use a key of a broader scope.";
        }
        if (unverified && settable.needsVerification()) {
            return "The organization must be verified first: POST /v0/agent/verify with the code sent to the human.";
        }
        return "Use a key that holds it, or create one with POST /v0/api-keys from a key that does, or in the"
                + " console.";
    }
}
