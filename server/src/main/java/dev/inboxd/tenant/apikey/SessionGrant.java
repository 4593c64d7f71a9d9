package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the person of a session may grant.
 *
 * @param humanEmail who it is; null for the operator
 * @param unverified whether no human has verified the organization yet
 */
public record SessionGrant(@Nullable String humanEmail, Role role, boolean unverified) {
    /**
     * Reads it from the rows, in the transaction of what depends on it.
     *
     * @throws Problem {@code unauthorized} when the session has ended, or its person belongs to it no more
     */
    public static SessionGrant of(Tx tx, UUID organization, UUID session) {
        return tx.sql(View.of(organization), """
                select o.type = 'agent_unverified' as unverified, s.human_email,
                       coalesce(p.role, case when o.human_email = s.human_email then 'own' end) as role
                from console_session s join organization o on o.organization_id = s.organization_id
                join human h on h.organization_id = s.organization_id and h.human_email = s.human_email
                left join person p on p.organization_id = s.organization_id and p.human_email = s.human_email
                where {s} and s.session_id = :id and s.expires_at > {now}
                and (p.role is not null or o.human_email = s.human_email)""")
                .bind("id", session)
                .first(row -> new SessionGrant(
                        row.text("human_email"), Role.stored(row.text("role")), row.flag("unverified")))
                .orElseThrow(() -> Problem.of(
                        ErrorCode.UNAUTHORIZED, "The session was ended", "Sign in again with POST /console/sign-in."));
    }
}
