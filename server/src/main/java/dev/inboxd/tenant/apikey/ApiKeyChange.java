package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a key (identity.md §8.7).
 *
 * @param name the new name, or null for no change
 * @param needsApproval whether mail of the key needs approval from now on, or null for no change
 */
record ApiKeyChange(
        @Nullable String name,
        RequestedPermissions permissions,
        @Nullable Boolean needsApproval) {
    /** Members that are fixed at creation. */
    private static final List<String> FIXED = List.of("expires_at", "public_key", "type");

    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with all faults
     */
    static ApiKeyChange read(JsonBody body) {
        FIXED.stream()
                .filter(body::has)
                .forEach(member -> body.fault(member, member + " of a key cannot be changed; create another key"));
        if (body.isNull("name")) {
            body.fault("name", "name must be a string");
        }
        ApiKeyChange change = new ApiKeyChange(
                ApiKeyMembers.name(body),
                RequestedPermissions.read(body),
                body.has("send_approval") ? (Boolean) ApiKeyMembers.needsApproval(body) : null);
        body.check();
        if (change.name == null
                && change.needsApproval == null
                && change.permissions instanceof RequestedPermissions.Omitted) {
            throw Problem.invalid(List.of(new Fault(List.of(), "Give name, permissions or send_approval")));
        }
        return change;
    }

    /** A key before and after a change. */
    record Changed(ApiKey before, ApiKey after) {
        boolean isChange() {
            return !after.equals(before);
        }

        /** Whether the key comes to need approval. */
        boolean binds() {
            return after.grant().needsApproval() && !before.grant().needsApproval();
        }
    }

    /**
     * The change of a key.
     *
     * @throws Problem {@code validation_error} for a flag that a sign-in key cannot have,
     *     {@code permission_escalation}, {@code unrestricted_key_required}, {@code missing_permission}
     */
    Changed of(Caller caller, ApiKey before, Authority giver) {
        if (before.isForSignIn()) {
            RequestedPermissions.requireSignIn(permissions);
        }
        boolean was = before.grant().needsApproval();
        boolean approval = needsApproval == null ? was : needsApproval;
        ApiKey after = before.with(
                name == null ? before.name() : name,
                PermissionGrants.instead(giver, before.grant(), permissions).approved(approval));
        if (approval != was) {
            giver.requireApprover(caller, was);
        }
        return new Changed(before, after);
    }
}
