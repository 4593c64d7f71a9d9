package dev.inboxd.tenant.apikey;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.util.Optional;
import java.util.UUID;

/**
 * What the person of a session may grant.
 *
 * @param unverified whether no human has verified the organization yet
 */
record SessionGrant(Role role, boolean unverified) {
    /** Empty when the session has ended. */
    static Optional<SessionGrant> of(Tx tx, UUID organization, UUID session) {
        return tx.sql(View.of(organization), """
                select o.type = 'agent_unverified' as unverified, p.role
                from console_session s join organization o on o.organization_id = s.organization_id
                join human h on h.organization_id = s.organization_id and h.human_email = s.human_email
                left join person p on p.organization_id = s.organization_id and p.human_email = s.human_email
                where {s} and s.session_id = :id and s.expires_at > {now}""")
                .bind("id", session)
                .first(row -> new SessionGrant(Role.stored(row.textOrNull("role")), row.flag("unverified")));
    }
}
