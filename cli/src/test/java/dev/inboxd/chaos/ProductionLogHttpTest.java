package dev.inboxd.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a first start in production writes: JSON from the first line to the last, and no key. */
class ProductionLogHttpTest {
    private static final String KEY = "production-master-key-0123456789-abcdef";

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void everyLineIsJsonAndNoneHasAKey() throws Exception {
        Path log = folder.resolve("log");
        Path secret = Files.writeString(folder.resolve("secret"), KEY + "\n");
        List<String> command = new ArrayList<>(NodeCluster.program());
        command.add(1, "-Xlog:class+load:file=" + folder.resolve("classes"));
        command.add(2, "-XX:AOTMode=off"); // the cache holds what a start in development loads, and Java loads it whole
        command.add("serve");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment()
                .putAll(Map.of(
                        "INBOXD_MODE", "production",
                        "INBOXD_BIND", "127.0.0.1",
                        "INBOXD_DATA_DIR", folder.resolve("data").toString(),
                        "INBOXD_DATABASE_URL", TestPostgres.setting(TestPostgres.database()),
                        "INBOXD_SECRET_KEY_FILE", secret.toString(),
                        "INBOXD_DOMAIN", "agents.example.com",
                        "INBOXD_PUBLIC_URL", "https://api.example.com"));
        builder.environment()
                .putAll(Map.of(
                        "INBOXD_HTTP_PORT", "0",
                        "INBOXD_SMTP_PORT", "0",
                        "INBOXD_SUBMISSION_PORT", "0",
                        "INBOXD_ADMIN_PORT", "off"));
        Process process = builder.start();
        try {
            Eventually.await(LIMIT, () -> read(log).contains("\"ready\"") || !process.isAlive());
            assertThat(process.isAlive()).as("%s", read(log)).isTrue();
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(read(folder.resolve("classes")).lines().filter(line -> line.contains("telemetry")))
                .as("without a collector nothing of OpenTelemetry is loaded (decision 0069)")
                .isEmpty();
        assertThat(read(folder.resolve("classes")).lines().filter(line -> line.contains("dev.inboxd.sandbox")))
                .as("in production nothing of the world to test in is there (sandbox.md §1)")
                .isEmpty();
        assertThat(read(folder.resolve("classes"))).contains("dev.inboxd.server.TelemetryModule ");
        List<String> events = new ArrayList<>();
        for (String line : read(log).lines().toList()) {
            assertThat(line).startsWith("{");
            events.add(String.valueOf(((Map<?, ?>) Objects.requireNonNull(Json.stored(line))).get("event")));
        }
        assertThat(events)
                .startsWith("start")
                .contains("first_start", "ready", "stop")
                .endsWith("stopped");
        assertThat(read(log)).doesNotContain(KEY, "am_", "first_key").contains("inboxd key create --organization ");
        assertThat(folder.resolve("data/secret.key")).doesNotExist();
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
