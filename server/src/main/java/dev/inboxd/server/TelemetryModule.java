package dev.inboxd.server;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.log.ProcessMeters;
import dev.inboxd.base.log.Traces;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.telemetry.OtlpConfig;
import dev.inboxd.base.telemetry.OtlpExport;
import dev.inboxd.base.tls.PendingTls;
import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.config.TelemetrySettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is measured of the process, its disk and its certificate. */
final class TelemetryModule implements ServiceModule {
    private static final double SECONDS = 1e3;

    private final Config config;
    private final Metrics metrics;
    private final UUID instance;
    private @Nullable OtlpExport export;

    /**
     * What is measured.
     *
     * @param version of this program
     * @param folder the data folder
     * @param tls the certificate of SMTP and HTTPS
     * @param otlp where traces and metrics are sent; empty for nowhere
     */
    record Config(String version, Path folder, PendingTls tls, TelemetrySettings otlp) {}

    TelemetryModule(Config config, PlatformModule platform) {
        this.config = config;
        this.metrics = platform.metrics();
        this.instance = platform.nodes().self();
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
        config.otlp.endpoint().ifPresent(url -> lifecycle.add(Phase.SHARED, () -> send(url), this::stop));
        lifecycle.onStart(Phase.TRAFFIC, () -> watch(config.tls.await()));
    }

    /** The classes that send are loaded here, and nowhere before. */
    private void send(URI url) {
        Map<String, String> headers = new HashMap<>();
        config.otlp.headers().forEach((name, value) -> headers.put(name, value.value()));
        OtlpConfig otlp = new OtlpConfig(
                url, headers, config.otlp.share(), config.otlp.interval(), config.version, instance.toString());
        export = new OtlpExport(otlp, metrics);
        metrics.trace(export);
    }

    private void stop() {
        metrics.trace(Traces.OFF);
        Objects.requireNonNull(export).close();
    }

    private void watch(ServerTls tls) {
        metrics.level(
                "inboxd.certificate.expiry.timestamp.seconds",
                "When the certificate of SMTP and HTTPS ends, in seconds since 1970",
                () -> tls.certificate().getNotAfter().toInstant().toEpochMilli() / SECONDS);
    }
}
