package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.database.copy.DatabaseCopy;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is frozen, as by a suspended machine, while what it serves moves away. What waited at it is not written in
 * the old place when it goes on: nothing is, and nobody is told that it was.
 */
@Proves("P2i")
class FrozenProcessesHttpTest {
    private static final String KEY = "0123456789abcdef".repeat(3);
    private static final int EACH = 5;

    @TempDir
    private Path folder;

    private final Database.Location source = TestPostgres.database();
    private final Database.Location target = TestPostgres.database();
    private final List<Service> services = new ArrayList<>();
    private Service frozen;
    private String key;
    private String inbox;

    @BeforeEach
    void start() {
        frozen = started(new NodeCluster(folder, TestPostgres.setting(source)), "frozen");
        started(new NodeCluster(folder, TestPostgres.setting(source)), "other");
        key = frozen.key();
        inbox = HttpProbe.of(frozen.httpPort(), key)
                .post("/v0/inboxes", json("username", "goes"))
                .is(200)
                .text("inbox_id");
    }

    private Service started(NodeCluster cluster, String name) {
        Service service = cluster.start(name, Map.of());
        services.add(service);
        return service;
    }

    @AfterEach
    void stop() {
        frozen.thaw();
        services.forEach(Service::kill);
    }

    @Test
    @Tag("long")
    void whatWaitedAtAFrozenProcessIsNotWrittenBehindTheMoveOfTheInstallation() throws Exception {
        List<SmtpProbe> sessions = sessions();
        frozen.freeze();
        assertThat(move(List.of())).as(said()).isZero();
        try (Waiting waiting = new Waiting(sessions);
                Snapshot before = Snapshot.of(source)) {
            waiting.post("/v0/agent/sign-up", json("human_email", "ann@human.test", "username", "founded"));
            frozen.thaw();
            waiting.assertRefused();
            assertThat(frozen.awaitExit(Duration.ofSeconds(60))).as("it ends").isPositive();
            try (Snapshot after = Snapshot.of(source)) {
                assertThat(DatabaseCopy.differences(before, after, new Vault(List.of(KEY))))
                        .as("written in the source behind the move")
                        .isEmpty();
            }
        }
    }

    @Test
    @Tag("long")
    void whatWaitedAtAFrozenProcessIsNotWrittenBehindTheMoveOfAnOrganization() throws Exception {
        Path there = Files.createDirectory(folder.resolve("there"));
        started(new NodeCluster(there, TestPostgres.setting(target)), "target");
        UUID organization = organization();
        List<SmtpProbe> sessions = sessions();
        frozen.freeze();
        assertThat(move(List.of(
                        "--organization",
                        organization.toString(),
                        "--to-blob-url",
                        there.resolve("blobs").toUri().toString())))
                .as(said())
                .isZero();
        try (Waiting waiting = new Waiting(sessions);
                Snapshot before = Snapshot.of(source, organization)) {
            frozen.thaw();
            waiting.assertRefused();
            HttpProbe late = HttpProbe.of(frozen.httpPort(), key);
            assertThat(late.post("/v0/inboxes", json("username", "later"))
                            .is(503)
                            .text("code"))
                    .isEqualTo("moved");
            try (Snapshot after = Snapshot.of(source, organization)) {
                assertThat(DatabaseCopy.differences(before, after, new Vault(List.of(KEY))))
                        .as("written in the source behind the move")
                        // A row of it is a lease: who has it does nothing without the clock.
                        .allMatch(sentence -> sentence.startsWith("The table due_work "));
            }
        }
    }

    /** The operator's organization keeps its addresses; a second one can go. */
    private UUID organization() {
        Database database = new Database(source, null);
        try (database) {
            HttpProbe.Answer signedUp = HttpProbe.of(frozen.httpPort(), null)
                    .post("/v0/agent/sign-up", json("human_email", "bea@human.test", "username", "leaves"))
                    .is(200);
            key = signedUp.text("api_key");
            inbox = signedUp.text("inbox_id");
            UUID organization = UUID.fromString(signedUp.text("organization_id"));
            // What a human's code would do: an agent that is not verified may write to nobody.
            database.write(
                    organization,
                    tx -> tx.sql(View.of(organization), "update organization o set type = 'agent_verified' where {o}")
                            .run());
            return organization;
        }
    }

    private int move(List<String> more) throws Exception {
        List<String> command = new ArrayList<>(NodeCluster.program());
        command.addAll(List.of("move", "--to", TestPostgres.setting(target)));
        command.addAll(List.of("--database-url", TestPostgres.setting(source)));
        command.addAll(List.of("--data-dir", folder.resolve("frozen").toString()));
        command.addAll(List.of("--blob-url", folder.resolve("blobs").toUri().toString()));
        command.addAll(more);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("move.said").toFile());
        builder.environment().put("INBOXD_SECRET_KEY", KEY);
        Process process = builder.start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private String said() throws IOException {
        Path said = folder.resolve("move.said");
        return Files.exists(said) ? Files.readString(said) : "";
    }

    /** Sessions that are about to send their message. */
    private List<SmtpProbe> sessions() {
        List<SmtpProbe> sessions = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            SmtpProbe session = new SmtpProbe(frozen.smtpPort(), Duration.ofMinutes(2));
            assertThat(session.command("MAIL FROM:<bob@near.test>")).startsWith("250");
            assertThat(session.command("RCPT TO:<" + inbox + ">")).startsWith("250");
            assertThat(session.command("DATA")).startsWith("354");
            sessions.add(session);
        }
        return sessions;
    }

    /** Requests and messages that a frozen process has in its sockets. */
    private final class Waiting implements AutoCloseable {
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Socket> requests = new ArrayList<>();
        private final List<Future<String>> mails = new ArrayList<>();

        Waiting(List<SmtpProbe> sessions) throws IOException {
            for (int i = 0; i < sessions.size(); i++) {
                SmtpProbe session = sessions.get(i);
                byte[] message = ("From: bob@near.test\r\nTo: " + inbox + "\r\nSubject: late\r\nMessage-ID: <late" + i
                                + "@near.test>\r\n\r\nLate.\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
                mails.add(threads.submit(() -> session.data(message)));
                post("/v0/inboxes", json("username", "late" + i));
                post("/v0/inboxes/" + inbox + "/messages/send", json("to", "ann@far.test", "text", "t"));
                post("/v0/api-keys", json("name", "late"));
            }
        }

        void post(String path, String json) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), frozen.httpPort());
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                                    + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                                    + json.length() + "\r\n\r\n" + json)
                            .getBytes(StandardCharsets.US_ASCII));
            requests.add(socket);
        }

        void assertRefused() throws Exception {
            for (Socket request : requests) {
                String answer = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).startsWith("HTTP/1.1 503").contains("\"moved\"");
            }
            for (Future<String> mail : mails) {
                assertThat(mail.get(60, TimeUnit.SECONDS)).startsWith("421 4.3.2");
            }
        }

        @Override
        public void close() throws IOException {
            threads.shutdownNow();
            for (Socket request : requests) {
                request.close();
            }
        }
    }
}
