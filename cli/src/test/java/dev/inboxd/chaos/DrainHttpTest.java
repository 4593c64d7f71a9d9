package dev.inboxd.chaos;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.chaos.Service.Place;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is told to stop, with a load balancer in front that has yet to notice. */
class DrainHttpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private @Nullable Service service;

    private Service start(String drain) {
        Service started = Service.start(new Place(
                NodeCluster.program(),
                folder.resolve("data"),
                0,
                0,
                Map.of("INBOXD_DATABASE_URL", TestPostgres.setting(TestPostgres.database()), "INBOXD_DRAIN", drain)));
        this.service = started;
        return started;
    }

    @AfterEach
    void stop() {
        Service started = this.service;
        if (started != null && started.isAlive()) {
            started.kill();
        }
    }

    @Test
    @Tag("long")
    @Proves("P16")
    void itSaysSoAndGoesOnToServeForTheTimeThatIsSet() {
        Service service = start("8s");
        HttpProbe http = HttpProbe.of(service.httpPort(), service.key());
        String inbox =
                http.post("/v0/inboxes", json("username", "draining")).is(200).text("inbox_id");
        http.get("/healthz").is(200);
        service.signal();
        await(() -> http.get("/healthz").status() == 503);
        assertThat(http.get("/healthz").text("reason")).isEqualTo("the service is stopping");
        http.post("/v0/inboxes", json("username", "still-made")).is(200);
        try (SmtpProbe probe = new SmtpProbe(service.smtpPort())) {
            assertThat(probe.send("jo@elsewhere.test", List.of(inbox), "From: jo@elsewhere.test\n\nStill taken.\n"))
                    .startsWith("250");
        }
        HttpProbe.leave(service.httpPort());
        assertThat(service.awaitExit(PATIENCE)).isZero();
    }

    @Test
    @Tag("long")
    void anotherSignalEndsItAtOnce() {
        Service service = start("600s");
        HttpProbe http = HttpProbe.of(service.httpPort(), service.key());
        service.signal();
        await(() -> http.get("/healthz").status() == 503);
        service.signal();
        assertThat(service.awaitExit(PATIENCE)).isEqualTo(1);
    }
}
