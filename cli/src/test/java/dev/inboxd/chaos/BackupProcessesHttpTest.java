package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service in a process of its own is backed up while it runs, and restored elsewhere under another master key; both
 * commands are killed on the way.
 */
@Proves("P21")
class BackupProcessesHttpTest {
    private static final String OLD = "0123456789abcdef".repeat(3);
    private static final String NEW = "fedcba9876543210".repeat(3);

    @TempDir
    private static Path folder;

    private final String original = TestPostgres.setting(TestPostgres.database());
    private final String copy = TestPostgres.setting(TestPostgres.database());

    @Test
    @Tag("long")
    void whatWasKilledIsRunAgainAndTheCopyGoesOnWhereTheOriginalWas() throws Exception {
        Service service = new NodeCluster(folder, original).start("original", Map.of());
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            HttpProbe http = HttpProbe.of(service.httpPort(), service.key());
            String inbox =
                    http.post("/v0/inboxes", json("username", "moved")).is(200).text("inbox_id");
            HttpProbe.Answer hook = http.post("/v0/webhooks", """
                    {"url":"%s","event_types":["message.received",
                    "message.received.unauthenticated"]}""".formatted(endpoint.url("/hook")))
                    .is(200);
            for (int i = 0; i < 12; i++) {
                receive(service.smtpPort(), inbox, i);
            }
            String messages = "/v0/inboxes/" + inbox + "/messages?limit=5&include_unauthenticated=true";
            String pageToken = http.get(messages).is(200).text("next_page_token");
            String cursor = http.get("/v0/events?limit=6").is(200).text("next_cursor");
            String keys = http.get("/v0/jwks.json").is(200).text();
            for (int i = 0; i < 12; i++) {
                assertThat(endpoint.take(Duration.ofSeconds(60)).text()).contains("number ");
            }

            killedBackup();
            assertThat(run(backup()).waitFor(3, TimeUnit.MINUTES)).isTrue();
            List<?> nextPage =
                    http.get(messages + "&page_token=" + pageToken).is(200).list("messages");
            List<?> nextEvents =
                    http.get("/v0/events?limit=6&cursor=" + cursor).is(200).list("events");
            service.kill();

            killedRestore();
            Process restore = run(restore());
            assertThat(restore.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(restore.exitValue()).as(said("restore")).isZero();

            Service restored = restored();
            HttpProbe there = HttpProbe.of(restored.httpPort(), service.key());
            assertThat(there.get(messages + "&page_token=" + pageToken).is(200).list("messages"))
                    .isEqualTo(nextPage);
            assertThat(there.get("/v0/events?limit=6&cursor=" + cursor).is(200).list("events"))
                    .isEqualTo(nextEvents);
            assertThat(there.get("/v0/jwks.json").is(200).text()).isEqualTo(keys);
            assertThat(there.get("/v0/webhooks/" + hook.text("webhook_id"))
                            .is(200)
                            .text("secret"))
                    .isEqualTo(hook.text("secret"));

            receive(restored.smtpPort(), inbox, 99);
            assertThat(there.get("/healthz?deep").text()).contains("held");
            assertThat(folder.resolve("copy.log")).content().contains("inboxd queue resume ends it");
            assertThat(endpoint.received()).isEmpty();
            Process resume = run(List.of("queue", "resume", "--database-url", copy, "--data-dir", data("copy")));
            assertThat(resume.waitFor(1, TimeUnit.MINUTES)).isTrue();
            FakeEndpoint.Received told = endpoint.take(Duration.ofSeconds(90));
            assertThat(told.text()).contains("number 99");
            assertThat(told.fields().get("webhook-signature")).isEqualTo(signature(hook.text("secret"), told));
            restored.kill();
        }
    }

    /** Until something lies in the place of backups, and no manifest yet. */
    private void killedBackup() throws Exception {
        Process doomed = run(backup());
        awaitUnlessEnded(doomed, () -> files(folder.resolve("backups")) > 20);
        doomed.destroyForcibly().waitFor();
        assertThat(files(folder.resolve("backups/manifests"))).isZero();
    }

    /** Until rows are in the database, and the copy is not at its end: no service starts there. */
    private void killedRestore() throws Exception {
        Process doomed = run(restore());
        awaitUnlessEnded(doomed, () -> exists("organization") && count("organization") > 0);
        doomed.destroyForcibly().waitFor();
        assertThat(exists("inboxd_copy.mark")).isTrue();
        Process serve = run(List.of("serve", "--database-url", copy, "--data-dir", data("copy"), "--http-port", "0"));
        assertThat(serve.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(serve.exitValue()).isNotZero();
        assertThat(said("serve")).contains("has not come to its end");
    }

    private Service restored() {
        Map<String, String> settings = new HashMap<>();
        settings.put("INBOXD_DATABASE_URL", copy);
        settings.put("INBOXD_BLOB_URL", blobs("copy-blobs"));
        // The former key behind the new one: tokens and cursors that were handed out are read with it.
        settings.put("INBOXD_SECRET_KEY", NEW + "," + OLD);
        return Service.start(new Service.Place(NodeCluster.program(), folder.resolve("copy"), 0, 0, settings));
    }

    private List<String> backup() {
        return List.of(
                "backup",
                "--to",
                folder.resolve("backups").toString(),
                "--database-url",
                original,
                "--data-dir",
                data("original"),
                "--blob-url",
                blobs("blobs"));
    }

    private List<String> restore() throws IOException {
        return List.of(
                "restore",
                "--from",
                folder.resolve("backups").toString(),
                "--database-url",
                copy,
                "--data-dir",
                data("copy"),
                "--blob-url",
                blobs("copy-blobs"),
                "--secret-key-file",
                Files.writeString(folder.resolve("new.key"), NEW).toString(),
                "--source-key-file",
                Files.writeString(folder.resolve("old.key"), OLD).toString(),
                "--unsealed"); // the key of the original is in its settings alone, where no command reads it
    }

    private static String data(String name) {
        return folder.resolve(name).toString();
    }

    private static String blobs(String name) {
        return folder.resolve(name).toUri().toString();
    }

    private static Process run(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(NodeCluster.program());
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(arguments.getFirst() + ".said").toFile())
                .start();
    }

    private static String said(String command) throws IOException {
        return Files.readString(folder.resolve(command + ".said"));
    }

    private static void awaitUnlessEnded(Process process, BooleanSupplier happened) {
        Eventually.await(() -> happened.getAsBoolean() || !process.isAlive());
        assertThat(process.isAlive())
                .as("it came to its end before it was killed")
                .isTrue();
    }

    private static long files(Path place) {
        if (!Files.exists(place)) {
            return 0;
        }
        try (Stream<Path> all = Files.walk(place)) {
            return all.filter(Files::isRegularFile).count();
        } catch (IOException | UncheckedIOException moving) {
            return 0; // a file was renamed under the walk
        }
    }

    private boolean exists(String table) {
        return ask("select case when to_regclass('" + table + "') is null then 0 else 1 end") == 1;
    }

    private long count(String table) {
        return ask("select count(*) from " + table);
    }

    private long ask(String sql) {
        String url = copy.startsWith("jdbc:") ? copy : "jdbc:" + copy;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
    }

    private static void receive(int port, String inbox, int number) {
        byte[] attachment = new byte[number % 3 == 0 ? 400_000 : 3_000];
        new Random(number).nextBytes(attachment);
        try (SmtpProbe session = new SmtpProbe(port)) {
            assertThat(session.send(
                            "ann@x.test",
                            List.of(inbox),
                            "From: ann@x.test\nSubject: number " + number + "\nMIME-Version: 1.0\n"
                                    + "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
                                    + Base64.getMimeEncoder(76, new byte[] {'\n'})
                                            .encodeToString(attachment) + "\n"))
                    .startsWith("250");
        }
    }

    /** What a receiver computes (Standard Webhooks). */
    private static String signature(String secret, FakeEndpoint.Received told) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        String head = told.fields().get("webhook-id") + "." + told.fields().get("webhook-timestamp") + ".";
        String signed = head + told.text();
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }
}
