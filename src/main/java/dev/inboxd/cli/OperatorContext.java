package dev.inboxd.cli;

import dev.inboxd.config.Credentials;
import dev.inboxd.config.ExternalDatabase;
import dev.inboxd.config.Settings;
import dev.inboxd.event.EventLog;
import dev.inboxd.net.Dns;
import dev.inboxd.net.NetConfig;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Migrations;
import dev.inboxd.platform.database.embedded.EmbeddedPostgres;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.server.MasterKeys;
import dev.inboxd.server.ModuleConfigs;
import dev.inboxd.tenant.TenantConfig;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.domain.DomainKeys;
import dev.inboxd.tenant.domain.DomainVerifier;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.domain.OperatorDomains;
import dev.inboxd.tenant.domain.ReservedNames;
import dev.inboxd.tenant.domain.ServiceHosts;
import dev.inboxd.tenant.metric.MetricRollup;
import dev.inboxd.tenant.organization.Organizations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The services behind the operator's commands. The commands work on the database itself, also while the service runs;
 * the service reads what they write from the rows.
 */
final class OperatorContext implements AutoCloseable {
    private static final int CONNECTIONS = 2;

    private final @Nullable EmbeddedPostgres postgres;
    final InstantSource clock = InstantSource.system();
    final Database database;
    final Organizations organizations;
    final ApiKeys apiKeys;
    final OperatorDomains domains;

    private OperatorContext(Settings settings, @Nullable EmbeddedPostgres postgres, Database database) {
        this.postgres = postgres;
        this.database = database;
        this.organizations = new Organizations(database, clock);
        URI publicUrl = settings.names().publicUrl().orElse(URI.create("http://127.0.0.1"));
        TenantConfig tenant = new ModuleConfigs(settings, publicUrl).tenant();
        this.apiKeys = new ApiKeys(database, tenant.limits().apiKeys());
        this.domains = domains(settings, database, tenant, publicUrl);
    }

    private static OperatorDomains domains(Settings settings, Database database, TenantConfig tenant, URI publicUrl) {
        ServiceHosts hosts = tenant.hosts();
        DomainKeys keys = new DomainKeys(new Vault(masterKeys(settings)));
        NetConfig net = ModuleConfigs.net(settings);
        Dns dns = net.dns();
        // The service finds webhook deliveries of these events in their rows.
        DomainVerifier checks = new DomainVerifier(
                new DomainVerifier.Parts(database, keys, dns, net.secondDns(), hosts, new EventLog(_ -> {})));
        return new OperatorDomains(
                database,
                new Domains(new Domains.Parts(
                        database,
                        keys,
                        dns,
                        hosts,
                        ReservedNames.of(tenant.domain(), hosts, publicUrl),
                        checks,
                        tenant.limits().domains(),
                        (tx, organization, name, pod, made) ->
                                MetricRollup.recordRemoved(tx, organization, "domain", name, pod, made))));
    }

    private static List<String> masterKeys(Settings settings) {
        try {
            return MasterKeys.of(settings);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Opens the database of these settings, starting the embedded one when no service runs it. */
    static OperatorContext open(Settings settings) {
        Optional<ExternalDatabase> external = settings.storage().database();
        if (external.isPresent()) {
            return migrated(
                    settings,
                    null,
                    new Database.Location(
                            external.get().jdbcUrl(),
                            external.get().login().map(Credentials::user).orElse(null),
                            external.get()
                                    .login()
                                    .map(login -> login.password().value())
                                    .orElse(null),
                            CONNECTIONS));
        }
        Optional<EmbeddedPostgres.RunningServer> running = EmbeddedPostgres.running(settings.dataDirectory());
        if (running.isPresent()) {
            EmbeddedPostgres.RunningServer there = running.get();
            return new OperatorContext(
                    settings,
                    null,
                    new Database(
                            new Database.Location(there.jdbcUrl(), there.user(), there.password(), CONNECTIONS), null));
        }
        EmbeddedPostgres own = EmbeddedPostgres.start(settings.dataDirectory());
        return migrated(settings, own, new Database.Location(own.jdbcUrl(), own.user(), own.password(), CONNECTIONS));
    }

    private static OperatorContext migrated(
            Settings settings, @Nullable EmbeddedPostgres own, Database.Location location) {
        try {
            Migrations.run(location);
        } catch (RuntimeException failed) {
            if (own != null) {
                own.close();
            }
            throw failed;
        }
        return new OperatorContext(settings, own, new Database(location, null));
    }

    @Override
    public void close() {
        database.close();
        if (postgres != null) {
            postgres.close();
        }
    }
}
