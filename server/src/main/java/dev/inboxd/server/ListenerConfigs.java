package dev.inboxd.server;

import dev.inboxd.base.http.HttpSettings;
import dev.inboxd.base.http.PageRule;
import dev.inboxd.base.http.proxy.HostRule;
import dev.inboxd.base.rate.Networks;
import dev.inboxd.base.tls.PendingTls;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.config.Settings;
import dev.inboxd.net.OwnPorts;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.smtp.SmtpConfig;
import dev.inboxd.smtp.server.SmtpServer;
import dev.inboxd.smtp.server.UpstreamProxies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** The settings of the ports. */
final class ListenerConfigs {
    private static final long LARGEST_SUBMISSION = 10_485_760;

    private final Settings settings;
    private final PendingTls tls;
    private final HttpSettings.ListenAddress address;
    private final OwnPorts own = new OwnPorts();

    /** Takes the port of HTTP and begins to read the certificate. */
    ListenerConfigs(Settings settings, InstantSource clock) throws IOException {
        this.settings = settings;
        this.tls = PendingTls.begin(() -> tls(settings, clock));
        this.address = HttpSettings.ListenAddress.at(
                settings.network().httpBind(), settings.network().httpPort());
        own.add(address.port());
        own.add(settings.network().smtpPort());
        own.add(settings.network().submissionPort());
        settings.network().admin().port().ifPresent(own::add);
    }

    /** The ports as far as they are known; those that are any free port are added when they are open. */
    OwnPorts own() {
        return own;
    }

    TelemetryModule.Config telemetry() {
        return new TelemetryModule.Config(ModuleConfigs.version(), settings.dataDirectory(), tls, settings.telemetry());
    }

    /** Where the service is reached from outside. */
    URI publicUrl() {
        String scheme = settings.tls().http() ? "https" : "http";
        return settings.names().publicUrl().orElseGet(() -> URI.create(scheme + "://127.0.0.1:" + address.port()));
    }

    HttpModule.Config http() {
        Settings.Network network = settings.network();
        return new HttpModule.Config(
                address,
                network.admin().bind(),
                network.admin().port(),
                new HttpSettings.Clients(network.trustedProxies(), network.corsOrigins(), pages()),
                adminPages(),
                network.httpIdle(),
                settings.tls().http() ? tls : null);
    }

    /** In development the browser beside the server is the developer's, with pages of anybody. */
    private PageRule pages() {
        if (settings.mode() != Settings.Mode.DEV) {
            return PageRule.NONE;
        }
        List<String> names = new ArrayList<>(List.of(publicHost()));
        settings.names().trackingHost().ifPresent(names::add);
        settings.payments().hosts().forEach(names::add);
        return new PageRule(
                HostRule.development(names),
                ownOrigins(),
                "Call it as localhost, 127.0.0.1 or [::1]. A server in development that has another name is told so by"
                        + " INBOXD_PUBLIC_URL.");
    }

    private PageRule adminPages() {
        List<String> names = new ArrayList<>(settings.network().admin().hosts());
        names.add(publicHost());
        return new PageRule(
                HostRule.operator(names),
                ownOrigins(),
                "Call the operator's port as localhost or by an address, or name the host in INBOXD_ADMIN_HOSTS.");
    }

    private String publicHost() {
        return Objects.requireNonNullElse(publicUrl().getHost(), "localhost");
    }

    /** Origins of the pages that the operator knows (RFC 6454 §6.1). */
    private Set<String> ownOrigins() {
        Set<String> origins = new HashSet<>(settings.network().corsOrigins());
        URI url = publicUrl();
        origins.add(url.getScheme() + "://" + url.getRawAuthority());
        return origins;
    }

    /** Programs submit at most 10 MB to 50 recipients, in half an hour a session (identity.md §18). */
    SmtpConfig smtp() {
        Settings.Network network = settings.network();
        long largest = settings.policy().maxMessage();
        return new SmtpConfig(
                smtp(network.smtpPort(), largest, "spool"),
                smtp(network.submissionPort(), Math.min(largest, LARGEST_SUBMISSION), "spool-submission")
                        .withBounds(OutgoingMessage.MOST_RECIPIENTS, Duration.ofMinutes(30)),
                tls);
    }

    private SmtpServer.Config smtp(int port, long largest, String spool) {
        Settings.Network network = settings.network();
        return SmtpServer.Config.of(
                        settings.names().mxHost(),
                        new InetSocketAddress(network.bind(), port),
                        largest,
                        settings.dataDirectory().resolve(spool))
                .withMaxReceived(settings.policy().maxReceived())
                .withProxies(new UpstreamProxies(network.smtpProxies(), new Networks(network.trustedProxies())));
    }

    /** The certificate of SMTP and HTTPS: the one given, or one of our own making. */
    private static ServerTls tls(Settings settings, InstantSource clock) throws IOException {
        Path own = settings.dataDirectory().resolve("tls");
        return settings.tls().certificate().isPresent() && settings.tls().key().isPresent()
                ? ServerTls.fromFiles(
                        settings.tls().certificate().get(), settings.tls().key().get(), clock)
                : ServerTls.selfSigned(own, certified(settings), clock);
    }

    /** In development the certificate is also for the names by which a client on this machine reaches the server. */
    private static List<String> certified(Settings settings) {
        String mx = settings.names().mxHost();
        return settings.mode() == Settings.Mode.DEV
                ? Stream.of(mx, settings.names().domain(), "localhost", "127.0.0.1", "::1")
                        .distinct()
                        .toList()
                : List.of(mx);
    }
}
