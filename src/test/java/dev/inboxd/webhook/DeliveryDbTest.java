package dev.inboxd.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.World;
import dev.inboxd.json.Json;
import dev.inboxd.net.FakeEndpoint;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an endpoint is told, field by field. */
class DeliveryDbTest {
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void aReceivedMailArrivesAtTheEndpointSignedAndWhole() throws IOException {
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("whole");
            Hook hook = Hook.of(world, endpoint, inbox, "\"headers\":{\"X-Env\":\"prod\"}");
            assertThat(world.mail("jo@example.com", inbox, Mail.of("<whole@x.test>", "Hello there.\n"))).startsWith("250");
            FakeEndpoint.Received post = endpoint.take();
            assertThat(post.method()).isEqualTo("POST");
            assertThat(post.fields()).containsEntry("Content-Type", "application/json").containsEntry("X-Env", "prod")
                    .containsEntry("webhook-id", post.fields().get("svix-id"))
                    .containsEntry("webhook-timestamp", post.fields().get("svix-timestamp"))
                    .containsEntry("webhook-signature", post.fields().get("svix-signature"));
            assertThat(post.fields().get("User-Agent")).startsWith("inboxd/");
            assertThat(post.fields().get("svix-id")).matches("msg_[0-9A-Za-z]{27}");
            assertThat(Hook.field(post, "svix-signature")).isEqualTo(new Signature(hook.secret()).of(
                    Hook.field(post, "svix-id"), Long.parseLong(Hook.field(post, "svix-timestamp")), post.content()));
            Map<?, ?> payload = (Map<?, ?>) Objects.requireNonNull(Json.parse(post.content()));
            assertThat(payload.get("type")).isEqualTo("event");
            assertThat(payload.get("event_type")).isEqualTo("message.received.unauthenticated");
            assertThat(String.valueOf(payload.get("event_id"))).startsWith("evt_");
            Map<?, ?> message = (Map<?, ?>) Objects.requireNonNull(payload.get("message"));
            assertThat(message.get("inbox_id")).isEqualTo(inbox);
            assertThat(message.get("message_id")).isEqualTo("<whole@x.test>");
            assertThat(message.get("from")).isEqualTo("Jo <jo@example.com>");
            assertThat(message.get("from_")).isEqualTo(List.of("Jo <jo@example.com>"));
            assertThat(message.get("text")).isEqualTo("Hello there.\n");
            assertThat(message.get("labels")).isEqualTo(List.of("received", "unread", "unauthenticated"));
            assertThat(Duration.between(Instant.parse(String.valueOf(message.get("timestamp"))), Instant.now()))
                    .isLessThan(Duration.ofMinutes(1));
            assertThat(payload.get("thread")).isInstanceOf(Map.class);
            hook.settled();
        }
    }
}
