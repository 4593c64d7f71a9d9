package dev.inboxd.notify.webhook.http;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A key whose mail needs approval sends nothing by the URL or the header fields of a webhook. */
class WebhookApprovalHttpTest {
    private static final String WANTED = """
            {"url":"https://hook.test/leak?secret=1","event_types":["message.received"]}""";

    @Test
    @Proves("A23a")
    void aKeyUnderApprovalSaysNeitherWhereAWebhookPostsNorItsHeaders() {
        try (World world = World.start()) {
            HttpProbe human = world.as(world.session());
            HttpProbe bound = world.as(human.post("/v0/api-keys", json("send_approval", "required"))
                    .is(200)
                    .text("api_key"));
            String inbox = world.inbox("agent");
            for (String path : List.of("/v0/webhooks", "/v0/inboxes/" + inbox + "/webhooks")) {
                Answer refused = bound.post(path, WANTED).is(403);
                assertThat(refused.text("code")).isEqualTo("forbidden");
                assertThat(refused.text("fix")).contains("another key");
            }
            assertThat(human.get("/v0/webhooks").is(200).list("webhooks")).isEmpty();
            String webhook =
                    "/v0/webhooks/" + human.post("/v0/webhooks", WANTED).is(200).text("webhook_id");
            String headers = json("headers", object("X-Secret", "1"));
            assertThat(bound.patch(webhook + "/headers", headers).is(403).text("code"))
                    .isEqualTo("forbidden");
            assertThat(human.get(webhook + "/headers").is(200).list("header_names"))
                    .isEmpty();
            world.http().patch(webhook + "/headers", headers).is(204);
            bound.patch(webhook, json("enabled", false)).is(200);
            bound.post("/v0/webhooks/polling", json("client_id", "poll", "event_types", List.of("message.received")))
                    .is(200);
        }
    }
}
