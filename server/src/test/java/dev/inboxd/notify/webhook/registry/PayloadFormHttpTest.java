package dev.inboxd.notify.webhook.registry;

import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.json.Json;
import dev.inboxd.event.EventEnvelope;
import dev.inboxd.event.EventType;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.delivery.TestWebhook;
import dev.inboxd.server.World;
import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Bodies are compact JSON in the documented order (events.md §4.1): who parses one and writes it again has the bytes
 * that were signed.
 */
class PayloadFormHttpTest {
    private static final Set<EventType> OF_THE_FEED = Set.of(EventType.LABEL_ADDED, EventType.LABEL_REMOVED);

    @Test
    void theDatabasesOwnOrderDoesNotShowInAnyEvent() throws SQLException {
        SamplePayloads samples = new SamplePayloads(UUID.randomUUID(), "a@x.test", Instant.EPOCH);
        for (EventType type : Stream.of(EventType.values())
                .filter(one -> !OF_THE_FEED.contains(one) && isKeptApart(one))
                .toList()) {
            byte[] written = samples.of(type, "evt_1");
            Map<Object, Object> members = new LinkedHashMap<>((Map<?, ?>) Json.stored(text(written)));
            members.keySet().removeAll(List.of("type", "event_type", "event_id"));
            String stored = asJsonb(Json.text(members));
            assertThat(stored).as(type.wireName()).contains(": ");
            assertThat(EventEnvelope.bytes(type, "evt_1", stored))
                    .as(type.wireName())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo(text(written));
        }
    }

    @Test
    void everyPostedBodyIsWhatItsReaderWouldWrite() throws IOException {
        try (World world = World.start();
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            String inbox = world.inbox("form");
            TestWebhook.of(world, endpoint, inbox, members("client_id", "form"));
            world.http()
                    .post(
                            "/v0/inboxes/" + inbox + "/messages/send",
                            "{\"to\":[\"" + inbox + "\",\"gone@refused.test\"],\"subject\":\"</script> \u00e9 \u00a0\","
                                    + "\"text\":\"a\\tb \u2028 \\\" \\\\ / \\u001b\","
                                    + "\"headers\":{\"X-B\":\"1\",\"9\":\"2\"}}")
                    .is(200);
            Map<String, String> bodies = new HashMap<>();
            while (bodies.size() < 2) {
                String body = endpoint.take().text();
                bodies.put(
                        String.valueOf(Objects.requireNonNull((Map<?, ?>) Json.stored(body))
                                .get("event_type")),
                        body);
            }
            bodies.forEach((type, body) ->
                    assertThat(Json.text(Json.stored(body))).as(type).isEqualTo(body));
            assertThat(bodies.get("message.sent"))
                    .containsPattern("\"event_id\":\"[^\"]+\",\"send\":\\{\"inbox_id\":\"[^\"]+\",\"thread_id\":"
                            + "\"[^\"]+\",\"message_id\":\"[^\"]+\",\"timestamp\":\"[^\"]+\",\"recipients\":\\[[^]]+],"
                            + "\"organization_id\":\"[^\"]+\",\"pod_id\":\"[^\"]+\"\\}\\}$");
            assertThat(bodies.get("message.received"))
                    .contains("\\u001b", "\"headers\":{\"9\":\"2\",")
                    .containsPattern("\"created_at\":\"[^\"]+\",\"organization_id\":\"[^\"]+\","
                            + "\"pod_id\":\"[^\"]+\"\\}\\}$");
        }
    }

    /** What is stored with the event; the other payloads are written from the rows of a message. */
    private static boolean isKeptApart(EventType type) {
        return !type.isReceived();
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static String asJsonb(String json) throws SQLException {
        Database.Location location = TestPostgres.database();
        try (Connection connection = DriverManager.getConnection(location.url(), location.user(), location.password());
                PreparedStatement statement = connection.prepareStatement("select ?::jsonb::text")) {
            statement.setString(1, json);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getString(1);
            }
        }
    }
}
