package dev.inboxd.server;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.log.AddressHash;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.base.log.LogSetup;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.time.MovableClock;
import dev.inboxd.config.Settings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A running service: its listeners and its background work. */
public final class Server implements AutoCloseable {
    private final Application application;
    private final Lifecycle lifecycle;
    private final @Nullable String firstKey;
    private final Duration drain;
    private final CompletableFuture<String> end = new CompletableFuture<>();

    /** Starts everything on the given storage, which the server closes in the end. */
    public Server(Settings settings, PlatformModule.Storage storage) throws IOException {
        this.drain = settings.drain();
        LogSetup.showAddresses(
                settings.logAddresses() == Settings.LogAddresses.HASHED
                        ? new AddressHash(storage.vault().derive("log addresses"))
                        : UnaryOperator.identity());
        // Links carry the port of HTTP, so it is ours before the first link is made.
        ListenerConfigs listeners = new ListenerConfigs(settings, MovableClock.real(storage.clock()));
        this.application = new Application(settings, storage, listeners);
        this.firstKey =
                new Bootstrap(settings, storage.database(), application.tenant().signingKeys(), storage.clock()).run();
        this.lifecycle = application.lifecycle();
        application.platform().nodes().onMarks(marks -> {
            if (marks.movedTo() != null) {
                end.complete(Installation.moved(marks.movedTo()));
            }
        });
        lifecycle.start();
        listeners.own().add(smtpPort());
        listeners.own().add(submissionPort());
    }

    /** Completed when the service must not run here any more, with a sentence that says why. */
    public CompletableFuture<String> end() {
        return end;
    }

    /** Whether nothing leaves from this installation now, as after a restore. */
    public boolean isHeld() {
        return application.platform().nodes().marks().isHeld();
    }

    /** The first API key, when this start made one. */
    @Nullable
    public String firstKey() {
        return firstKey;
    }

    /** The port of HTTP. */
    int httpPort() {
        return application.http().port();
    }

    /** The port of mail from other servers. */
    public int smtpPort() {
        return application.smtp().mxPort();
    }

    /** The port of mail that users submit. */
    public int submissionPort() {
        return application.smtp().submissionPort();
    }

    /** Where the service is reached from outside. */
    public URI publicUrl() {
        return application.platform().config().publicUrl();
    }

    /** Where a person opens the console in a browser: a secret where it is open, as it holds the token. */
    public Optional<URI> consoleAddress() {
        return application.console().address();
    }

    /** Every route, for the tests that go through all of them. */
    List<Route> routes() {
        return application.routes().routes();
    }

    /** Every route of the operator's port, for the same tests. */
    List<Route> operatorRoutes() {
        return application.http().adminRoutes().routes();
    }

    /**
     * Says at {@code /healthz} that no more should be sent here, and serves what comes for the time of INBOXD_DRAIN:
     * load balancers need some seconds to notice. Called before {@link #close}.
     */
    public void drain() {
        if (drain.isZero()) {
            return;
        }
        application.platform().drain().begin();
        LogLine.of("drain").with("seconds", drain.toSeconds()).write();
        try {
            Thread.sleep(drain);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes no new work, finishes in {@link Lifecycle#DRAIN} what was begun, and closes everything (promise P16). */
    @Override
    public void close() {
        lifecycle.close();
    }

    /** Learns at once what was marked as spam; else that takes some seconds. For tests. */
    void learn(List<UUID> organizations) {
        application.inbound().trainer().trainNow(organizations);
    }
}
