package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.notify.stream.SocketProbe;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes of the service on one PostgreSQL, with nothing in common but that: what one of them is told holds at
 * the other, and what one of them leaves undone the other does (promises P12, P14 and A29).
 */
class ProcessesHttpTest {
    private static final Map<String, String> LIMITS =
            Map.of("INBOXD_LIMITS", "requests=1000,sign_ups=1000,sign_ups_per_address=1000,sign_ups_per_human=4");

    @TempDir
    private static Path folder;

    private static NodeCluster cluster;
    private static Service one;
    private static Service two;
    private static String key;

    /** Both find the database empty, and begin at the same moment. */
    @BeforeAll
    static void start() throws Exception {
        cluster = new NodeCluster(folder, TestPostgres.setting(TestPostgres.database()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Service> first = threads.submit(() -> cluster.start("one", LIMITS));
            two = cluster.start("two", LIMITS);
            one = first.get();
        }
        assertThat(Stream.of(one, two).filter(Service::isFirst))
                .as("who made the first key")
                .hasSize(1);
        key = one.isFirst() ? one.key() : two.key();
    }

    @AfterAll
    static void stop() {
        assertThat(List.of(one.terminate(Duration.ofSeconds(60)), two.terminate(Duration.ofSeconds(60))))
                .containsOnly(0);
    }

    private static HttpProbe at(Service node) {
        return HttpProbe.of(node.httpPort(), key);
    }

    private static String mail(Service node, String inbox, String subject) {
        try (SmtpProbe session = new SmtpProbe(node.smtpPort())) {
            return session.send(
                    "ann@x.test",
                    List.of(inbox),
                    "From: ann@x.test\nSubject: " + subject + "\nMessage-ID: <" + subject + "@x.test>\n\nHello.\n");
        }
    }

    @Test
    @Proves("P12")
    void aKeyThatIsRevokedAtOneEndsItsSocketAtTheOther() {
        String inbox =
                at(one).post("/v0/inboxes", json("username", "socket")).is(200).text("inbox_id");
        Answer made = at(one).post("/v0/api-keys", json("name", "revoked")).is(200);
        String types = "," + members("event_types", List.of("message.received", "message.received.unauthenticated"));
        try (SocketProbe socket =
                SocketProbe.open(two.httpPort(), made.text("api_key")).subscribe(types)) {
            assertThat(mail(one, inbox, "told")).startsWith("250");
            assertThat(socket.next().subject()).isEqualTo("told");
            at(one).delete("/v0/api-keys/" + made.text("api_key_id")).is(200);
            assertThat(socket.closeCode()).isEqualTo(1008);
            HttpProbe.of(two.httpPort(), made.text("api_key"))
                    .get("/v0/auth/me")
                    .is(401);
        }
    }

    @Test
    @Proves("A31")
    void aRateIsOneForBoth() {
        List<Integer> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            answers.add(HttpProbe.of((i % 2 == 0 ? one : two).httpPort(), null)
                    .post("/v0/agent/sign-up", json("human_email", "ann@human.test", "username", "ann"))
                    .status());
        }
        assertThat(answers).containsExactly(200, 200, 200, 200, 429, 429, 429, 429);
    }

    @Test
    @Proves("P4")
    void aSendThatIsRepeatedAtTheOtherIsMadeOnce() throws Exception {
        String inbox =
                at(one).post("/v0/inboxes", json("username", "once")).is(200).text("inbox_id");
        String path = "/v0/inboxes/" + inbox + "/messages";
        int keys = 8;
        List<Future<Answer>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4 * keys; i++) {
                HttpProbe probe = at(i % 2 == 0 ? one : two).with("Idempotency-Key", "once-" + i / 4);
                answers.add(threads.submit(() -> probe.post(path + "/send", body("Hello"))));
            }
        }
        for (int i = 0; i < keys; i++) {
            Set<String> made = new HashSet<>();
            for (Future<Answer> each : answers.subList(4 * i, 4 * i + 4)) {
                Answer answer = each.get();
                assertThat(answer.status()).as(answer.text()).isIn(200, 409); // 409: the first has not ended yet
                if (answer.status() == 200) {
                    made.add(answer.text("message_id"));
                }
            }
            for (Service node : List.of(one, two)) {
                HttpProbe again = at(node).with("Idempotency-Key", "once-" + i);
                made.add(again.post(path + "/send", body("Hello")).is(200).text("message_id"));
                again.post(path + "/send", body("Another")).is(409);
            }
            assertThat(made).hasSize(1);
        }
        assertThat(at(two).get(path + "?labels=sent&limit=100").is(200).list("messages"))
                .hasSize(keys);
    }

    private static String body(String text) {
        return json("to", "bob@elsewhere.test", "text", text);
    }

    /** kill -9 in the middle of a webhook's first attempt: another node makes it again, with the same id. */
    @Test
    @Proves("P8b")
    void whatAKilledProcessWasDeliveringAnotherDelivers() throws Exception {
        String inbox =
                at(one).post("/v0/inboxes", json("username", "heirs")).is(200).text("inbox_id");
        Service doomed = cluster.start("doomed", LIMITS);
        try (FakeEndpoint endpoint = FakeEndpoint.start()) {
            endpoint.then(endpoint.hang());
            at(one).post("/v0/webhooks", """
                    {"url":"%s","inbox_ids":["%s"],"event_types":["message.received",
                    "message.received.unauthenticated"]}""".formatted(endpoint.url("/hook"), inbox))
                    .is(200);
            assertThat(mail(doomed, inbox, "inherited")).startsWith("250");
            FakeEndpoint.Received first = endpoint.take();
            doomed.kill();
            FakeEndpoint.Received second = endpoint.take(Duration.ofSeconds(60));
            assertThat(second.fields().get("svix-id")).isEqualTo(first.fields().get("svix-id"));
            assertThat(second.content()).isEqualTo(first.content());
        } finally {
            doomed.kill();
        }
    }
}
