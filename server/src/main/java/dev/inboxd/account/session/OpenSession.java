package dev.inboxd.account.session;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.organization.OrganizationHumans;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A session whose person still belongs to the organization.
 *
 * @param stored what its row says, and that of its organization
 */
record OpenSession(Session session, SessionSql.StoredSession stored) {
    private static final Duration USE_INTERVAL = Duration.ofMinutes(10);

    /** Empty when it has ended, or its person was removed. */
    static Optional<OpenSession> find(Tx tx, UUID organization, UUID id) {
        return SessionSql.find(tx, organization, id)
                .flatMap(stored -> OrganizationHumans.user(tx, stored.humanEmail(), organization)
                        .map(user -> new OpenSession(stored.of(organization, user), stored)));
    }

    /** Whether it is time to note that its person is there. */
    boolean isSeenLongAgo(Instant now) {
        return Objects.requireNonNullElse(stored.seenAt(), session.createdAt())
                .plus(USE_INTERVAL)
                .isBefore(now);
    }

    /** Owners have every flag, also those that keys get by name alone: else nobody could grant them. */
    Caller caller() {
        Role role = stored.role();
        Set<Permission> held = ApiKey.effective(role.flags(), Scope.ORGANIZATION, stored.unverified());
        View view = new View(session.organization(), null, null, RestrictedLabel.hiddenFrom(held), stored.mailSince());
        return new Caller(
                new Caller.Credential.Session(session.id(), role),
                Scope.ORGANIZATION,
                view,
                null,
                held,
                true,
                stored.unverified(),
                false,
                stored.pays());
    }
}
