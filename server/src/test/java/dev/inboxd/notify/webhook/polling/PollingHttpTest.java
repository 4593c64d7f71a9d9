package dev.inboxd.notify.webhook.polling;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.notify.delivery.TestKeys;
import dev.inboxd.notify.delivery.TestMail;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Polling webhooks: managing them, and the queue as its consumers see it (events.md §6). */
class PollingHttpTest {
    private static final String TYPES = members("event_types", List.of("message.received.unauthenticated"));

    @RegisterExtension
    private static final World world = World.start();

    /** A queue that a consumer has opened with its token. */
    private record Queue(String id, String app, String token) {
        static Queue of(HttpProbe.Answer issued) {
            String content = new String(
                    Base64.getDecoder().decode(issued.text("token").substring("auto_v1_".length())),
                    StandardCharsets.UTF_8);
            Map<?, ?> members =
                    (Map<?, ?>) Objects.requireNonNull(Json.parse(content.getBytes(StandardCharsets.UTF_8)));
            assertThat(members.get("surl")).isEqualTo("http://127.0.0.1:" + world.httpPort());
            assertThat(String.valueOf(members.get("esec"))).startsWith("whsec_");
            return new Queue(
                    issued.text("webhook_id"), String.valueOf(members.get("aid")), String.valueOf(members.get("tok")));
        }

        static Queue make(String clientId, String inbox) {
            return of(world.http()
                    .post("/v0/webhooks/polling", """
                    {"client_id":"%s",%s,"inbox_ids":["%s"]}""".formatted(clientId, TYPES, inbox))
                    .is(200));
        }

        private String path(String consumer) {
            return "/api/v1/app/" + app + "/polling-endpoint/" + id + "/consumer/" + consumer;
        }

        HttpProbe.Answer receive(String consumer, String query) {
            return world.as(token).get(path(consumer) + query);
        }

        HttpProbe.Answer commit(String consumer, long offset) {
            return world.as(token).post(path(consumer) + "/commit", json("offset", offset));
        }
    }

    private static void mail(String inbox, String... ids) {
        for (String id : ids) {
            assertThat(world.mail("jo@example.com", inbox, TestMail.of("<" + id + "@x.test>", "Hello.\n")))
                    .startsWith("250");
        }
    }

    private static List<Object> of(HttpProbe.Answer answer, String member) {
        List<Object> found = new ArrayList<>();
        for (Object one : answer.is(200).list("data")) {
            found.add(Objects.requireNonNull(((Map<?, ?>) one).get(member)));
        }
        return found;
    }

    @Test
    @Proves("P8c")
    void aQueueBeginsEmptyAndCountsFromOne() {
        String inbox = world.inbox("counts");
        mail(inbox, "before");
        Queue queue = Queue.make("counts", inbox);
        HttpProbe.Answer empty = queue.receive("a", "");
        assertThat(empty.is(200).at("done")).isEqualTo(true);
        assertThat(empty.list("data")).isEmpty();
        mail(inbox, "c1", "c2", "c3");
        HttpProbe.Answer two = queue.receive("a", "?limit=2");
        assertThat(of(two, "offset")).containsExactly(1L, 2L);
        assertThat(two.at("done")).isEqualTo(false);
        assertThat(two.text("data.0.id")).matches("msg_[0-9A-Za-z]{27}");
        assertThat(two.text("data.0.eventType")).isEqualTo("message.received.unauthenticated");
        assertThat(two.text("data.0.eventId")).isEqualTo(two.text("data.0.payload.event_id"));
        assertThat(two.text("data.0.payload.message.message_id")).isEqualTo("<c1@x.test>");
        assertThat(two.text("data.0.timestamp")).matches("\\d{4}-.*Z");
        // While the lease runs nobody else is this consumer; another consumer has a position of its own.
        assertThat(queue.receive("a", "").is(409).text("code")).isEqualTo("lease_held");
        assertThat(of(queue.receive("b", "?limit=250"), "offset")).containsExactly(1L, 2L, 3L);
        assertThat(queue.commit("a", 2).is(204).body()).isEmpty();
        HttpProbe.Answer rest = queue.receive("a", "");
        assertThat(of(rest, "offset")).containsExactly(3L);
        assertThat(rest.at("done")).isEqualTo(true);
        queue.commit("a", 3).is(204);
        assertThat(queue.receive("a", "").is(200).list("data")).isEmpty();
        assertThat(queue.receive("a", "").is(200).list("data")).isEmpty();
    }

    /** The same uncommitted messages come again, byte for byte, although the message has changed since. */
    @Test
    @Proves("P8c")
    void whatIsNotCommittedComesAgainUnchangedWhenTheLeaseEnds() {
        String inbox = world.inbox("leases");
        Queue queue = Queue.make("leases", inbox);
        mail(inbox, "l1", "l2");
        Object first = queue.receive("a", "?lease_duration_ms=1000").is(200).at("data");
        world.http()
                .patch("/v0/inboxes/" + inbox + "/messages/%3Cl1@x.test%3E", json("add_labels", List.of("seen")))
                .is(200);
        queue.receive("a", "").is(409);
        world.advance(Duration.ofSeconds(2));
        assertThat(queue.receive("a", "").is(200).at("data")).isEqualTo(first);
        queue.commit("a", 1).is(204);
        assertThat(of(queue.receive("a", ""), "offset")).containsExactly(2L);
        world.advance(Duration.ofSeconds(29));
        queue.receive("a", "").is(409);
        world.advance(Duration.ofSeconds(2));
        assertThat(of(queue.receive("a", ""), "offset")).containsExactly(2L);
    }

    @Test
    void anOffsetThatWasNeverGivenIsUnprocessable() {
        String inbox = world.inbox("offsets");
        Queue queue = Queue.make("offsets", inbox);
        mail(inbox, "o1", "o2");
        queue.commit("a", 1).is(422);
        assertThat(of(queue.receive("a", "?limit=1"), "offset")).containsExactly(1L);
        for (long offset : List.of(0L, 2L, 1_000_000L)) {
            assertThat(queue.commit("a", offset).is(422).text("detail")).isNotEmpty();
        }
        queue.commit("a", 1).is(204);
        queue.commit("a", 1).is(204);
    }

    @Test
    void aConsumerOfTheLatestBeginsBehindAllThereIs() {
        String inbox = world.inbox("latest");
        Queue queue = Queue.make("latest", inbox);
        mail(inbox, "la1", "la2");
        assertThat(queue.receive("late", "?starting_position=latest").is(200).list("data"))
                .isEmpty();
        mail(inbox, "la3");
        assertThat(of(queue.receive("late", "?starting_position=latest"), "offset"))
                .containsExactly(3L);
        assertThat(of(queue.receive("early", "?starting_position=earliest"), "offset"))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void aDeletedMessageIsToldToNobody() {
        String inbox = world.inbox("erased");
        Queue queue = Queue.make("erased", inbox);
        mail(inbox, "e1", "e2");
        world.http()
                .delete("/v0/inboxes/" + inbox + "/messages/%3Ce1@x.test%3E")
                .is(200);
        HttpProbe.Answer left = queue.receive("a", "");
        assertThat(of(left, "id")).hasSize(1);
        assertThat(left.text("data.0.payload.message.message_id")).isEqualTo("<e2@x.test>");
    }

    @ParameterizedTest
    @CsvSource({"?limit=0", "?limit=x", "?lease_duration_ms=0", "?starting_position=middle"})
    void aFaultyFetchIsRefused(String query) {
        Queue queue =
                Queue.make("faulty", world.http().get("/v0/inboxes").is(200).text("inboxes.0.inbox_id"));
        assertThat(queue.receive("a", query).is(422).text("detail")).isNotEmpty();
    }

    /** Only the token opens the queue: no API key does, no other token, and none that was replaced. */
    @Test
    @Proves("P8c")
    void aNewTokenEndsTheOneBefore() {
        String inbox = world.inbox("tokens");
        Queue first = Queue.make("tokens", inbox);
        Queue second = Queue.make("tokens", inbox);
        assertThat(second.id).isEqualTo(first.id);
        assertThat(first.receive("a", "").is(401).text("code")).isEqualTo("unauthorized");
        second.receive("a", "").is(200);
        new Queue(second.id, second.app, world.key()).receive("a", "").is(401);
        new Queue("ep_nobodys", second.app, second.token).receive("a", "").is(401);
        new Queue(second.id, "app_" + "0".repeat(32), second.token)
                .receive("a", "")
                .is(401);
        world.anonymous().get(second.path("a")).is(401);
        world.http().delete("/v0/webhooks/polling/tokens").is(200);
        second.receive("a", "").is(401);
        second.commit("a", 1).is(401);
    }

    @Test
    void eachRouteShowsWhatWasMadeThroughIt() {
        String pod = world.pod("polling");
        String inbox = world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", "levels"))
                .is(200)
                .text("inbox_id");
        HttpProbe.Answer ofPod = world.http()
                .post("/v0/pods/" + pod + "/webhooks/polling", """
                {"client_id":"level-pod",%s}""".formatted(TYPES))
                .is(200);
        assertThat(ofPod.text("pod_id")).isEqualTo(pod);
        assertThat(ofPod.at("pod_ids")).isEqualTo(List.of(pod));
        assertThat(((Map<?, ?>) Objects.requireNonNull(ofPod.at("")))
                        .keySet().stream().map(String::valueOf))
                .containsExactlyInAnyOrder(
                        "webhook_id",
                        "client_id",
                        "event_types",
                        "pod_ids",
                        "pod_id",
                        "updated_at",
                        "created_at",
                        "token");
        String ofInbox = world.http()
                .post("/v0/inboxes/" + inbox + "/webhooks/polling", """
                {"client_id":"level-inbox",%s}""".formatted(TYPES))
                .is(200)
                .text("webhook_id");
        for (String id : List.of(ofPod.text("webhook_id"), "level-pod")) {
            HttpProbe.Answer got = world.http()
                    .get("/v0/pods/" + pod + "/webhooks/polling/" + id)
                    .is(200);
            assertThat(got.at("token")).isNull();
            assertThat(got.at("secret")).isNull();
            world.http().get("/v0/webhooks/polling/" + id).is(404);
            world.http().get("/v0/inboxes/" + inbox + "/webhooks/polling/" + id).is(404);
        }
        world.http()
                .get("/v0/inboxes/" + inbox + "/webhooks/polling/" + ofInbox)
                .is(200);
        assertThat(world.http()
                        .get("/v0/pods/" + pod + "/webhooks/polling")
                        .is(200)
                        .list("polling_webhooks"))
                .hasSize(1);
        assertThat(world.http().get("/v0/webhooks?limit=100").text()).doesNotContain(ofInbox);
        world.http().get("/v0/webhooks/" + ofInbox).is(404);
        assertThat(world.http()
                        .post("/v0/webhooks/polling", """
                {"client_id":"level-pod",%s}""".formatted(TYPES))
                        .is(409)
                        .text("code"))
                .isEqualTo("idempotency_conflict");
        // A webhook that is called may have the same client_id: it is another kind of thing.
        world.http().post("/v0/webhooks", """
                {"url":"https://a.example/","client_id":"level-pod",%s}""".formatted(TYPES)).is(200);
    }

    @Test
    void whatIsMissingOrForbiddenIsRefused() {
        assertThat(world.http()
                        .post("/v0/webhooks/polling", "{" + TYPES + "}")
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("client_id");
        assertThat(world.http()
                        .post("/v0/webhooks/polling", json("client_id", "x"))
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("event_types");
        TestKeys.with(world, Permission.WEBHOOK_CREATE)
                .post("/v0/webhooks/polling", """
                {"client_id":"x",%s}""".formatted(TYPES))
                .is(403);
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "polling_webhooks=1"))) {
            limited.http().post("/v0/webhooks/polling", """
                    {"client_id":"one",%s}""".formatted(TYPES)).is(200);
            limited.http().post("/v0/webhooks/polling", """
                    {"client_id":"one",%s}""".formatted(TYPES)).is(200);
            assertThat(limited.http()
                            .post("/v0/webhooks/polling", """
                    {"client_id":"two",%s}""".formatted(TYPES))
                            .is(403)
                            .text("code"))
                    .isEqualTo("limit_exceeded");
        }
    }

    @Test
    void whatWasQueuedThirtyDaysAgoIsGone() {
        String inbox = world.inbox("old");
        Queue queue = Queue.make("old", inbox);
        mail(inbox, "old1");
        world.advance(Duration.ofDays(31));
        world.sweepAfter(Duration.ZERO);
        mail(inbox, "old2");
        HttpProbe.Answer left = queue.receive("a", "");
        assertThat(of(left, "id")).hasSize(1);
        assertThat(left.text("data.0.payload.message.message_id")).isEqualTo("<old2@x.test>");
    }
}
