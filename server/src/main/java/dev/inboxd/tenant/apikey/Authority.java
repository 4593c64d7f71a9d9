package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a caller may grant to keys, read from its row in the same transaction. A key that was narrowed or revoked during
 * its request grants no more than it still has, and an ended session nothing.
 *
 * @param held the flags that are effective
 * @param unrestricted whether the key was stored without a permissions set
 * @param expiresAt when the key expires, or null
 * @param session whether a person is behind it
 * @param needsApproval whether nothing leaves through it without approval
 */
record Authority(
        Set<Permission> held,
        boolean unrestricted,
        @Nullable Instant expiresAt,
        boolean session,
        boolean needsApproval) {
    Authority {
        held = Set.copyOf(held);
    }

    /**
     * Refuses a change of what needs approval.
     *
     * @param clears whether it is to need none any more: what needs approval itself frees nothing
     * @throws Problem {@code missing_permission}
     */
    void requireApprover(Caller caller, boolean clears) {
        if (!held.contains(Permission.DRAFT_APPROVE)) {
            throw caller.missing(Permission.DRAFT_APPROVE.wireName());
        }
        if (clears && needsApproval) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A key whose mail needs approval frees no key from it",
                    "Clear send_approval in the console, or with a key that holds draft_approve and needs none.");
        }
    }

    /**
     * Reads the authority of a caller.
     *
     * @throws Problem {@code unknown_api_key} when the key was revoked meanwhile, {@code unauthorized} for an ended
     *     session
     */
    static Authority of(Tx tx, Caller caller) {
        UUID organization = caller.organization();
        return switch (caller.credential()) {
            case Caller.Credential.Key(UUID id) ->
                of(ApiKeySql.holding(tx, organization, id).orElseThrow(CredentialAuthenticator::unknown));
            case Caller.Credential.Session(UUID id, Role _) -> ofPerson(SessionGrant.of(tx, organization, id));
            case Caller.Credential.Operator _ -> ofPerson(new SessionGrant(null, Role.OWN, caller.unverified()));
            case Caller.Credential.Payer _ -> new Authority(caller.granted(), true, null, false, false);
        };
    }

    /** A human who owns the organization may grant every flag: otherwise nobody could (identity.md §17). */
    private static Authority ofPerson(SessionGrant person) {
        return new Authority(
                ApiKey.effective(person.role().flags(), Scope.ORGANIZATION, person.unverified()),
                true,
                null,
                true,
                false);
    }

    private static Authority of(ApiKeySql.EffectiveGrant holding) {
        return new Authority(
                holding.held(),
                holding.grant().permissions() == null,
                holding.expiresAt(),
                false,
                holding.grant().needsApproval());
    }
}
