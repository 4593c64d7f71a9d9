package dev.inboxd.sandbox.reset;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a reset of an organization deletes, and what it keeps. */
class ResetHttpTest {
    private static final String ROUTE = "/sandbox/reset";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void whatHappenedGoesAndWhatTheOrganizationIsStays() {
        HttpProbe mine = world.as(world.otherOrganization());
        HttpProbe other = world.as(world.otherOrganization());
        String inbox = filled(mine);
        String theirs = filled(other);
        String cursor = mine.get("/v0/events").is(200).text("next_cursor");
        HttpProbe.Answer reset = mine.post(ROUTE, "{}").is(200);
        assertThat(reset.at("deleted.messages")).isEqualTo(2L);
        assertThat(reset.at("deleted.drafts")).isEqualTo(1L);
        assertThat(reset.at("deleted.calendar_events")).isEqualTo(1L);
        assertThat(reset.at("deleted.rules")).isEqualTo(1L);
        for (String list : List.of("messages", "threads", "drafts")) {
            assertThat(mine.get("/v0/inboxes/" + inbox + "/" + list).is(200).list(list))
                    .isEmpty();
            assertThat(other.get("/v0/inboxes/" + theirs + "/" + list).is(200).list(list))
                    .isNotEmpty();
        }
        assertThat(mine.get("/sandbox/recipients").is(200).at("count")).isEqualTo(0L);
        assertThat(other.get("/sandbox/recipients").is(200).at("count")).isEqualTo(1L);
        assertThat(mine.get("/v0/inboxes/" + inbox + "/lists/receive/block")
                        .is(200)
                        .list("entries"))
                .hasSize(1);
        mine.get("/v0/events?cursor=" + cursor).is(400);
        assertThat(mine.post(ROUTE, "{}").is(200).at("deleted.messages")).isEqualTo(0L);
        handIn(mine, inbox); // and it goes on
        assertThat(mine.get("/v0/inboxes/" + inbox + "/messages").is(200).list("messages"))
                .hasSize(1);
    }

    @Test
    void faultsGoAndWebhooksAreCalledAgain() throws IOException {
        HttpProbe mine = world.as(world.otherOrganization());
        HttpProbe other = world.as(world.otherOrganization());
        String inbox = mine.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String hook = mine.post(
                            "/v0/webhooks",
                            json("url", endpoint.url("/hook"), "event_types", List.of("message.received")))
                    .is(200)
                    .text("webhook_id");
            mine.patch("/v0/webhooks/" + hook, json("enabled", false)).is(200);
            String broken = json("kind", "api", "seconds", 300, "status", 500);
            mine.post("/sandbox/faults", broken).is(200);
            other.post("/sandbox/faults", broken).is(200);
            HttpProbe.Answer reset = mine.post(ROUTE, "{}").is(200);
            assertThat(reset.at("deleted.faults")).isEqualTo(1L);
            assertThat(mine.get("/v0/webhooks/" + hook).is(200).at("enabled")).isEqualTo(true);
            other.get("/v0/inboxes").is(500);
            handIn(mine, inbox);
            assertThat(endpoint.take().path()).isEqualTo("/hook");
        }
    }

    @Test
    void whatIsToBeKeptStays() {
        HttpProbe mine = world.as(world.otherOrganization());
        String inbox = filled(mine);
        HttpProbe.Answer reset =
                mine.post(ROUTE, json("keep", List.of("messages", "events"))).is(200);
        assertThat(reset.text()).contains("drafts").doesNotContain("messages");
        assertThat(mine.get("/v0/inboxes/" + inbox + "/messages").is(200).list("messages"))
                .hasSize(2);
        assertThat(mine.post(ROUTE, json("keep", List.of("mail"))).is(400).text())
                .contains("keep names some of");
    }

    private static String filled(HttpProbe http) {
        String inbox = http.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        handIn(http, inbox);
        http.post("/v0/inboxes/" + inbox + "/messages/send", json("to", "a@elsewhere.test", "text", "Hi"))
                .is(200);
        http.post("/v0/inboxes/" + inbox + "/drafts", json("to", "a@elsewhere.test", "text", "Later"))
                .is(200);
        http.post("/v0/inboxes/" + inbox + "/lists/receive/block", json("entry", "spam.example"))
                .is(200);
        http.post(
                        "/v0/inboxes/" + inbox + "/calendar/events",
                        json("title", "Review", "start", "2099-01-01T10:00:00", "end", "2099-01-01T11:00:00"))
                .is(201);
        http.post("/sandbox/recipients", json("match", "a@b.test", "script", List.of(object("answer", "drop"))))
                .is(200);
        Eventually.await(() -> http.get("/v0/inboxes/" + inbox + "/messages?labels=delivered")
                        .list("messages")
                        .size()
                == 1);
        return inbox;
    }

    private static void handIn(HttpProbe http, String inbox) {
        http.post("/sandbox/messages", json("inbox_id", inbox, "from", "kim@c.example", "text", "Hi"))
                .is(200);
    }
}
