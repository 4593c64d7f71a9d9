package dev.inboxd.notify.delivery;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A stop of everything holds webhooks, polling links and feeds until it ends (ruling 163). */
class StopEverythingHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private HttpProbe human;

    @BeforeEach
    void start() {
        human = world.as(world.session());
    }

    private Answer stop(String body) {
        return world.http().post("/v0/organizations/stop", body).is(200);
    }

    private void mail(String inbox, String id) {
        assertThat(world.mail("jo@example.com", inbox, TestMail.of("<" + id + "@x.test>", "Hello.\n")))
                .startsWith("250");
    }

    @Test
    @Proves("A47")
    void deliveriesWaitWithoutAnAttemptAndGoOnAtTheResume() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("held");
            TestWebhook hook = TestWebhook.of(world, endpoint, inbox);
            mail(inbox, "before");
            endpoint.take();
            hook.settled();
            Answer stopped = stop(json("everything", true));
            assertThat(stopped.text("everything_stopped_at")).isEqualTo(stopped.text("sending_stopped_at"));
            mail(inbox, "one");
            mail(inbox, "two");
            String log = "/v0/webhooks/" + hook.id() + "/deliveries";
            Eventually.await(
                    () -> world.http().get(log).is(200).list("deliveries").size() == 3);
            assertThat(world.http()
                            .post("/v0/webhooks/" + hook.id() + "/test", "{}")
                            .status())
                    .isEqualTo(503);
            assertThat(world.http().get(log).is(200).at("deliveries.0.attempt_count"))
                    .isEqualTo(0L);
            assertThat(endpoint.received()).isEmpty();
            assertThat(human.post("/v0/organizations/resume", "{}").is(200).at("everything_stopped_at"))
                    .isNull();
            assertThat(endpoint.take().text() + endpoint.take().text()).contains("one@x.test", "two@x.test");
            hook.settled();
        }
    }

    @Test
    void aDayOfTheStopIsNoneOfAFailingWebhook() throws Exception {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            TestWebhook hook = TestWebhook.of(world, endpoint, world.inbox("fails"));
            world.database()
                    .<Integer>write(
                            world.organization(),
                            tx -> tx.sql(
                                            View.of(world.organization()),
                                            "update webhook w set failing_since = w.created_at where {w}"
                                                    + " and w.webhook_id = :id")
                                    .bind("id", hook.id())
                                    .run());
            stop(json("everything", true));
            human.post("/v0/organizations/resume", "{}").is(200);
            assertThat(world.database()
                            .<Integer>read(tx -> tx.sql(
                                            View.of(world.organization()),
                                            "select count(*) as n from webhook w where {w}"
                                                    + " and w.failing_since is not null")
                                    .single(row -> row.integer("n"))))
                    .isZero();
        }
    }

    @Test
    void pollingLinksAndFeedsSayWhenToAskAgain() {
        String inbox = world.inbox("links");
        Answer made =
                world.http().post("/v0/webhooks/polling", """
                {"client_id":"links","event_types":["message.received"],
                "inbox_ids":["%s"]}""".formatted(inbox)).is(200);
        Map<?, ?> token = (Map<?, ?>) Objects.requireNonNull(
                Json.parse(Base64.getDecoder().decode(made.text("token").substring("auto_v1_".length()))));
        String queue =
                "/api/v1/app/" + token.get("aid") + "/polling-endpoint/" + made.text("webhook_id") + "/consumer/a";
        HttpProbe consumer = world.as(String.valueOf(token.get("tok")));
        String feed = URI.create(world.http()
                        .post("/v0/inboxes/" + inbox + "/calendar/feed", "")
                        .is(201)
                        .text("url"))
                .getPath();
        stop("{}");
        consumer.get(queue).is(200);
        world.anonymous().get(feed).is(200);
        stop(json("everything", true));
        assertThat(consumer.get(queue).is(503).header("Retry-After")).isEqualTo("60");
        assertThat(world.anonymous().get(feed).is(503).header("Retry-After")).isEqualTo("60");
        human.post("/v0/organizations/resume", "{}").is(200);
        consumer.get(queue).is(200);
        world.anonymous().get(feed).is(200);
    }

    @Test
    void theConsoleSaysWhichStopItIs() {
        assertThat(world.operator().get("/console").is(200).text())
                .contains("Stop all outgoing mail</button>", "Stop all outgoing mail, webhooks and feeds</button>");
        stop("{}");
        assertThat(world.operator().get("/console").is(200).text())
                .contains("Outgoing mail is stopped", "Stop all outgoing mail, webhooks and feeds</button>");
        stop(json("everything", true));
        assertThat(world.operator().get("/console").is(200).text())
                .contains("Webhooks, polling links and feeds since")
                .doesNotContain("Stop all outgoing");
    }
}
