package dev.inboxd.move;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.server.World;
import dev.inboxd.smtp.client.FakeMx;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One organization moves between two running installations with master keys of their own. */
class OrganizationMoveHttpTest {
    private static final List<MoveStep> STEPS = List.of(
            MoveStep.BEGUN, MoveStep.COPIED, MoveStep.HELD, MoveStep.READ_ONLY, MoveStep.VERIFIED, MoveStep.MARKED);

    private final FakeMx mx = new FakeMx();
    private World source;
    private World target;
    private String key;
    private UUID organization;
    private String inbox;

    @BeforeEach
    void start() {
        source = world();
        target = world();
        key = source.otherOrganization();
        inbox = source.as(key)
                .post("/v0/inboxes", json("username", "goes"))
                .is(200)
                .text("inbox_id");
        organization = source.database()
                .read(tx -> tx.sqlAcrossTenants("select i.organization_id from inbox i where i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.uuid("organization_id")));
    }

    private World world() {
        World world = World.start(
                Map.of("INBOXD_DELIVERY", "direct", "INBOXD_OUTBOUND_SMTP_PORT", String.valueOf(mx.port())));
        world.dns().addresses("mx.far.test", "127.0.0.1").mailExchangers("far.test", "10 mx.far.test");
        return world;
    }

    @AfterEach
    void stop() {
        source.close();
        target.close();
        mx.close();
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed(MoveStep behind) {
            super(behind.name());
        }
    }

    private void requireOneServer() {
        assertThat(mayServe(source) && mayServe(target))
                .as("two installations serve it")
                .isFalse();
    }

    private boolean mayServe(World world) {
        Database database = world.database();
        return database.read(tx -> tx.sql(View.of(organization), "select 1 as one from organization o where {o}")
                        .first(row -> row.integer("one"))
                        .isPresent())
                && !new MarkChanges(database).marks().organizations().containsKey(organization);
    }

    private void move(@Nullable MoveStep end) throws IOException {
        Vault vault = new Vault(List.of(masterKey(target), masterKey(source)));
        try (Blobs from = Blobs.at(source.blobFolder().toString());
                Blobs to = Blobs.at(target.blobFolder().toString())) {
            new OrganizationMove(
                            new MovePlace(source.location(), "the source", from),
                            new MovePlace(target.location(), "postgres://new.test/inboxd", to),
                            vault,
                            organization)
                    .run(new MoveProgress() {
                        @Override
                        public void step(MoveStep step) {
                            requireOneServer();
                            if (step == end) {
                                throw new Killed(step);
                            }
                        }

                        @Override
                        public void show(String text) {}
                    });
        }
    }

    private static String masterKey(World world) throws IOException {
        return Files.readString(world.folder().resolve("secret.key")).strip();
    }

    private String mail(World to, String subject, int size) {
        return to.mail(
                "bob@near.test",
                inbox,
                "From: bob@near.test\nTo: " + inbox + "\nSubject: " + subject + "\nMessage-ID: <" + subject
                        + "@near.test>\n\n" + "A line of a large message.\n".repeat(size / 27) + "\n");
    }

    private Answer send(World from, String subject) {
        return from.as(key)
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "ann@far.test", "subject", subject, "text", "t"));
    }

    private static List<?> messages(HttpProbe http, String inbox) {
        return http.get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&limit=100")
                .is(200)
                .list("messages");
    }

    @Test
    @Tag("long")
    @Proves("P2h")
    void itIsServedByOneInstallationAtEachMomentAlsoWhenTheMoveIsKilledBehindEachStep() throws Exception {
        String stays = source.inbox("stays");
        assertThat(mail(source, "small", 100)).startsWith("250");
        assertThat(mail(source, "large", 600_000)).startsWith("250");
        source.as(key)
                .post("/v0/inboxes/" + inbox + "/drafts", """
                {"to":"ann@far.test","subject":"draft","text":"t",
                "send_at":"%s"}""".formatted(
                                source.clock().instant().plusSeconds(3_600)))
                .is(200);
        for (MoveStep step : STEPS) {
            assertThatThrownBy(() -> move(step)).isInstanceOf(Killed.class).hasMessage(step.name());
            requireOneServer();
            assertThat(mail(target, "early", 10)).startsWith(step == MoveStep.BEGUN ? "550 5.1.1" : "451 4.3.2");
        }
        assertThat(new MarkChanges(source.database()).awaitAll(Duration.ofSeconds(30)))
                .isTrue();
        send(source, "late").is(503);
        assertThat(source.as(key).get("/v0/inboxes").is(503).text("code")).isEqualTo("moved");
        assertThat(mail(source, "late", 10)).startsWith("451 4.3.2");
        move(null);
        assertThat(new MarkChanges(target.database()).awaitAll(Duration.ofSeconds(30)))
                .isTrue();
        assertThat(messages(target.as(key), inbox)).hasSize(2);
        assertThat(mail(target, "after", 10)).startsWith("250");
        send(target, "from there").is(200);
        assertThat(mx.nextMail().content()).contains("Subject: from there");
        source.advance(Duration.ofHours(2));
        target.advance(Duration.ofHours(2));
        assertThat(mx.nextMail().content()).contains("Subject: draft");
        assertThat(source.http().get("/v0/inboxes/" + stays).is(200).text("inbox_id"))
                .isEqualTo(stays);
        target.inbox("more");
        assertThat(mx.mails()).as("nothing leaves twice").isEmpty();
    }

    @Test
    void whatIsTakenInTheTargetIsToldBeforeAnythingIsWritten() throws Exception {
        target.inbox("goes");
        assertThatThrownBy(() -> move(null))
                .isInstanceOf(MoveException.class)
                .hasMessageContaining("The address " + inbox + " is another organization's there")
                .hasMessageContaining("Nothing was written");
        assertThat(mayServe(source)).isTrue();
        assertThat(mayServe(target)).isFalse();
        assertThat(new MarkChanges(target.database()).marks().organizations()).isEmpty();
        send(source, "goes on").is(200);
        assertThat(mx.nextMail().content()).contains("Subject: goes on");
    }
}
