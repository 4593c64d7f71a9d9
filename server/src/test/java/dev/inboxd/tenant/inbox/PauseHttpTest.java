package dev.inboxd.tenant.inbox;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The two pauses of an inbox: one throws mail away and says what, the other stops sending alone (ruling 176). */
class PauseHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private String inbox;
    private String path;

    @BeforeEach
    void start() {
        inbox = world.inbox("agent");
        path = "/v0/inboxes/" + inbox;
    }

    @Test
    void aPauseOfSendingRefusesEverySendAndStillReceives() {
        world.mail("jo@elsewhere.test", inbox, "From: jo@elsewhere.test\nSubject: Before\n\nHello\n");
        String messages = path + "/messages?include_unauthenticated=true";
        await(() -> !world.http().get(messages).is(200).list("messages").isEmpty());
        String received =
                URLEncoder.encode(world.http().get(messages).text("messages.0.message_id"), StandardCharsets.UTF_8);
        String draft = world.http()
                .post(path + "/drafts", json("to", "jo@elsewhere.test", "text", "Later"))
                .is(200)
                .text("draft_id");
        assertThat(patch(json("sending", "paused")).text("sending")).isEqualTo("paused");
        assertThat(world.http().get(path).is(200).text("status")).isEqualTo("active");
        for (String send :
                new String[] {"/messages/send", "/messages/" + received + "/reply", "/messages/" + received + "/forward"
                }) {
            HttpProbe.Answer refused = world.http()
                    .post(path + send, json("to", "jo@elsewhere.test", "text", "Hello"))
                    .is(403);
            assertThat(refused.text("code")).isEqualTo("inbox_paused");
            assertThat(refused.text("fix")).contains("sending \"active\"");
        }
        assertThat(world.http()
                        .post(path + "/drafts/" + draft + "/send", "{}")
                        .is(403)
                        .text("code"))
                .isEqualTo("inbox_paused");
        world.mail("jo@elsewhere.test", inbox, "From: jo@elsewhere.test\nSubject: During\n\nHello\n");
        await(() -> world.http().get(messages).is(200).list("messages").size() == 2);
        assertThat(world.http().get(path + "/dropped").is(200).at("total")).isEqualTo(0L);
        assertThat(patch(json("sending", "active")).text("sending")).isEqualTo("active");
        world.http().post(path + "/drafts/" + draft + "/send", "{}").is(200);
    }

    @Test
    void aDraftWhoseTimeComesWhileSendingIsPausedFailsAsInAPausedInbox() {
        String draft = world.http()
                .post(
                        path + "/drafts",
                        json(
                                "to",
                                "jo@elsewhere.test",
                                "text",
                                "Later",
                                "send_at",
                                world.clock()
                                        .instant()
                                        .plus(Duration.ofMinutes(10))
                                        .toString()))
                .is(200)
                .text("draft_id");
        patch(json("sending", "paused"));
        world.advance(Duration.ofMinutes(11));
        await(() -> world.http()
                .get(path + "/drafts/" + draft)
                .is(200)
                .text("send_status")
                .equals("failed"));
        assertThat(world.http().get(path + "/drafts/" + draft).text("send_error"))
                .contains("inbox_paused");
    }

    @Test
    void anInboxIsCreatedWithPausedSendingAndTheMembersAreChecked() {
        HttpProbe.Answer made = world.http()
                .post("/v0/inboxes", json("username", "quiet", "sending", "paused"))
                .is(200);
        assertThat(made.text("sending")).isEqualTo("paused");
        assertThat(made.text("status")).isEqualTo("active");
        assertThat(world.http().patch(path, json("sending", "stopped")).is(400).at("errors.0.path"))
                .isNotNull();
        String updated = patch(json("sending", "active")).text("updated_at");
        assertThat(patch(json("sending", "active")).text("updated_at")).isEqualTo(updated);
    }

    @Test
    @Proves("A5")
    void whatAPauseDroppedIsCountedWithSenderAndTimeAndNothingElse() {
        patch(json("status", "paused"));
        world.mail("bounce@elsewhere.test", inbox, "From: Jo Secret <jo@elsewhere.test>\nSubject: Secret\n\nSecret\n");
        world.advance(Duration.ofMinutes(1));
        world.mail("al@elsewhere.test", inbox, "Subject: Secret\n\nSecret\n");
        HttpProbe.Answer dropped = world.http().get(path + "/dropped").is(200);
        assertThat(dropped.at("total")).isEqualTo(2L);
        assertThat(dropped.list("dropped")).hasSize(2);
        assertThat(dropped.text("dropped.0.from_address")).isEqualTo("al@elsewhere.test");
        assertThat(dropped.text("dropped.1.from_address")).isEqualTo("jo@elsewhere.test");
        assertThat(dropped.text()).doesNotContain("Secret");
        HttpProbe.Answer first =
                world.http().get(path + "/dropped?limit=1&ascending=true").is(200);
        assertThat(first.text("dropped.0.from_address")).isEqualTo("jo@elsewhere.test");
        assertThat(world.http()
                        .get(path + "/dropped?limit=1&ascending=true&page_token=" + first.text("next_page_token"))
                        .is(200)
                        .text("dropped.0.from_address"))
                .isEqualTo("al@elsewhere.test");
        patch(json("status", "active"));
        world.mail("jo@elsewhere.test", inbox, "From: jo@elsewhere.test\n\nHello\n");
        assertThat(world.http().get(path + "/dropped").is(200).at("total")).isEqualTo(2L);
        world.advance(Duration.ofDays(32));
        HttpProbe.Answer later = world.http().get(path + "/dropped").is(200);
        assertThat(later.list("dropped")).isEmpty();
        assertThat(later.at("total")).isEqualTo(0L);
    }

    @Test
    void oneMessageToTwoPausedInboxesIsDroppedInEach() {
        String other = world.inbox("other");
        patch(json("status", "paused"));
        world.http().patch("/v0/inboxes/" + other, json("status", "paused")).is(200);
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            assertThat(probe.send("jo@elsewhere.test", List.of(inbox, other), "From: jo@elsewhere.test\n\nHello\n"))
                    .startsWith("250");
        }
        for (String each : List.of(inbox, other)) {
            HttpProbe.Answer dropped =
                    world.http().get("/v0/inboxes/" + each + "/dropped").is(200);
            assertThat(dropped.list("dropped")).hasSize(1);
            assertThat(dropped.at("total")).isEqualTo(1L);
        }
        world.http().delete(path).is(200);
        View all = View.of(world.organization());
        await(() -> world.database()
                        .read(tx -> tx.sql(
                                        all,
                                        "select count(*) as n from dropped_message d"
                                                + " where d.organization_id = {organization}")
                                .single(row -> row.integer("n")))
                == 1);
    }

    /** A flood at a paused inbox takes the room of its list alone, and is counted to its end. */
    @Test
    void theListIsFullAtTenThousandAndTheCountGoesOn() {
        patch(json("status", "paused"));
        View all = View.of(world.organization());
        UUID id = world.database()
                .read(tx -> tx.sql(all, "select i.inbox_id from inbox i where {i} and i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.uuid("inbox_id")));
        world.database()
                .write(
                        all.organization(),
                        tx -> tx.sql(
                                        all,
                                        "insert into dropped_count (organization_id, inbox_id, day, messages, listed)"
                                                + " values ({organization}, :inbox, :day, 9999, 9999)")
                                .bind("inbox", id)
                                .bind("day", LocalDate.ofInstant(world.clock().instant(), ZoneOffset.UTC))
                                .run());
        for (int i = 0; i < 3; i++) {
            world.mail("jo@elsewhere.test", inbox, "From: jo@elsewhere.test\n\nHello\n");
        }
        HttpProbe.Answer dropped = world.http().get(path + "/dropped").is(200);
        assertThat(dropped.list("dropped")).hasSize(1);
        assertThat(dropped.at("total")).isEqualTo(10_002L);
    }

    private HttpProbe.Answer patch(String body) {
        return world.http().patch(path, body).is(200);
    }
}
