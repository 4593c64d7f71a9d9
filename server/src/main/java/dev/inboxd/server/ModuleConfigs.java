package dev.inboxd.server;

import dev.inboxd.account.AccountConfig;
import dev.inboxd.account.signup.SignUpPolicy;
import dev.inboxd.app.AppConfig;
import dev.inboxd.base.PlatformConfig;
import dev.inboxd.base.id.Base62;
import dev.inboxd.base.rate.Rates;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.calendar.content.CalendarConfig;
import dev.inboxd.config.HostPort;
import dev.inboxd.config.PaymentHost;
import dev.inboxd.config.PaymentSettings;
import dev.inboxd.config.Secret;
import dev.inboxd.config.Settings;
import dev.inboxd.console.session.ConsoleAccess;
import dev.inboxd.console.session.ConsoleConfig;
import dev.inboxd.console.session.OperatorToken;
import dev.inboxd.inbound.AutoReplyLabel;
import dev.inboxd.inbound.InboundConfig;
import dev.inboxd.inbound.filter.VirusScanner;
import dev.inboxd.mailbox.MailboxConfig;
import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.DnsServers;
import dev.inboxd.net.Host;
import dev.inboxd.net.HostLimiter;
import dev.inboxd.net.NetConfig;
import dev.inboxd.net.OwnPorts;
import dev.inboxd.net.TargetRules;
import dev.inboxd.notify.WebhookConfig;
import dev.inboxd.notify.webhook.polling.PollingWebhooks;
import dev.inboxd.notify.webhook.registry.Webhooks;
import dev.inboxd.payment.PaymentConfig;
import dev.inboxd.payment.facilitator.FacilitatorConfig;
import dev.inboxd.screening.ScreenConfig;
import dev.inboxd.sending.limit.LoopBreaker;
import dev.inboxd.sending.limit.SendQuota;
import dev.inboxd.sending.limit.SendingConfig;
import dev.inboxd.sending.tracking.TrackingHosts;
import dev.inboxd.tenant.TenantConfig;
import dev.inboxd.tenant.domain.ServiceHosts;
import dev.inboxd.tenant.domain.signing.ServiceZone;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import dev.inboxd.tenant.organization.OrganizationHttp;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings, as each module takes them. The modules themselves do not know the settings (decision 0053). */
public final class ModuleConfigs {
    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final int TOKEN_CHARACTERS = 27;

    private final Settings settings;
    private final Settings.Policy policy;
    private final Settings.Limits limits;
    private final URI publicUrl;

    /** @param publicUrl where the service is reached from outside */
    public ModuleConfigs(Settings settings, URI publicUrl) {
        this.settings = settings;
        this.policy = settings.policy();
        this.limits = policy.limits();
        this.publicUrl = publicUrl;
    }

    PlatformConfig platform() {
        return new PlatformConfig(
                publicUrl,
                Rates.of(limits::of),
                settings.storage().database().isEmpty(), // embedded: no other node can hold a lease
                settings.mode() == Settings.Mode.DEV);
    }

    /** How the outside is reached: by the name servers that were given, or by the system's. */
    public static NetConfig net(Settings settings) {
        return net(settings, new OwnPorts());
    }

    static NetConfig net(Settings settings, OwnPorts own) {
        List<HostPort> configured = settings.delivery().dnsServers();
        List<InetSocketAddress> nameServers = configured.isEmpty()
                ? DnsServers.ofSystem()
                : DnsServers.parse(configured.stream().map(HostPort::toString).collect(Collectors.joining(",")));
        TargetRules usual = settings.mode() == Settings.Mode.DEV ? TargetRules.DEVELOPMENT : TargetRules.PRODUCTION;
        TargetRules targets = new TargetRules(addresses(settings), usual.plainHttp(), usual.anyPort(), own);
        return new NetConfig(nameServers, targets, "inboxd/" + version());
    }

    /** The version of this program. */
    static String version() {
        return Objects.requireNonNullElse(ModuleConfigs.class.getPackage().getImplementationVersion(), "dev");
    }

    /** Which addresses may be reached on behalf of a user. */
    static AddressPolicy addresses(Settings settings) {
        return settings.policy().privateTargets() == Settings.PrivateTargets.ALLOW
                ? AddressPolicy.ANY
                : AddressPolicy.PUBLIC;
    }

    /** Where calls are paid for. */
    public PaymentConfig payments() {
        PaymentSettings payments = settings.payments();
        Map<String, String> headers = payments.facilitator().headers().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, header -> header.getValue().value()));
        return new PaymentConfig(
                payments.x402().map(host -> address(host, payments.x402Sockets())),
                payments.mpp().map(host -> address(host, payments.mppSockets())),
                new FacilitatorConfig(
                        payments.facilitator().kind(),
                        payments.facilitator().url(),
                        headers,
                        payments.proofFacilitator(),
                        settings.mode() == Settings.Mode.PRODUCTION),
                payments.file(),
                limits.of("payments_open", 20));
    }

    private PaymentConfig.Address address(PaymentHost host, Optional<PaymentHost> sockets) {
        return new PaymentConfig.Address(
                host.name(), host.baseUrl(publicUrl).toString(), sockets.map(PaymentHost::name));
    }

    WebhookConfig webhooks() {
        return new WebhookConfig(
                limits.of("webhooks", Webhooks.USUAL_LIMIT),
                limits.of("polling_webhooks", PollingWebhooks.USUAL_LIMIT),
                limits.of("deliveries_per_target", HostLimiter.USUAL));
    }

    /** How many of each an organization may have: as many as it wants, unless the operator says otherwise. */
    public TenantConfig tenant() {
        String domain = settings.names().domain();
        // Mail to postmaster and abuse goes to an inbox of the server's own unless the operator names one.
        String operatorInbox =
                policy.operatorInbox().orElse("postmaster@" + domain).toLowerCase(Locale.ROOT);
        return new TenantConfig(
                domain,
                hosts(),
                operatorInbox,
                new TenantConfig.Limits(
                        limits.of("inboxes", NO_LIMIT),
                        limits.of("domains", NO_LIMIT),
                        limits.of("pods", NO_LIMIT),
                        limits.of("api_keys", 1_000),
                        storageQuota()),
                new OrganizationHttp.Features(policy.labs(), policy.screening().mode()));
    }

    /** Where the records of customers' domains lead to. The public URL's host serves their pixels by itself. */
    private ServiceHosts hosts() {
        Settings.Names names = settings.names();
        String host = Objects.requireNonNullElse(publicUrl.getHost(), "");
        boolean isName = Host.classify(host) instanceof Host.Name;
        return new ServiceHosts(
                names.mxHost(),
                names.bounceHost(),
                names.spfHost(),
                names.trackingHost().orElse(isName ? host : "link." + names.domain()));
    }

    /**
     * The records of the service's own domain.
     *
     * @param keys those that sign its mail
     */
    public ServiceZone zone(List<SigningKeys.PublishedKey> keys) {
        Settings.Names names = settings.names();
        Set<String> web = new HashSet<>();
        names.publicUrl()
                .map(URI::getHost)
                .filter(host -> Host.classify(host) instanceof Host.Name)
                .ifPresent(web::add);
        names.trackingHost().ifPresent(web::add);
        boolean relayed = settings.delivery().way() == Settings.Delivery.Route.RELAY;
        return new ServiceZone(names.domain(), hosts(), keys, web, relayed);
    }

    /** How much an organization may keep: as much as the disk holds, unless the operator says otherwise. */
    private StorageQuota storageQuota() {
        return new StorageQuota(
                limits.of(StorageQuota.MEGABYTES, NO_LIMIT), limits.of(StorageQuota.MESSAGES, NO_LIMIT));
    }

    MailboxConfig mailbox() {
        return new MailboxConfig(
                settings.dataDirectory().resolve("fetched"), limits.of("downloads_per_target", HostLimiter.USUAL));
    }

    /**
     * An organization may send as much as it wants, unless the operator says otherwise or it is unverified. The API
     * allows thirty mebibytes of files (mail.md §9.1), which have forty-one in base64; so a message that is composed
     * may be an eighth larger than a received one.
     */
    SendingConfig sending() {
        return new SendingConfig(
                new SendQuota(
                        limits.of("sends_per_day", NO_LIMIT),
                        limits.of("sends_per_month", NO_LIMIT),
                        limits.of("sends_per_day_unverified", 10),
                        limits.of("sends_per_day_of_inbox", 1_000)),
                storageQuota(),
                new LoopBreaker(limits.of("sends_per_thread", 30), limits.of("answers_to_machines", 5)),
                policy.maxMessage() + policy.maxMessage() / 8,
                trackingHosts());
    }

    private TrackingHosts trackingHosts() {
        Set<String> others = new HashSet<>();
        Stream.concat(Stream.of(publicUrl), settings.console().contentUrl().stream())
                .map(URI::getHost)
                .filter(Objects::nonNull)
                .forEach(host -> others.add(host.toLowerCase(Locale.ROOT)));
        return new TrackingHosts(settings.names().trackingHost(), others);
    }

    AccountConfig account() {
        SignUpPolicy signUp = switch (policy.signUp()) {
            case OPEN -> new SignUpPolicy.Open();
            case TOKEN ->
                new SignUpPolicy.ByToken(policy.signUpToken().orElseThrow().value());
            case CLOSED -> new SignUpPolicy.Closed();
        };
        return new AccountConfig(settings.names().domain(), signUp, settings.mode() == Settings.Mode.PRODUCTION);
    }

    /** Whether mail from this machine is taken as its author's: in development, unless name servers are set. */
    public static boolean trustsLoopback(Settings settings) {
        return settings.mode() == Settings.Mode.DEV
                && settings.delivery().dnsServers().isEmpty();
    }

    CalendarConfig calendars() {
        Settings.Calendars calendars = policy.calendars();
        return new CalendarConfig(calendars.enabled(), calendars.requireIfMatch());
    }

    AppConfig apps() {
        return new AppConfig(
                settings.appsFile(), settings.network().admin().token().map(Secret::value));
    }

    ConsoleConfig console() {
        return new ConsoleConfig(
                settings.console().access(),
                operatorToken(),
                publicUrl,
                settings.console().contentUrl(),
                settings.names().domain(),
                !settings.payments().hosts().isEmpty());
    }

    /** Made by the first start with an open console, and by a start that finds its file deleted. */
    private Optional<OperatorToken> operatorToken() {
        if (settings.console().access() != ConsoleAccess.OPEN) {
            return Optional.empty();
        }
        SecretFile file = new SecretFile(
                settings.dataDirectory().resolve("console-token"),
                "The token of the console",
                "run this as the user of the service, or set INBOXD_CONSOLE to sign-in or off");
        return Optional.of(new OperatorToken(
                file.read().filter(token -> !token.isEmpty()).orElseGet(() -> {
                    String token = Base62.random(TOKEN_CHARACTERS);
                    file.keep(token);
                    return token;
                }),
                file.path()));
    }

    InboundConfig inbound(NetConfig net) {
        return new InboundConfig(
                net,
                new InboundConfig.Authentication(
                        settings.names().mxHost(),
                        settings.mode() == Settings.Mode.PRODUCTION,
                        trustsLoopback(settings)),
                policy.clamav().map(clamd -> new VirusScanner(clamd.host(), clamd.port())),
                policy.rspamd(),
                new AutoReplyLabel(policy.autoReplyLabel()),
                storageQuota(),
                new ScreenConfig(
                        policy.screening().mode(),
                        policy.screening().judge(),
                        policy.screening().judgeRequired()));
    }
}
