package dev.inboxd.move;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.copy.CopyTarget;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.job.Marks;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.InstallationException;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.TestFolder;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A running installation moves to another database: a mail server and an endpoint witness that one copy sends. */
class MoveHttpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String KEY = "another-master-key-of-forty-three-characters";

    private final FakeMx mx = new FakeMx();
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final Database.Location target = TestPostgres.database();
    private World world;
    private Path folder;
    private @Nullable World moved;

    @BeforeEach
    void start() throws IOException {
        world = World.start(settings());
        world.dns().addresses("mx.far.test", "127.0.0.1").mailExchangers("far.test", "10 mx.far.test");
        folder = TestFolder.create("inboxd-moved");
    }

    @AfterEach
    void stop() throws IOException {
        if (moved != null) {
            moved.close();
        }
        world.close();
        mx.close();
        endpoint.close();
    }

    private Map<String, String> settings() {
        return Map.of("INBOXD_DELIVERY", "direct", "INBOXD_OUTBOUND_SMTP_PORT", String.valueOf(mx.port()));
    }

    /** A kill of the process that moves, behind a step. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed(MoveStep behind) {
            super(behind.name());
        }
    }

    /** Notes the steps, holds the one rule after each, and may be killed behind one. */
    private final class Witness implements MoveProgress {
        private final List<MoveStep> steps = new ArrayList<>();
        private final @Nullable MoveStep end;

        Witness(@Nullable MoveStep end) {
            this.end = end;
        }

        @Override
        public void step(MoveStep step) {
            steps.add(step);
            requireOneSender();
            if (step == end) {
                throw new Killed(step);
            }
        }

        @Override
        public void show(String text) {}
    }

    /** A copy may send when a service can start on it, it has not moved, and nothing is held. */
    private void requireOneSender() {
        assertThat(maySend(world.location()) && maySend(target))
                .as("two copies may send")
                .isFalse();
    }

    private static boolean maySend(Database.Location location) {
        if (CopyTarget.begun(location).isPresent()) {
            return false;
        }
        try (Database database = new Database(location, null)) {
            Marks marks = new MarkChanges(database).marks();
            boolean isInstallation = database.read(tx -> tx.sql("select 1 as one from installation")
                    .first(row -> row.integer("one"))
                    .isPresent());
            return isInstallation && !marks.isHeld();
        } catch (DatabaseFailure noTables) {
            return false;
        }
    }

    private Vault vault() throws IOException {
        return new Vault(List.of(
                KEY, Files.readString(world.folder().resolve("secret.key")).strip()));
    }

    private Witness move(@Nullable MoveStep end) throws IOException {
        Witness witness = new Witness(end);
        try (Blobs from = Blobs.at(world.blobFolder().toString());
                Blobs to = Blobs.at(folder.toString())) {
            new MoveRun(
                            new MovePlace(world.location(), "the source", from),
                            new MovePlace(target, "postgres://new.test/inboxd", to),
                            vault(),
                            witness)
                    .run(false);
        }
        return witness;
    }

    private World arrived() {
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("INBOXD_SECRET_KEY", KEY);
        moved = world.moved(target, folder, settings);
        return moved;
    }

    private void send(World from, String inbox, String subject) {
        from.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "ann@far.test", "subject", subject, "text", "t"))
                .is(200);
    }

    private void receive(World at, String inbox, String subject, int size) {
        assertThat(at.mail(
                        "bob@near.test",
                        inbox,
                        "From: bob@near.test\nTo: " + inbox + "\nSubject: " + subject + "\nMessage-ID: <" + subject
                                + "@near.test>\n\n" + "A line of a large message.\n".repeat(size / 27) + "\n"))
                .startsWith("250");
    }

    private static List<String> ids(World at, String inbox) {
        return at
                .http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&limit=100")
                .is(200)
                .list("messages")
                .stream()
                .map(each -> String.valueOf(((Map<?, ?>) each).get("message_id")))
                .toList();
    }

    private Set<String> subjects(int count) throws InterruptedException {
        Set<String> subjects = new HashSet<>();
        for (int i = 0; i < count; i++) {
            mx.nextMail()
                    .content()
                    .lines()
                    .filter(line -> line.startsWith("Subject: "))
                    .findFirst()
                    .ifPresent(line -> subjects.add(line.substring("Subject: ".length())));
        }
        return subjects;
    }

    private void draft(String inbox) {
        world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", """
                {"to":"ann@far.test","subject":"draft","text":"t",
                "send_at":"%s"}""".formatted(
                                world.clock().instant().plusSeconds(3_600)))
                .is(200);
    }

    @Test
    @Tag("long")
    @Proves("P2h")
    void itLosesNothingAndSendsNothingTwiceAlsoWhenItIsKilledBehindEachStep() throws Exception {
        String inbox = world.inbox("moves");
        world.http()
                .post(
                        "/v0/webhooks",
                        json("url", endpoint.url("/hook"), "event_types", List.of("message.received.unauthenticated")))
                .is(200);
        receive(world, inbox, "small", 100);
        receive(world, inbox, "large", 600_000);
        endpoint.take(PATIENCE);
        endpoint.take(PATIENCE);
        send(world, inbox, "before");
        assertThat(subjects(1)).containsExactly("before");
        draft(inbox);
        for (MoveStep step : MoveStep.values()) {
            assertThatThrownBy(() -> move(step)).isInstanceOf(Killed.class).hasMessage(step.name());
            requireOneSender();
            switch (step) {
                case BEGUN, COPIED -> send(world, inbox, "while it runs, " + step);
                case HELD -> send(world, inbox, "held");
                case READ_ONLY, VERIFIED, SETTLED -> {
                    assertThat(ids(world, inbox)).as("reads go on").isNotEmpty();
                    world.http().post("/v0/inboxes", "{}").is(503);
                    assertThatThrownBy(() -> Migrations.run(target)).hasMessageContaining("has not come to its end");
                }
                default -> assertThatThrownBy(world::restart).isInstanceOf(InstallationException.class);
            }
        }
        assertThat(move(null).steps).containsExactly(MoveStep.OPENED, MoveStep.RESUMED);
        World there = arrived();
        assertThat(subjects(3)).containsExactlyInAnyOrder("while it runs, BEGUN", "while it runs, COPIED", "held");
        assertThat(mx.mails()).isEmpty();
        assertThat(ids(there, inbox)).hasSize(6);
        receive(there, inbox, "after", 100);
        assertThat(endpoint.take(PATIENCE).text()).contains("after");
        await(() -> isWritten(there)); // or the clock below would end the lease of its row
        there.advance(Duration.ofHours(2));
        assertThat(subjects(1)).containsExactly("draft");
        assertThat(endpoint.received()).isEmpty();
        assertThat(mx.mails()).as("nothing was sent twice").isEmpty();
        assertThat(raw(there, inbox, "large")).contains("A line of a large message.");
    }

    private static boolean isWritten(World at) {
        return at.database()
                .read(tx -> tx.sqlAcrossTenants("select 1 as one from delivery d limit 1")
                        .first(row -> row.integer("one")))
                .isEmpty();
    }

    private static String raw(World at, String inbox, String subject) {
        return ids(at, inbox).stream()
                .map(id -> URLEncoder.encode(id, StandardCharsets.UTF_8))
                .map(id -> at.http()
                        .get("/v0/inboxes/" + inbox + "/messages/" + id)
                        .is(200))
                .filter(answer -> answer.text("subject").equals(subject))
                .map(answer -> answer.text("text"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("long")
    void aMoveThatIsGivenUpLeavesTheSourceAsItWas() throws Exception {
        String inbox = world.inbox("stays");
        assertThatThrownBy(() -> move(MoveStep.VERIFIED)).isInstanceOf(Killed.class);
        MoveRun.abandon(world.location());
        assertThat(new MarkChanges(world.database()).awaitAll(PATIENCE)).isTrue();
        send(world, inbox, "goes on");
        assertThat(subjects(1)).containsExactly("goes on");
        assertThat(maySend(target)).isFalse();
    }
}
