package dev.inboxd.outbound;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.smtp.client.FakeMx;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was accepted before a stop, or falls due during it, waits and is not lost (approvals.md §5). */
class StoppedDeliveryHttpTest extends RelayService {
    /** Mail of another organization that arrives: whoever delivers has looked at the queue since. */
    private void awaitsAWitness(String subject) throws InterruptedException {
        HttpProbe other = world.as(world.otherOrganization());
        String witness = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        other.post(
                        "/v0/inboxes/" + witness + "/messages/send",
                        json("to", "ann@witness.test", "subject", subject, "text", "Hi"))
                .is(200);
        assertThat(mx.nextMail().recipients()).isEqualTo(List.of("RCPT TO:<ann@witness.test>"));
    }

    private HttpProbe.Answer message(String id) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                .is(200);
    }

    /** Resumes; the code of the sign-in is mail of the server and leaves, or nobody could. */
    private void resume() throws InterruptedException {
        HttpProbe human = world.as(world.session());
        assertThat(mx.nextMail().recipients().getFirst()).contains("@people.test");
        human.post("/v0/organizations/resume", "{}").is(200);
    }

    @Test
    void queuedMailWaitsForTheEndOfTheStop() throws InterruptedException {
        mx.answer(FakeMx.At.CONTENT, "451 4.3.0 later");
        String id = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "jo@example.com", "text", "Hi"))
                .is(200)
                .text("message_id");
        await(() -> String.valueOf(message(id).at("deliveries.0.answer")).contains("451"));
        world.http().post("/v0/organizations/stop", "{}").is(200);
        mx.usual(FakeMx.At.CONTENT);
        world.advance(Duration.ofHours(2));
        awaitsAWitness("queue");
        assertThat(mx.mails()).as("nothing of the stopped organization").isEmpty();
        assertThat(message(id).at("deliveries.0.attempt_count")).isEqualTo(1L);
        resume();
        world.advance(Duration.ofHours(2));
        assertThat(mx.nextMail().recipients()).isEqualTo(List.of("RCPT TO:<jo@example.com>"));
        await(() -> "delivered".equals(message(id).text("deliveries.0.status")));
    }

    @Test
    void mailOfCalendarsWaitsForTheEndOfTheStop() throws InterruptedException {
        world.http().post("/v0/organizations/stop", "{}").is(200);
        world.http().post("/v0/inboxes/" + inbox + "/calendar/events", """
                {"title":"Plan","start":"2099-01-15T14:00:00","end":"2099-01-15T15:00:00","send_invites":true,
                "attendees":[{"email":"jo@example.com"}]}""").is(201);
        world.advance(Duration.ofMinutes(10));
        awaitsAWitness("calendar");
        assertThat(mx.mails()).isEmpty();
        resume();
        world.advance(Duration.ofMinutes(10));
        FakeMx.Received invitation = mx.nextMail();
        assertThat(invitation.recipients()).isEqualTo(List.of("RCPT TO:<jo@example.com>"));
        assertThat(invitation.content()).contains("METHOD:REQUEST");
    }
}
