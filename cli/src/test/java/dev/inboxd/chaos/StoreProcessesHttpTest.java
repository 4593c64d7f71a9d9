package dev.inboxd.chaos;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.blob.S3Server;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An S3 server that is killed and comes back: the operator is told everywhere, and only large mail waits for it. */
class StoreProcessesHttpTest {
    private static final String SMALL = "Subject: small\n\nHello.\n";

    @TempDir
    private Path folder;

    private final Map<String, String> settings = new HashMap<>();

    @Test
    @Proves("P15")
    void whileItIsAwayLargeMailIsPutOffAndTheOperatorIsTold() throws Exception {
        Path content = Files.createDirectory(folder.resolve("bucket"));
        S3Server store = S3Server.start(content, 0);
        settings.put("INBOXD_DATABASE_URL", TestPostgres.setting(TestPostgres.database()));
        settings.put("INBOXD_SECRET_KEY", "0123456789abcdef".repeat(3));
        settings.put("INBOXD_BLOB_URL", store.setting());
        settings.put("AWS_ACCESS_KEY_ID", "key");
        settings.put("AWS_SECRET_ACCESS_KEY", "secret");
        Service service =
                Service.start(new Service.Place(NodeCluster.program(), folder.resolve("data"), 0, 0, settings));
        try {
            HttpProbe http = HttpProbe.of(service.httpPort(), service.key());
            String inbox =
                    http.post("/v0/inboxes", json("username", "store")).is(200).text("inbox_id");
            assertThat(mail(service, inbox, large("one"))).startsWith("250");
            http.get("/healthz?deep").is(200);
            assertThat(doctor()).contains("ok    S3 bucket mail: is the one of this database");

            store.close();
            assertThat(mail(service, inbox, large("two"))).startsWith("451 4.3.");
            assertThat(mail(service, inbox, SMALL)).startsWith("250");
            await(() -> http.get("/healthz?deep").status() == 503);
            assertThat(http.get("/healthz?deep").text("reason")).contains("the blob store does not answer");
            http.get("/healthz").is(200);
            assertThat(http.get("/metrics").is(200).text()).contains("inboxd_store_usable 0");
            assertThat(doctor()).contains("FAIL  S3 bucket mail: cannot be read");

            store = S3Server.start(content, store.port());
            await(() -> http.get("/healthz?deep").status() == 200);
            assertThat(http.get("/metrics").is(200).text()).contains("inboxd_store_usable 1");
            assertThat(mail(service, inbox, large("two"))).startsWith("250");
            assertThat(http.get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true")
                            .is(200)
                            .list("messages"))
                    .hasSize(3);
            assertThat(doctor()).contains("ok    S3 bucket mail: is the one of this database");
        } finally {
            service.terminate(Duration.ofSeconds(40));
            store.close();
        }
    }

    private static String large(String subject) {
        return "Subject: " + subject + "\n\n" + "a long line\n".repeat(40_000);
    }

    private static String mail(Service service, String inbox, String text) {
        try (SmtpProbe session = new SmtpProbe(service.smtpPort())) {
            return session.send("jo@elsewhere.test", List.of(inbox), text);
        }
    }

    /** What {@code inboxd doctor} says of the store. */
    private String doctor() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(NodeCluster.program());
        command.addAll(List.of("doctor", "--http-port", "0", "--smtp-port", "0", "--submission-port", "0"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(settings);
        builder.environment().put("INBOXD_DATA_DIR", folder.resolve("data").toString());
        Process process = builder.start();
        String said = process.inputReader().readAllAsString();
        process.waitFor();
        return said;
    }
}
