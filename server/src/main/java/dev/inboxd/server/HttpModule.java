package dev.inboxd.server;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.fault.CallFaults;
import dev.inboxd.base.http.HttpServer;
import dev.inboxd.base.http.HttpSettings;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.OperatorHttp;
import dev.inboxd.base.http.PageRule;
import dev.inboxd.base.http.RequestGuards;
import dev.inboxd.base.http.RequestObserver;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.page.PageSeal;
import dev.inboxd.base.tls.PendingTls;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The HTTP listeners: the public port, and the operator's own. */
final class HttpModule implements ServiceModule {
    private final Config config;
    private final PlatformModule platform;
    private final RouteTable routes;
    private final Callers callers;
    private final RouteTable adminRoutes = new RouteTable();
    private @Nullable HttpServer http;
    private @Nullable HttpServer admin;

    /**
     * What the settings say of HTTP.
     *
     * @param address the public port
     * @param adminBind the address of the operator's port, in clear text only when it is loopback
     * @param adminPort none when it is off
     * @param clients who calls, and from where
     * @param adminPages what web pages may not do at the operator's port
     * @param idle how long a connection without a request is kept
     * @param tls the certificate of HTTPS; null to serve HTTP
     */
    record Config(
            HttpSettings.ListenAddress address,
            InetAddress adminBind,
            OptionalInt adminPort,
            HttpSettings.Clients clients,
            PageRule adminPages,
            Duration idle,
            @Nullable PendingTls tls) {}

    /**
     * Who calls.
     *
     * @param observer is told of requests
     * @param faults what befalls calls in development
     */
    record Callers(CredentialAuthenticator authenticator, RequestObserver observer, CallFaults faults) {}

    /**
     * Listeners that call these routes.
     *
     * @param routes filled before the start
     */
    HttpModule(Config config, PlatformModule platform, Callers callers, RouteTable routes) {
        this.config = config;
        this.platform = platform;
        this.callers = callers;
        this.routes = routes;
    }

    /** The routes of the operator's port, which no other port has; filled before the start. */
    RouteTable adminRoutes() {
        return adminRoutes;
    }

    /** The public port. */
    int port() {
        return Objects.requireNonNull(http).port();
    }

    /** The operator's port goes on to answer while the others drain. */
    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStart(Phase.TRAFFIC, this::start);
        lifecycle.onStop(Phase.TRAFFIC, () -> close(http));
        lifecycle.onStop(Phase.JOBS, () -> close(admin));
    }

    private void start() throws IOException {
        PendingTls pending = config.tls;
        ServerTls tls = pending == null ? null : pending.await();
        http = listen(settings(config.address, config.clients, tls), routes);
        if (config.adminPort.isPresent()) {
            OperatorHttp operator = platform.operator();
            operator.mountHealth(adminRoutes.at(Level.ROOT));
            operator.mountMetrics(adminRoutes.at(Level.ROOT));
            admin = listen(
                    settings(
                            HttpSettings.ListenAddress.at(config.adminBind, config.adminPort.getAsInt()),
                            config.clients.with(config.adminPages),
                            config.adminBind.isLoopbackAddress() ? null : tls),
                    adminRoutes);
        }
    }

    private HttpSettings settings(
            HttpSettings.ListenAddress address, HttpSettings.Clients clients, @Nullable ServerTls tls) {
        String docsUrl = platform.config().publicUrl() + "/docs";
        return new HttpSettings(address, docsUrl, Lifecycle.DRAIN, config.idle, clients, tls);
    }

    private HttpServer listen(HttpSettings settings, RouteTable table) throws IOException {
        RequestGuards guards = new RequestGuards(
                callers.authenticator,
                new InboxScopeResolver(platform.database()),
                seal(platform),
                platform.requestLimits(),
                callers.observer,
                callers.faults);
        return HttpServer.start(settings, table, guards, platform.metrics());
    }

    /** Seals page tokens, alike for all who read lists. */
    static PageSeal seal(PlatformModule platform) {
        return new PageSeal(platform.vault().deriveAll("page tokens"), platform.clock());
    }

    private static void close(@Nullable HttpServer server) {
        if (server != null) {
            server.close();
        }
    }
}
