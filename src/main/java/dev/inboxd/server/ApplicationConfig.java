package dev.inboxd.server;

import dev.inboxd.account.signup.SignUpPolicy;
import dev.inboxd.config.HostPort;
import dev.inboxd.config.RelayServer;
import dev.inboxd.config.Settings;
import dev.inboxd.inbound.AutoReplyLabel;
import dev.inboxd.inbound.ContentFilters;
import dev.inboxd.inbound.MessageAuthentication;
import dev.inboxd.inbound.Rspamd;
import dev.inboxd.inbound.SpamClassifier;
import dev.inboxd.inbound.VirusScanner;
import dev.inboxd.mailbox.spam.SpamModels;
import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.Dns;
import dev.inboxd.net.DnsServers;
import dev.inboxd.net.Host;
import dev.inboxd.net.MailDns;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.net.SecureDns;
import dev.inboxd.net.TargetRules;
import dev.inboxd.outbound.DeliveryQueue;
import dev.inboxd.outbound.Routing;
import dev.inboxd.platform.rate.Networks;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.platform.tls.Certificates;
import dev.inboxd.platform.tls.ServerTls;
import dev.inboxd.sending.LoopBreaker;
import dev.inboxd.sending.OutgoingMessage;
import dev.inboxd.sending.SendQuota;
import dev.inboxd.sending.tracking.TrackingPixels;
import dev.inboxd.smtp.client.ClientTls;
import dev.inboxd.smtp.client.SmtpLogin;
import dev.inboxd.smtp.client.TlsRule;
import dev.inboxd.smtp.server.SmtpServer;
import dev.inboxd.smtp.server.UpstreamProxies;
import dev.inboxd.tenant.domain.SenderIdentities;
import dev.inboxd.tenant.domain.ServiceHosts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What the settings choose, as the services want it. */
public final class ApplicationConfig {
    private static final Duration DNS_PATIENCE = Duration.ofSeconds(5);

    private ApplicationConfig() {}

    /** The version that is shown to others. */
    static String version() {
        return Objects.requireNonNullElse(ApplicationConfig.class.getPackage().getImplementationVersion(), "dev");
    }

    /** Asks the name servers that were given, or the system's. */
    public static Dns dns(Settings settings) {
        return new Dns(nameServers(settings), DNS_PATIENCE);
    }

    /** Asks the same in another order: first the one that {@link #dns} asks second. */
    public static Dns secondDns(Settings settings) {
        List<InetSocketAddress> servers = new ArrayList<>(nameServers(settings));
        Collections.rotate(servers, -1);
        return new Dns(servers, DNS_PATIENCE);
    }

    private static List<InetSocketAddress> nameServers(Settings settings) {
        List<HostPort> given = settings.delivery().dnsServers();
        return given.isEmpty()
                ? DnsServers.ofSystem()
                : DnsServers.parse(given.stream().map(HostPort::toString).collect(Collectors.joining(",")));
    }

    /** Where the records of customers' domains lead to. What serves their pixels is the public URL's host by itself. */
    public static ServiceHosts hosts(Settings settings, URI publicUrl) {
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
     * How received mail is checked. In development there may be no DNS at all; mail is taken then, as mail that nobody
     * vouches for. In production it is put off, so that none is taken for a stranger's because of us.
     */
    static MessageAuthentication authentication(Settings settings, InstantSource clock) {
        return new MessageAuthentication(
                new MailDns(nameServers(settings), DNS_PATIENCE),
                settings.names().mxHost(),
                clock,
                settings.mode() == Settings.Mode.PRODUCTION);
    }

    /** What judges received mail. The operator's own scanners may be anywhere, so no rule for users' URLs applies. */
    static ContentFilters filters(Settings settings, SpamModels models, InstantSource clock) {
        VirusScanner scanner = settings.policy()
                .clamav()
                .map(at -> new VirusScanner(at.host(), at.port()))
                .orElse(null);
        Rspamd rspamd = settings.policy()
                .rspamd()
                .map(url ->
                        new Rspamd(new SafeHttp(TargetRules.DEVELOPMENT, dns(settings), "inboxd/" + version()), url))
                .orElse(null);
        return new ContentFilters(new SpamClassifier(models, clock), scanner, rspamd, clock);
    }

    /**
     * How many octets a message of ours may have. Thirty mebibytes of files, which the API allows (mail.md §9.1), have
     * forty-one in base64; so it is an eighth more than a received one may have.
     */
    static long largestComposed(Settings settings) {
        return settings.policy().maxMessage() + settings.policy().maxMessage() / 8;
    }

    /** How webhooks and attachments by URL are reached. */
    static SafeHttp safeHttp(Settings settings) {
        TargetRules usual = settings.mode() == Settings.Mode.DEV ? TargetRules.DEVELOPMENT : TargetRules.PRODUCTION;
        return new SafeHttp(
                new TargetRules(addresses(settings), usual.plainHttp(), usual.anyPort()),
                dns(settings),
                "inboxd/" + version());
    }

    /** Which addresses may be reached on behalf of a user. */
    private static AddressPolicy addresses(Settings settings) {
        return settings.policy().privateTargets() == Settings.PrivateTargets.ALLOW
                ? AddressPolicy.ANY
                : AddressPolicy.PUBLIC;
    }

    /** How mail leaves. */
    static Routing routing(Settings settings, SafeHttp http) {
        Settings.Delivery delivery = settings.delivery();
        return switch (delivery.way()) {
            case SANDBOX -> new Routing.Sandbox(SandboxConsole.of(settings)::show);
            case RELAY -> {
                RelayServer relay = delivery.relay().orElseThrow();
                yield new Routing.Relay(
                        relay.server().host(),
                        relay.server().port(),
                        relay.tlsRequired() ? new TlsRule.Verified(relay.implicitTls()) : new TlsRule.Opportunistic(),
                        relay.login()
                                .map(login -> new SmtpLogin(
                                        login.user(), login.password().value()))
                                .orElse(null));
            }
            case DIRECT ->
                new Routing.Direct(
                        new SecureDns(dns(settings), delivery.dane()),
                        http,
                        delivery.outboundSmtpPort(),
                        addresses(settings));
        };
    }

    /** How mail is handed to other servers, whichever they are. */
    static DeliveryQueue.Config manners(Settings settings) {
        Settings.Limits limits = settings.policy().limits();
        return new DeliveryQueue.Config(
                settings.names().mxHost(),
                new ClientTls(authorities(settings)),
                limits.of("outbound_connections", 20),
                limits.of("outbound_per_minute", Integer.MAX_VALUE));
    }

    private static List<X509Certificate> authorities(Settings settings) {
        return settings.delivery()
                .authorities()
                .map(file -> {
                    try {
                        return Certificates.readAll(file);
                    } catch (IOException | GeneralSecurityException unusable) {
                        throw new IllegalStateException(
                                "INBOXD_OUTBOUND_CA: " + file + " holds no certificates in PEM", unusable);
                    }
                })
                .orElse(List.of());
    }

    /**
     * From which domains opens can be tracked, and where their pixels are served, at the scheme and the port of the
     * public URL: the service's own, when a name was given for it, and customers' as their records say.
     */
    static TrackingPixels.PixelHosts trackingBases(Settings settings, URI publicUrl, SenderIdentities senders) {
        String port = publicUrl.getPort() < 0 ? "" : ":" + publicUrl.getPort();
        return (organization, domain) -> {
            String host = domain.equals(settings.names().domain())
                    ? settings.names().trackingHost().orElse(null)
                    : senders.trackingHost(organization, domain);
            return host == null ? null : URI.create(publicUrl.getScheme() + "://" + host + port);
        };
    }

    /** How much an organization may send: as much as it wants, unless its operator says otherwise or it is unverified. */
    static SendQuota sendQuota(Settings settings) {
        Settings.Limits limits = settings.policy().limits();
        return new SendQuota(
                limits.of("sends_per_day", Integer.MAX_VALUE),
                limits.of("sends_per_month", Integer.MAX_VALUE),
                limits.of("sends_per_day_unverified", 10),
                limits.of("sends_per_day_of_inbox", 1_000));
    }

    /** How much an organization may keep: as much as the disk holds, unless its operator says otherwise. */
    static StorageQuota storageQuota(Settings settings) {
        Settings.Limits limits = settings.policy().limits();
        return new StorageQuota(
                limits.of(StorageQuota.MEGABYTES, Integer.MAX_VALUE),
                limits.of(StorageQuota.MESSAGES, Integer.MAX_VALUE));
    }

    /** When an agent that answers machines is stopped. */
    static LoopBreaker breaker(Settings settings) {
        Settings.Limits limits = settings.policy().limits();
        return new LoopBreaker(limits.of("sends_per_thread", 30), limits.of("answers_to_machines", 5));
    }

    /** What becomes of mail that no person wrote. */
    static AutoReplyLabel machines(Settings settings) {
        return new AutoReplyLabel(settings.policy().autoReplyLabel());
    }

    /** How other servers bring mail. */
    static SmtpServer.Config mx(Settings settings) {
        return smtp(settings, settings.network().smtpPort(), settings.policy().maxMessage(), "spool");
    }

    /** How users bring mail (identity.md §18): 10 MB, 50 recipients, half an hour a session. */
    static SmtpServer.Config submission(Settings settings) {
        return smtp(
                        settings,
                        settings.network().submissionPort(),
                        Math.min(settings.policy().maxMessage(), 10_485_760),
                        "spool-submission")
                .withBounds(OutgoingMessage.MOST_RECIPIENTS, Duration.ofMinutes(30));
    }

    private static SmtpServer.Config smtp(Settings settings, int port, long maxMessage, String spool) {
        Settings.Network network = settings.network();
        return SmtpServer.Config.of(
                        settings.names().mxHost(),
                        new InetSocketAddress(network.bind(), port),
                        maxMessage,
                        settings.dataDirectory().resolve(spool))
                .withMaxReceived(settings.policy().maxReceived())
                .withProxies(new UpstreamProxies(network.smtpProxies(), new Networks(network.trustedProxies())));
    }

    /** Who may sign up. */
    static SignUpPolicy entrance(Settings settings) {
        return switch (settings.policy().signUp()) {
            case OPEN -> new SignUpPolicy.Open();
            case TOKEN ->
                new SignUpPolicy.ByToken(
                        settings.policy().signUpToken().orElseThrow().value());
            case CLOSED -> new SignUpPolicy.Closed();
        };
    }

    /** The certificate of SMTP and HTTPS: the one given, or one of our own making. */
    static ServerTls tls(Settings settings, InstantSource clock) throws IOException {
        Path own = settings.dataDirectory().resolve("tls");
        return settings.tls().certificate().isPresent() && settings.tls().key().isPresent()
                ? ServerTls.fromFiles(
                        settings.tls().certificate().get(), settings.tls().key().get(), clock)
                : ServerTls.selfSigned(own, settings.names().mxHost(), clock);
    }
}
