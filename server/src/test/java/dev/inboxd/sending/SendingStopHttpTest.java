package dev.inboxd.sending;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.server.World;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The stop of all that leaves (approvals.md §5). */
class SendingStopHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private HttpProbe human() {
        return world.as(world.session());
    }

    private Answer send(String inbox, String to) {
        return world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", to, "subject", "s", "text", "t"));
    }

    private List<?> messages(String inbox) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&include_spam=true")
                .is(200)
                .list("messages");
    }

    @Test
    void whileStoppedNothingLeavesAndMailStillComesIn() {
        String inbox = world.inbox("stopped");
        Answer stopped = world.http().post("/v0/organizations/stop", "{}").is(200);
        assertThat(stopped.text("sending_stopped_at")).isNotEmpty();
        assertThat(world.http().post("/v0/organizations/stop", "{}").is(200).text("sending_stopped_at"))
                .isEqualTo(stopped.text("sending_stopped_at"));
        Answer refused = send(inbox, "bob@example.org").is(403);
        assertThat(refused.text("code")).isEqualTo("inbox_paused");
        assertThat(refused.text("fix")).contains("/v0/organizations/resume");
        world.mail(
                "ann@example.org",
                inbox,
                "From: ann@example.org\nTo: " + inbox + "\nSubject: Q\nMessage-ID: <" + Uuid7.next()
                        + "@example.org>\n\nHi\n");
        await(() -> messages(inbox).size() == 1);
        assertThat(world.http().post("/v0/organizations/resume", "{}").is(403).text("fix"))
                .contains("draft_approve");
        assertThat(human().post("/v0/organizations/resume", "{}").is(200).at("sending_stopped_at"))
                .isNull();
        send(inbox, "bob@example.org").is(200);
    }

    @Test
    void aScheduledDraftWaitsForTheEndOfTheStop() {
        String inbox = world.inbox("later");
        Answer draft = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json(
                                "to",
                                "bob@example.org",
                                "text",
                                "t",
                                "send_at",
                                world.clock().instant().plusSeconds(600).toString()))
                .is(200);
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft.text("draft_id");
        world.http().post(path + "/send", "{}"); // sent by hand, so that the next one is the scheduled one
        Answer second = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        json(
                                "to",
                                "bob@example.org",
                                "text",
                                "t",
                                "send_at",
                                world.clock().instant().plusSeconds(600).toString()))
                .is(200);
        world.http().post("/v0/organizations/stop", "{}").is(200);
        world.advance(Duration.ofMinutes(11));
        String other = world.inbox("witness");
        Answer free = world.http().get("/v0/inboxes/" + other).is(200);
        assertThat(free.text("inbox_id")).isEqualTo(other);
        String waiting = "/v0/inboxes/" + inbox + "/drafts/" + second.text("draft_id");
        assertThat(world.http().get(waiting).is(200).text("send_status")).isEqualTo("scheduled");
        human().post("/v0/organizations/resume", "{}").is(200);
        await(() -> world.http().get(waiting).status() == 404);
    }

    @Test
    void aPodIsStoppedAloneAndItsQueueWaits() {
        String pod = world.pod("Sales");
        String inside = world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", "inside"))
                .is(200)
                .text("inbox_id");
        String outside = world.inbox("outside");
        String receiver = world.inbox("receiver");
        world.http().post("/v0/pods/" + pod + "/stop", "{}").is(200);
        assertThat(send(inside, receiver).is(403).text("fix")).contains("/v0/pods/");
        send(outside, receiver).is(200);
        await(() -> messages(receiver).size() == 1);
        Answer resumed = human().post("/v0/pods/" + pod + "/resume", "{}").is(200);
        assertThat(resumed.at("sending_stopped_at")).isNull();
        send(inside, receiver).is(200);
        await(() -> messages(receiver).size() == 2);
    }
}
