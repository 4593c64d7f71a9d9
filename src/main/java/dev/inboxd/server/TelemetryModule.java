package dev.inboxd.server;

import dev.inboxd.platform.PlatformModule;
import dev.inboxd.platform.log.Metrics;
import dev.inboxd.platform.log.ProcessMeters;
import dev.inboxd.platform.module.Lifecycle;
import dev.inboxd.platform.module.ServiceModule;
import dev.inboxd.platform.tls.PendingTls;
import dev.inboxd.platform.tls.ServerTls;
import java.nio.file.Path;

/** What is measured of the process, its disk and its certificate. */
final class TelemetryModule implements ServiceModule {
    private static final double SECONDS = 1e3;

    private final Config config;
    private final Metrics metrics;

    /**
     * What is measured.
     *
     * @param version of this program
     * @param folder the data folder
     * @param tls the certificate of SMTP and HTTPS
     */
    record Config(String version, Path folder, PendingTls tls) {}

    TelemetryModule(Config config, PlatformModule platform) {
        this.config = config;
        this.metrics = platform.metrics();
    }

    @Override
    public void register(Lifecycle lifecycle) {
        metrics.level(
                "inboxd.build.info",
                "The version of this program and of Java",
                () -> 1,
                "version",
                config.version,
                "java",
                Runtime.version().toString());
        ProcessMeters process = new ProcessMeters(metrics);
        process.watch();
        process.watchDisk(config.folder);
        lifecycle.onStart(Lifecycle.Phase.TRAFFIC, () -> watch(config.tls.await()));
    }

    private void watch(ServerTls tls) {
        metrics.level(
                "inboxd.certificate.expiry.timestamp.seconds",
                "When the certificate of SMTP and HTTPS ends, in seconds since 1970",
                () -> tls.certificate().getNotAfter().getTime() / SECONDS);
    }
}
