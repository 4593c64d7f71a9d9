package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.job.OrganizationMark;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What others see while an installation or an organization moves, and after. */
class MarksHttpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private World world;
    private MarkChanges marks;

    @BeforeEach
    void start() {
        world = World.start();
        marks = new MarkChanges(world.database());
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private String mail(String inbox) {
        return world.mail(
                "bob@near.test",
                inbox,
                "From: bob@near.test\nTo: " + inbox + "\nSubject: s\nMessage-ID: <" + Uuid7.next()
                        + "@near.test>\n\nHi\n");
    }

    private static String inbox(HttpProbe http, String name) {
        return http.post("/v0/inboxes", json("username", name)).is(200).text("inbox_id");
    }

    @Test
    @Tag("long")
    void whileNothingIsWrittenReadsGoOnAndWritesAreToldToComeAgain() {
        String inbox = world.inbox("calm");
        assertThat(mail(inbox)).startsWith("250");
        marks.readOnly(true);
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        for (int i = 0; i < 30; i++) {
            world.http().get("/v0/inboxes/" + inbox + "/messages").is(200);
        }
        Answer refused =
                world.http().post("/v0/inboxes", json("username", "late")).is(503);
        assertThat(refused.text("code")).isEqualTo("service_unavailable");
        assertThat(refused.header("Retry-After")).isEqualTo("10");
        assertThat(mail(inbox)).startsWith("451 4.3.2");
        marks.readOnly(false);
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        world.inbox("late");
        assertThat(mail(inbox)).startsWith("250");
    }

    @Test
    @Tag("long")
    void anOrganizationThatMovedIsAnsweredByNobodyAndTheOthersGoOn() {
        String stays = world.inbox("stays");
        HttpProbe other = world.as(world.otherOrganization());
        String goes = inbox(other, "goes");
        UUID organization = world.database()
                .read(tx -> tx.sqlAcrossTenants("select i.organization_id from inbox i where i.address = :address")
                        .bind("address", goes)
                        .single(row -> row.uuid("organization_id")));
        marks.mark(organization, new OrganizationMark(OrganizationMark.State.READ_ONLY, "elsewhere.test"));
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        other.get("/v0/inboxes").is(200);
        assertThat(other.post("/v0/inboxes", json("username", "more")).is(503).text("code"))
                .isEqualTo("service_unavailable");
        assertThat(mail(goes)).startsWith("451 4.3.2");
        assertThat(mail(stays)).startsWith("250");

        marks.mark(organization, new OrganizationMark(OrganizationMark.State.MOVED, "elsewhere.test"));
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        Answer moved = other.get("/v0/inboxes").is(503);
        assertThat(moved.text("code")).isEqualTo("moved");
        assertThat(moved.text("fix")).contains("Ask the operator");
        assertThat(mail(goes)).startsWith("451 4.3.2");
        assertThat(mail(stays)).startsWith("250");
        world.inbox("more");
        assertThatThrownBy(() ->
                        world.database().write(organization, tx -> tx.next().number()))
                .hasMessageContaining("has moved");

        marks.unmark(organization);
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        inbox(other, "again");
    }

    @Test
    void aCopyThatWasLeftBehindServesNobodyAndDoesNotStart() {
        String inbox = world.inbox("left");
        world.database().runTransient(tx -> {
            MarkChanges.moved(tx, "postgres://new.test/inboxd");
        });
        assertThat(marks.awaitAll(PATIENCE)).isTrue();
        assertThat(world.http()
                        .post("/v0/inboxes", json("username", "x"))
                        .is(503)
                        .text("code"))
                .isEqualTo("moved");
        assertThat(mail(inbox)).startsWith("451 4.3.2");
        assertThat(world.anonymous().get("/healthz").is(503).text("reason")).contains("moved");
        assertThatThrownBy(world::restart)
                .isInstanceOf(InstallationException.class)
                .hasMessageContaining("left behind")
                .hasMessageContaining("postgres://new.test/inboxd");
        world = World.start();
    }
}
