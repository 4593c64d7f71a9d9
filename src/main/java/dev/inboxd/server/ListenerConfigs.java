package dev.inboxd.server;

import dev.inboxd.config.Settings;
import dev.inboxd.platform.http.HttpSettings;
import dev.inboxd.platform.rate.Networks;
import dev.inboxd.platform.tls.PendingTls;
import dev.inboxd.platform.tls.ServerTls;
import dev.inboxd.sending.OutgoingMessage;
import dev.inboxd.smtp.SmtpConfig;
import dev.inboxd.smtp.server.SmtpServer;
import dev.inboxd.smtp.server.UpstreamProxies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** The settings of the ports. */
final class ListenerConfigs {
    private static final long LARGEST_SUBMISSION = 10_485_760;

    private final Settings settings;
    private final PendingTls tls;
    private final HttpSettings.ListenAddress address;

    /** Takes the port of HTTP and begins to read the certificate. */
    ListenerConfigs(Settings settings, InstantSource clock) throws IOException {
        this.settings = settings;
        this.tls = PendingTls.begin(() -> tls(settings, clock));
        this.address = HttpSettings.ListenAddress.at(
                settings.network().httpBind(), settings.network().httpPort());
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
                network.adminPort(),
                new HttpSettings.Clients(network.trustedProxies(), network.corsOrigins()),
                settings.tls().http() ? tls : null);
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
