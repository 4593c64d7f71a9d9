package dev.inboxd.cli;

import dev.inboxd.app.registry.OperatorApps;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.calendar.CalendarModule;
import dev.inboxd.calendar.invitation.InvitationModule;
import dev.inboxd.config.SettingValues;
import dev.inboxd.config.Settings;
import dev.inboxd.config.SettingsReader;
import dev.inboxd.event.EventLog;
import dev.inboxd.net.Dns;
import dev.inboxd.net.NetConfig;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.metric.MetricRollup;
import dev.inboxd.sandbox.clock.StoredClock;
import dev.inboxd.sending.draft.DraftModule;
import dev.inboxd.server.Installation;
import dev.inboxd.server.InstallationException;
import dev.inboxd.server.ModuleConfigs;
import dev.inboxd.tenant.TenantConfig;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import dev.inboxd.tenant.domain.DomainKeys;
import dev.inboxd.tenant.domain.DomainVerifier;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.domain.OperatorDomains;
import dev.inboxd.tenant.domain.ReservedNames;
import dev.inboxd.tenant.domain.ServiceHosts;
import dev.inboxd.tenant.domain.dns.RecordLookup;
import dev.inboxd.tenant.domain.signing.ServiceZone;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.SecurityMode;
import java.net.URI;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The services behind the operator's commands. The commands work on the database itself, also while the service runs;
 * the service reads what they write from the rows.
 */
public final class OperatorContext implements AutoCloseable {
    private final CommandDatabase connection;
    private final Settings settings;
    final InstantSource clock;
    final Database database;
    final Vault vault;
    final Organizations organizations;
    final ApiKeys apiKeys;
    final OperatorDomains domains;
    final OperatorApps apps;
    /** The mode of organizations that chose none, as far as the settings of this command tell. */
    final SecurityMode messageSecurity;

    private OperatorContext(Settings settings, Installation installation, CommandDatabase connection) {
        this.connection = connection;
        this.settings = settings;
        this.database = connection.database();
        this.clock = connection.clock();
        this.vault = installation.vault(settings);
        this.organizations = new Organizations(database, clock);
        this.apps = new OperatorApps(database, clock, System::getenv);
        this.messageSecurity = settings.policy().screening().mode();
        URI publicUrl = settings.names().publicUrl().orElse(URI.create("http://127.0.0.1"));
        TenantConfig tenant = new ModuleConfigs(settings, publicUrl).tenant();
        KeyWritings writings =
                new KeyWritings(database, List.of(DraftModule::bind, CalendarModule::bind, InvitationModule::bind));
        this.apiKeys = new ApiKeys(database, tenant.limits().apiKeys(), writings);
        this.domains = domains(settings, tenant, publicUrl);
    }

    /** The database that the command works on. */
    public Database database() {
        return database;
    }

    /** Keeps in the audit log what the operator changed. */
    void keep(UUID organization, AuditAction action, String target) {
        database.run(organization, tx -> {
            AuditLog.addOperator(tx, organization, action, target);
        });
    }

    /** The records of the service's own domain. */
    ServiceZone zone() {
        URI publicUrl = settings.names().publicUrl().orElse(URI.create("http://127.0.0.1"));
        String domain = settings.names().domain();
        return new ModuleConfigs(settings, publicUrl).zone(database.read(tx -> SigningKeys.published(tx, domain)));
    }

    /** The name servers of these settings. */
    Dns dns() {
        return ModuleConfigs.net(settings).dns();
    }

    private OperatorDomains domains(Settings settings, TenantConfig tenant, URI publicUrl) {
        ServiceHosts hosts = tenant.hosts();
        DomainKeys keys = new DomainKeys(vault);
        NetConfig net = ModuleConfigs.net(settings);
        Dns dns = net.dns();
        RecordLookup lookup = new RecordLookup(dns, net.secondDns(), LookupFaults.NONE);
        // The service finds webhook deliveries of these events in their rows.
        DomainVerifier checks =
                new DomainVerifier(new DomainVerifier.Parts(database, keys, lookup, hosts, new EventLog(_ -> {})));
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
                        (tx, organization, name, pod, createdAt) ->
                                MetricRollup.recordRemoved(tx, organization, "domain", name, pod, createdAt))));
    }

    /**
     * Opens the installation that a command is for. Its mode and names are those of the service's last start: a shell
     * rarely has the settings of the service.
     *
     * @throws InstallationException when there is none, or the master key is not its own
     */
    static OperatorContext open(Map<String, String> environment, Map<String, String> flags) {
        CommandDatabase connection =
                CommandDatabase.open(SettingsReader.readForCommand(new SettingValues(environment, flags)));
        try {
            Installation.requireHere(connection.database());
            connection.database().gate().follow(new MarkChanges(connection.database()).marks());
            Installation installation = Installation.of(connection.database())
                    .orElseThrow(() -> new InstallationException("The service was never started on this database: start"
                            + " it once, then run this again."));
            if (installation.mode() == Settings.Mode.DEV) {
                new StoredClock(connection.database(), connection.clock()).follow();
            }
            Map<String, String> variables = new HashMap<>(environment);
            variables.putAll(installation.settings());
            return new OperatorContext(
                    SettingsReader.readForCommand(new SettingValues(variables, flags)), installation, connection);
        } catch (RuntimeException refused) {
            connection.close();
            throw refused;
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
