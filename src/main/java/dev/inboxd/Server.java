package dev.inboxd;

import dev.inboxd.apikey.Authentication;
import dev.inboxd.apikey.KeyUse;
import dev.inboxd.blob.Blobs;
import dev.inboxd.database.Database;
import dev.inboxd.domain.SigningKeys;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.Feed;
import dev.inboxd.event.FeedHttp;
import dev.inboxd.http.Admission;
import dev.inboxd.http.HttpServer;
import dev.inboxd.http.HttpSettings;
import dev.inboxd.http.Level;
import dev.inboxd.http.OperatorHttp;
import dev.inboxd.http.RouteTable;
import dev.inboxd.inbox.Addresses;
import dev.inboxd.inbox.InboxHttp;
import dev.inboxd.inbox.InboxPaths;
import dev.inboxd.inbox.Inboxes;
import dev.inboxd.job.Jobs;
import dev.inboxd.link.Links;
import dev.inboxd.log.Metrics;
import dev.inboxd.message.Contents;
import dev.inboxd.message.ConversationHttp;
import dev.inboxd.message.Conversations;
import dev.inboxd.message.DownloadHttp;
import dev.inboxd.message.MessageHttp;
import dev.inboxd.message.Messages;
import dev.inboxd.page.PageSeal;
import dev.inboxd.receive.Ingest;
import dev.inboxd.receive.ServerTls;
import dev.inboxd.receive.SmtpServer;
import dev.inboxd.vault.Vault;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running service: every part made once and joined here, started in order, stopped in the other. */
final class Server implements AutoCloseable {
    static final Duration DRAIN = Duration.ofSeconds(30);

    private final Settings settings;
    private final Storage storage;
    private final URI publicUrl;
    private final @Nullable String firstKey;
    private final Jobs jobs;
    private final SmtpServer smtp;
    private final HttpServer http;

    /**
     * What the parts stand on.
     *
     * @param database migrated and open
     * @param blobs large messages
     * @param vault the master keys
     * @param clock the time; tests move it
     */
    record Storage(Database database, Blobs blobs, Vault vault, InstantSource clock) {}

    /** Builds and starts everything on the given storage, which the server closes in the end. */
    Server(Settings settings, Storage storage) throws IOException {
        this.settings = settings;
        this.storage = storage;
        Database database = storage.database();
        Vault vault = storage.vault();
        InstantSource clock = storage.clock();
        int httpPort = portOf(settings);
        this.publicUrl = settings.names().publicUrl().orElseGet(() -> URI.create("http://127.0.0.1:" + httpPort));
        String domain = settings.names().domain();
        SigningKeys signingKeys = new SigningKeys(database, vault);
        Bootstrap bootstrap = new Bootstrap(settings, database, signingKeys, clock);
        this.firstKey = bootstrap.run();

        Links links = new Links(publicUrl, vault.derive("links"), clock);
        EventLog events = new EventLog(_ -> {});
        Addresses addresses = new Addresses(database, domain, bootstrap.operatorInbox());
        Ingest ingest = new Ingest(database, addresses, storage.blobs(), events, links);

        KeyUse keyUse = new KeyUse(database);
        Admission admission = new Admission(new Authentication(database, clock, keyUse), new InboxPaths(database),
                new PageSeal(vault.derive("page tokens"), clock));
        RouteTable routes = new RouteTable();
        this.jobs = new Jobs(database);
        Inboxes inboxes = new Inboxes(database, jobs, domain, List.of());
        new InboxHttp(inboxes).mount(routes.at(Level.ORGANIZATION), routes.at(Level.INBOX));
        Messages messages = new Messages(database, events);
        Contents contents = new Contents(storage.blobs());
        new MessageHttp(messages, contents, links).mount(routes.at(Level.INBOX));
        ConversationHttp threads = new ConversationHttp(new Conversations(database), messages, contents, links);
        threads.mount(routes.at(Level.ORGANIZATION));
        threads.mount(routes.at(Level.INBOX));
        new DownloadHttp(database, messages, contents, links).mount(routes.at(Level.ROOT));
        new FeedHttp(new Feed(database)).mount(routes.at(Level.INBOX));
        Metrics metrics = new Metrics();
        OperatorHttp operator = new OperatorHttp(() -> database.isReachable() ? null : "the database is away", metrics);
        operator.mountHealth(routes.at(Level.ROOT));
        operator.mountMetrics(routes.at(Level.ROOT));

        this.http = HttpServer.start(new HttpSettings(settings.network().bind().getHostAddress(),
                httpPort, publicUrl + "/docs", DRAIN), routes, admission, metrics);
        this.smtp = new SmtpServer(SmtpServer.Config.of(settings.names().mxHost(),
                new InetSocketAddress(settings.network().bind(), settings.network().smtpPort()),
                settings.policy().maxMessage(), settings.dataDirectory().resolve("spool")), ingest, tls(clock), clock);
        jobs.start();
        smtp.start();
    }

    /** The first API key, when this start made one. */
    @Nullable String firstKey() {
        return firstKey;
    }

    /** The port of HTTP. */
    int httpPort() {
        return http.port();
    }

    /** The port of mail from other servers. */
    int smtpPort() {
        return smtp.port();
    }

    /** Where the service is reached from outside. */
    URI publicUrl() {
        return publicUrl;
    }

    /** Links carry the port, so a free one is found before the first link is made. */
    private static int portOf(Settings settings) throws IOException {
        if (settings.network().httpPort() != 0) {
            return settings.network().httpPort();
        }
        try (ServerSocket free = new ServerSocket(0, 1, settings.network().bind())) {
            return free.getLocalPort();
        }
    }

    private ServerTls tls(InstantSource clock) throws IOException {
        Path own = settings.dataDirectory().resolve("tls");
        return settings.tls().certificate().isPresent() && settings.tls().key().isPresent()
                ? ServerTls.fromFiles(settings.tls().certificate().get(), settings.tls().key().get(), clock)
                : ServerTls.selfSigned(own, settings.names().mxHost(), clock);
    }

    /** Takes no new work, finishes what was begun within {@link #DRAIN}, and lets go of everything (promise P16). */
    @Override
    public void close() {
        try {
            smtp.drain(DRAIN);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        smtp.close();
        http.close();
        jobs.close();
        storage.database().close();
        storage.blobs().close();
    }
}
