package dev.inboxd.server;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.config.Settings;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a database needs before the service can run: made at the first start, found at every later one. */
final class Bootstrap {
    private final Settings settings;
    private final Database database;
    private final Organizations organizations;
    private final SigningKeys signingKeys;
    private final InstantSource clock;

    Bootstrap(Settings settings, Database database, SigningKeys signingKeys, InstantSource clock) {
        this.settings = settings;
        this.database = database;
        this.organizations = new Organizations(database, clock);
        this.signingKeys = signingKeys;
        this.clock = clock;
    }

    /**
     * Makes what is missing; several nodes may do so at once, and one of them makes it.
     *
     * @return the first API key when this was the first start, to be shown once; else null. In production the output
     *     goes to a log, so that no key is made: {@code inboxd key create} makes one
     */
    @Nullable
    String run() {
        Instant now = clock.instant();
        signingKeys.ensure(settings.names().domain(), now);
        if (!organizations.isEmpty()) {
            return null;
        }
        try {
            return make(now);
        } catch (DatabaseFailure failure) {
            if (failure.isDuplicate() && !organizations.isEmpty()) {
                return null; // another node has made it since we looked
            }
            throw failure;
        }
    }

    private @Nullable String make(Instant now) {
        UUID first = Uuid7.next();
        boolean withKey = settings.mode() == Settings.Mode.DEV;
        String key = database.writeGlobal(tx -> {
            operator(tx, now);
            organizations.create(tx, first, Organization.Type.CONSOLE, null);
            ApiKeys.KeySpec order =
                    new ApiKeys.KeySpec("First key", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false);
            return withKey ? ApiKeys.issue(tx, first, order, now).secret() : null;
        });
        if (key == null) {
            LogLine.of("first_start")
                    .with("organization_id", first)
                    .with("make_a_key_by", "inboxd key create --organization " + first)
                    .write();
        }
        return key;
    }

    private void operator(Tx tx, Instant now) {
        Organizations.NewOrganization operator =
                organizations.create(tx, Organizations.OPERATOR, Organization.Type.OPERATOR, null);
        Inboxes.open(
                tx,
                operator.organization().id(),
                operator.pod(),
                "postmaster@" + settings.names().domain(),
                now);
    }
}
