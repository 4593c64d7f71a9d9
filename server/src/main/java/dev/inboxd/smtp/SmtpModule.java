package dev.inboxd.smtp;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.smtp.server.ListenerRole;
import dev.inboxd.smtp.server.SmtpServer;
import dev.inboxd.smtp.server.SpoolMemory;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The two SMTP listeners. They are made at the start, since their certificate is read until then. */
public final class SmtpModule implements ServiceModule {
    private final SmtpConfig config;
    private final InstantSource clock;
    private final Metrics metrics;
    private final ListenerRole.Mx mxRole;
    private final ListenerRole.Submission submissionRole;
    private final PeriodicTask dismissal =
            new PeriodicTask("keys of submission", Duration.ofSeconds(1), this::dismissEnded);
    private @Nullable SmtpServer mx;
    private @Nullable SmtpServer submission;

    /** Listeners for mail from other servers, and for mail that programs submit. */
    public SmtpModule(
            SmtpConfig config, PlatformModule platform, ListenerRole.Mx mx, ListenerRole.Submission submission) {
        this.config = config;
        this.clock = platform.clock();
        this.metrics = platform.metrics();
        this.mxRole = mx;
        this.submissionRole = submission;
    }

    /** The port of mail from other servers. */
    public int mxPort() {
        return Objects.requireNonNull(mx).port();
    }

    /** The port of mail that programs submit. */
    public int submissionPort() {
        return Objects.requireNonNull(submission).port();
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStart(Phase.TRAFFIC, this::start);
        lifecycle.onStop(Phase.JOBS, dismissal::close);
        lifecycle.onStop(Phase.TRAFFIC, () -> drain(mx));
        lifecycle.onStop(Phase.TRAFFIC, () -> drain(submission));
    }

    private void start() throws IOException {
        ServerTls tls = config.tls().await();
        SpoolMemory memory = SpoolMemory.ofHeap();
        mx = new SmtpServer(config.mx().sharing(memory), mxRole, tls, clock);
        submission = new SmtpServer(config.submission().sharing(memory), submissionRole, tls, clock);
        mx.start(metrics);
        submission.start(metrics);
        dismissal.start();
    }

    private void dismissEnded() {
        Objects.requireNonNull(submission).dismissEnded();
    }

    private static void drain(@Nullable SmtpServer server) {
        if (server == null) {
            return;
        }
        try {
            server.drain(Lifecycle.DRAIN);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }
}
