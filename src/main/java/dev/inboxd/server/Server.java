package dev.inboxd.server;

import dev.inboxd.config.Settings;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.http.HttpServer;
import dev.inboxd.platform.http.HttpSettings;
import dev.inboxd.platform.http.Level;
import dev.inboxd.platform.http.OperatorHttp;
import dev.inboxd.platform.http.RequestGuards;
import dev.inboxd.platform.http.Route;
import dev.inboxd.platform.http.RouteTable;
import dev.inboxd.platform.job.PeriodicTask;
import dev.inboxd.platform.page.PageSeal;
import dev.inboxd.platform.tls.ServerTls;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.smtp.server.ListenerRole;
import dev.inboxd.smtp.server.SmtpServer;
import dev.inboxd.smtp.server.SpoolMemory;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A running service: its listeners and its background work, started in order and stopped in the other. */
public final class Server implements AutoCloseable {
    static final Duration DRAIN = Duration.ofSeconds(30);

    private final Application services;
    private final RouteTable routes;
    private final HttpServer http;
    private final @Nullable HttpServer admin;
    private final SmtpServer smtp;
    private final SmtpServer submission;
    private final PeriodicTask forgetting;
    private final PeriodicTask dismissing;
    private final PeriodicTask sweeping;
    private final PeriodicTask pacing;

    /**
     * What the services stand on.
     *
     * @param database migrated and open
     * @param blobs large messages
     * @param vault the master keys
     * @param clock the time; tests move it
     */
    public record Storage(Database database, Blobs blobs, Vault vault, InstantSource clock) {}

    /** Starts everything on the given storage, which the server closes in the end. */
    public Server(Settings settings, Storage storage) throws IOException {
        // Reading a pair of keys takes a good part of a start, and nothing waits for it until the listeners begin.
        FutureTask<ServerTls> reading = new FutureTask<>(() -> ApplicationConfig.tls(settings, storage.clock()));
        Thread.ofPlatform().name("tls").daemon().start(reading);
        // Links carry the port, so it is ours before the first link is made.
        HttpSettings.ListenAddress place = HttpSettings.ListenAddress.at(
                settings.network().httpBind(), settings.network().httpPort());
        this.services = new Application(
                settings,
                storage,
                settings.names()
                        .publicUrl()
                        .orElseGet(() -> URI.create(
                                (settings.tls().http() ? "https" : "http") + "://127.0.0.1:" + place.port())));
        if (settings.storage().database().isEmpty()) {
            services.deliveries.reclaim(); // embedded: no other node can hold a lease
            services.outgoing.reclaim();
            services.sendMemory.reclaim();
            services.drafting.scheduler().reclaim();
        }
        services.nodes.start();
        services.jobs.start();
        services.documents.start();
        services.checks.start();
        services.outgoing.start();
        services.deliveries.start();
        services.drafting.scheduler().start();
        services.indexing.start();
        services.learning.start();
        services.metering.start();
        services.streams.start();
        services.keyUse.start();
        services.signals.start();
        services.opens.start();
        this.forgetting =
                new PeriodicTask("answered sends", Duration.ofMillis(200), services.sendMemory::cleanUp).start();
        Retention retention = new Retention(
                services.database,
                services.blobs,
                services.clock,
                settings.storage().retention());
        this.sweeping = new PeriodicTask("retention", Duration.ofHours(1), retention::sweep).start();
        this.pacing = new PeriodicTask("rates", Duration.ofMinutes(1), services.pacing::forget).start();
        this.routes = ApplicationRoutes.of(services);
        ServerTls tls = read(reading);
        SpoolMemory memory = SpoolMemory.ofHeap();
        this.smtp =
                new SmtpServer(ApplicationConfig.mx(settings).sharing(memory), services.ingest, tls, services.clock);
        this.submission = new SmtpServer(
                ApplicationConfig.submission(settings).sharing(memory),
                new ListenerRole.Submission(services.logins),
                tls,
                services.clock);
        smtp.start();
        submission.start();
        this.dismissing =
                new PeriodicTask("keys of submission", Duration.ofSeconds(1), submission::dismissEnded).start();
        // The last to listen: whom /healthz answers 200, all of it is there for.
        this.http = listen(place, routes, settings.tls().http() ? tls : null);
        this.admin = settings.network().adminPort().isPresent()
                ? admin(settings.network().adminPort().getAsInt())
                : null;
    }

    private static ServerTls read(FutureTask<ServerTls> reading) throws IOException {
        try {
            return reading.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException unreadable) {
                throw unreadable;
            }
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        }
    }

    private HttpServer listen(HttpSettings.ListenAddress place, RouteTable table, @Nullable ServerTls certificate)
            throws IOException {
        RequestGuards admission = new RequestGuards(
                services.authentication,
                new InboxScopeResolver(services.database),
                new PageSeal(services.vault.derive("page tokens"), services.clock),
                services.pacing);
        return HttpServer.start(
                new HttpSettings(
                        place,
                        services.publicUrl + "/docs",
                        DRAIN,
                        new HttpSettings.Clients(
                                services.settings.network().trustedProxies(),
                                services.settings.network().corsOrigins()),
                        certificate),
                table,
                admission,
                services.metrics);
    }

    /** The operator's own port, on loopback. */
    private HttpServer admin(int port) throws IOException {
        RouteTable table = new RouteTable();
        OperatorHttp operator = ApplicationRoutes.operator(services);
        operator.mountHealth(table.at(Level.ROOT));
        operator.mountMetrics(table.at(Level.ROOT));
        return listen(HttpSettings.ListenAddress.at(InetAddress.getLoopbackAddress(), port), table, null);
    }

    /** The first API key, when this start made one. */
    @Nullable
    public String firstKey() {
        return services.firstKey;
    }

    /** The port of HTTP. */
    int httpPort() {
        return http.port();
    }

    /** The port of mail from other servers. */
    public int smtpPort() {
        return smtp.port();
    }

    /** The port of mail that users submit. */
    public int submissionPort() {
        return submission.port();
    }

    /** Where the service is reached from outside. */
    public URI publicUrl() {
        return services.publicUrl;
    }

    /** Every route, for the tests that go through all of them. */
    List<Route> routes() {
        return routes.routes();
    }

    /** Takes no new work, finishes what was begun within {@link #DRAIN}, and lets go of everything (promise P16). */
    @Override
    public void close() {
        services.streams.close(); // whoever waits for events would be waited for
        // Side by side, since each may take its whole time.
        together(
                () -> drain(smtp),
                () -> drain(submission),
                http::close,
                services.drafting.scheduler()::close,
                services.outgoing::close);
        if (admin != null) {
            admin.close();
        }
        forgetting.close();
        dismissing.close();
        sweeping.close();
        pacing.close();
        services.jobs.close();
        services.checks.close();
        services.documents.close();
        services.deliveries.close();
        services.nodes.close();
        services.indexing.close();
        services.learning.close();
        services.filters.close();
        services.metering.close();
        services.safeHttp.close();
        services.opens.close();
        services.keyUse.close();
        services.signals.close();
        services.database.close();
        services.blobs.close();
    }

    /** Learns at once what was marked as spam; else that takes some seconds. For tests. */
    void learn() {
        services.learning.trainNow();
    }

    private static void drain(SmtpServer server) {
        try {
            server.drain(DRAIN);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }

    private static void together(Runnable... work) {
        List<Thread> threads = Stream.of(work).map(Thread::startVirtualThread).toList();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
