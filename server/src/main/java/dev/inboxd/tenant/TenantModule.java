package dev.inboxd.tenant;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.event.EventLog;
import dev.inboxd.net.NetModule;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.metric.MetricQueries;
import dev.inboxd.observe.metric.MetricRollup;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
import dev.inboxd.tenant.apikey.KeyUsage;
import dev.inboxd.tenant.apikey.Revocations;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import dev.inboxd.tenant.domain.DomainKeys;
import dev.inboxd.tenant.domain.DomainVerifier;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.domain.ReservedNames;
import dev.inboxd.tenant.domain.dns.RecordLookup;
import dev.inboxd.tenant.domain.http.SetupLinks;
import dev.inboxd.tenant.domain.signing.SenderIdentities;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.inbox.KnownRecipients;
import dev.inboxd.tenant.list.Lists;
import dev.inboxd.tenant.pod.Pods;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/** Organizations and what belongs to them. */
public final class TenantModule implements ServiceModule {
    final TenantConfig config;
    final PlatformModule platform;
    final KeyUsage keyUsage;
    final ApiKeys apiKeys;
    final DomainVerifier verifier;
    final Domains domains;
    final SetupLinks setupLinks;
    final Pods pods;
    final Inboxes inboxes;
    final Lists lists;
    final MetricQueries metrics;
    private final MetricRollup rollup;
    private final SigningKeys signingKeys;
    private final SenderIdentities senders;
    private final AddressDirectory addresses;
    private final KnownRecipients knownRecipients;
    private final Revocations revocations;
    private final AuditLog audit;

    /**
     * What follows a change.
     *
     * @param events the log that it is appended to
     * @param inboxes what is deleted together with an inbox
     * @param pods what is deleted together with a pod
     * @param domains what is deleted together with a domain, or needs it
     * @param writings what keys wrote
     */
    public record Hooks(
            EventLog events,
            List<Inboxes.DeletionHook> inboxes,
            List<Pods.DeletionHook> pods,
            List<Hooks.DomainHook> domains,
            List<KeyWritings.Hook> writings) {
        public Hooks {
            writings = List.copyOf(writings);
            inboxes = List.copyOf(inboxes);
            pods = List.copyOf(pods);
            domains = List.copyOf(domains);
        }

        /** Hears of the deletion of a domain in its transaction, and may refuse it. */
        @FunctionalInterface
        public interface DomainHook {
            /** A domain is deleted. */
            void deleted(Tx tx, UUID organization, String domain);
        }
    }

    /** The organizations of this platform. */
    public TenantModule(TenantConfig config, PlatformModule platform, NetModule net, Hooks hooks) {
        this.config = config;
        this.platform = platform;
        Database database = platform.database();
        DomainKeys domainKeys = new DomainKeys(platform.vault());
        this.signingKeys = new SigningKeys(database, platform.vault());
        this.senders = new SenderIdentities(database, signingKeys, domainKeys, config.domain());
        this.verifier = new DomainVerifier(
                new DomainVerifier.Parts(database, domainKeys, lookup(net), config.hosts(), hooks.events));
        verifier.findBy(platform.due());
        this.domains = new Domains(new Domains.Parts(
                database,
                domainKeys,
                net.dns(),
                config.hosts(),
                ReservedNames.of(
                        config.domain(), config.hosts(), platform.config().publicUrl()),
                verifier,
                config.limits().domains(),
                (tx, organization, name, pod, createdAt) -> {
                    hooks.domains.forEach(hook -> hook.deleted(tx, organization, name));
                    MetricRollup.recordRemoved(tx, organization, "domain", name, pod, createdAt);
                }));
        this.setupLinks = new SetupLinks(net.dns(), net.http());
        this.revocations = new Revocations(platform.notifications());
        this.audit = new AuditLog(database, platform.clock());
        this.keyUsage = new KeyUsage(database);
        this.apiKeys = new ApiKeys(database, config.limits().apiKeys(), new KeyWritings(database, hooks.writings));
        this.rollup = new MetricRollup(database, platform.due());
        this.metrics = new MetricQueries(database, rollup);
        this.addresses = new AddressDirectory(database, config.domain(), config.operatorInbox());
        this.knownRecipients = new KnownRecipients(addresses);
        this.lists = new Lists(database);
        this.inboxes = inboxes(hooks);
        this.pods = pods(hooks);
    }

    private static RecordLookup lookup(NetModule net) {
        return new RecordLookup(net.dns(), net.config().secondDns(), net.faults());
    }

    private Inboxes inboxes(Hooks hooks) {
        List<Inboxes.DeletionHook> deletions = Stream.of(
                        Stream.<Inboxes.DeletionHook>of(ApiKeys::revokeOf),
                        hooks.inboxes.stream(),
                        Stream.<Inboxes.DeletionHook>of(rollup, knownRecipients::inboxDeleted))
                .flatMap(stream -> stream)
                .toList();
        Inboxes.Rules rules = new Inboxes.Rules(config.domain(), config.limits().inboxes());
        return new Inboxes(platform.database(), platform.jobs(), rules, deletions);
    }

    private Pods pods(Hooks hooks) {
        List<Pods.DeletionHook> deletions = Stream.of(
                        Stream.<Pods.DeletionHook>of(ApiKeys::revokeOfPod),
                        hooks.pods.stream(),
                        Stream.<Pods.DeletionHook>of(Lists::removeOfPod, rollup::podDeleted))
                .flatMap(stream -> stream)
                .toList();
        return new Pods(platform.database(), config.limits().pods(), deletions);
    }

    public TenantConfig config() {
        return config;
    }

    /** The operations on API keys. */
    public ApiKeys apiKeys() {
        return apiKeys;
    }

    /** The keys that the service's own domains sign with. */
    public SigningKeys signingKeys() {
        return signingKeys;
    }

    /** Who signs as a sender. */
    public SenderIdentities senders() {
        return senders;
    }

    /** Where mail to an address goes. */
    public AddressDirectory addresses() {
        return addresses;
    }

    /** The same as {@link #addresses}, remembered for received mail. */
    public KnownRecipients knownRecipients() {
        return knownRecipients;
    }

    /** Keeps who did what. */
    public AuditLog audit() {
        return audit;
    }

    /** Tells of credentials that were revoked or changed. */
    public Revocations revocations() {
        return revocations;
    }

    /** Checks credentials: API keys, and what these sessions know. */
    public CredentialAuthenticator authenticator(Function<String, Caller> sessions) {
        CredentialAuthenticator.Means means = new CredentialAuthenticator.Means(
                sessions, organization -> platform.nodes().marks().moved(organization));
        return new CredentialAuthenticator(platform.database(), platform.clock(), keyUsage, means);
    }

    /** Deletes what an inbox held, after it is counted. */
    public void onInboxPurge(Jobs.Handler purge) {
        platform.jobs().handle(Inboxes.PURGE, rollup.before(purge));
    }

    @Override
    public void mount(RouteTable routes) {
        TenantRoutes.mount(this, routes);
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.add(Phase.SHARED, keyUsage::start, keyUsage::close);
        lifecycle.add(Phase.SHARED, audit::start, audit::close);
    }
}
