package dev.inboxd.sandbox.fault;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that fail because their organization asked for it, and what may be asked for. */
class FaultHttpTest {
    private static final String FAULTS = "/sandbox/faults";
    private static final String INBOXES = "/v0/inboxes";

    @RegisterExtension
    private static final World world = World.start();

    private HttpProbe mine;
    private HttpProbe other;

    @BeforeEach
    void organizations() {
        mine = world.as(world.otherOrganization());
        other = world.as(world.otherOrganization());
    }

    @Test
    @Proves("P25")
    void callsOfOneOrganizationAreAnsweredAsItAskedAndNotCarriedOut() {
        HttpProbe.Answer fault = ask("kind", "api", "times", 2, "status", 503, "method", "POST", "route", INBOXES);
        assertThat(fault.at("left")).isEqualTo(2L);
        HttpProbe.Answer refused = mine.post(INBOXES, json("username", user())).is(503);
        assertThat(refused.text("code")).isEqualTo("service_unavailable");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(list().at("faults.0.left")).isEqualTo(1L);
        mine.get(INBOXES).is(200);
        mine.post("/v0/pods", json("name", "Other route")).is(200);
        other.post(INBOXES, "{}").is(200);
        mine.post(INBOXES, "{}").is(503);
        assertThat(list().at("count")).isEqualTo(0L);
        mine.post(INBOXES, "{}").is(200);
        assertThat(mine.get(INBOXES).is(200).list("inboxes")).hasSize(1);
    }

    @Test
    void everyStatusIsAnsweredAndTheOldestFaultFirst() {
        List<Integer> statuses = List.of(408, 429, 500, 502, 503, 504);
        statuses.forEach(status -> ask("kind", "api", "times", 1, "status", status));
        statuses.forEach(status -> mine.get(INBOXES).is(status));
        mine.get(INBOXES).is(200);
        ask("kind", "api", "seconds", 300, "status", 500);
        mine.get(INBOXES).is(500);
        mine.get(INBOXES).is(500);
        String id = list().text("faults.0.fault_id");
        other.delete(FAULTS + "/" + id).is(404);
        assertThat(other.get(FAULTS).is(200).at("count")).isEqualTo(0L);
        mine.delete(FAULTS + "/" + id).is(200);
        mine.delete(FAULTS + "/" + id).is(404);
        mine.get(INBOXES).is(200);
    }

    @Test
    void aCallIsCarriedOutWhoseAnswerIsLost() {
        ask("kind", "lost_answer", "times", 1, "method", "POST");
        assertThatThrownBy(() -> mine.post(INBOXES, "{}")).isInstanceOf(UncheckedIOException.class);
        assertThat(mine.get(INBOXES).is(200).list("inboxes")).hasSize(1);
        assertThat(list().at("count")).isEqualTo(0L);
    }

    @Test
    void answersComeLate() {
        ask("kind", "slow", "seconds", 60, "ms", 400, "route", INBOXES);
        assertThat(millis(() -> mine.get(INBOXES).is(200))).isGreaterThanOrEqualTo(400);
        assertThat(list().at("faults.0.left")).isIn(59L, 60L);
        mine.delete(FAULTS).is(200);
        assertThat(list().at("count")).isEqualTo(0L);
        ask("kind", "slow", "seconds", 60, "ms", 30_000, "route", "/v0/pods");
        assertThat(millis(() -> mine.get(INBOXES).is(200))).isLessThan(30_000);
    }

    @Test
    void aFaultHasTheMembersOfItsKindAndNoOthers() {
        assertThat(wrong("{}")).containsExactly("kind");
        assertThat(wrong(json("kind", "earthquake"))).containsExactly("kind");
        assertThat(wrong(json("kind", "webhook"))).containsExactly("times", "answer");
        assertThat(wrong(json("kind", "webhook", "times", 1001, "answer", 200, "seconds", 1)))
                .containsExactly("times", "answer", "seconds");
        assertThat(wrong(json("kind", "smtp", "times", 0, "code", 250, "recipient", "nobody")))
                .containsExactly("times", "code", "recipient");
        assertThat(wrong(json("kind", "smtp", "times", 1, "code", 450, "enhanced", "5.0.0")))
                .containsExactly("enhanced");
        assertThat(wrong(json("kind", "dns", "seconds", 301, "answer", "refused", "names", List.of("a b"))))
                .containsExactly("seconds", "answer", "names");
        for (String kind : List.of("database", "store", "disk")) {
            assertThat(wrong(json("kind", kind, "times", 1))).containsExactly("seconds", "times");
        }
        assertThat(wrong(json("kind", "api", "status", 503))).containsExactly("times");
        assertThat(wrong(json("kind", "api", "status", 503, "times", 1, "seconds", 1)))
                .containsExactly("times");
        assertThat(wrong(json("kind", "api", "status", 418, "times", 1, "method", "BREW", "route", "/v0/nowhere")))
                .containsExactly("status", "method", "route");
        assertThat(wrong(json("kind", "lost_answer", "times", 1, "route", FAULTS)))
                .containsExactly("route");
        assertThat(wrong(json("kind", "slow", "seconds", 1, "ms", 30_001, "method", "GET")))
                .containsExactly("ms", "method");
        mine.post(FAULTS, json("kind", "webhook", "times", 1, "answer", 500, "webhook_id", "ep_nobodys"))
                .is(404);
        assertThat(list().at("count")).isEqualTo(0L);
    }

    @Test
    void anOrganizationHasAHundredFaults() {
        UUID organization =
                UUID.fromString(mine.get("/v0/organizations").is(200).text("organization_id"));
        world.database()
                .<Integer>write(
                        organization,
                        tx -> tx.sql(View.of(organization), """
                        insert into sandbox_fault (organization_id, fault_id, terms, remaining, created_at)
                        select {organization}, gen_random_uuid(), :terms, 1, :at from generate_series(1, 99)""")
                                .bind("terms", json("kind", "webhook", "times", 1, "answer", 500))
                                .bind("at", world.clock().instant())
                                .run());
        ask("kind", "webhook", "times", 1, "answer", 500);
        assertThat(list().at("count")).isEqualTo(100L);
        HttpProbe.Answer full =
                mine.post(FAULTS, json("kind", "disk", "seconds", 1)).is(403);
        assertThat(full.text("code")).isEqualTo("limit_exceeded");
        assertThat(full.text("resource")).isEqualTo("faults");
        other.post(FAULTS, json("kind", "disk", "seconds", 1)).is(200);
        mine.delete(FAULTS).is(200);
        ask("kind", "disk", "seconds", 1);
    }

    @Test
    @Proves("P25")
    void nodesMeetAFaultTogetherAsOftenAsWasAskedFor() throws Exception {
        String key = world.otherOrganization();
        world.as(key)
                .post(FAULTS, json("kind", "api", "times", 10, "status", 429, "route", INBOXES))
                .is(200);
        try (World second = world.beside();
                ExecutorService callers = Executors.newFixedThreadPool(4)) {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                HttpProbe node = (i % 2 == 0 ? world : second).as(key);
                calls.add(() -> node.get(INBOXES).status());
            }
            int met = 0;
            for (Future<Integer> call : callers.invokeAll(calls)) {
                met += call.get() == 429 ? 1 : 0;
            }
            assertThat(met).isEqualTo(10);
            HttpProbe.Answer list = second.as(key).get(FAULTS).is(200);
            assertThat(list.at("count")).isEqualTo(0L);
        }
    }

    private HttpProbe.Answer ask(String name, Object value, Object... more) {
        return mine.post(FAULTS, json(name, value, more)).is(200);
    }

    private HttpProbe.Answer list() {
        return mine.get(FAULTS).is(200);
    }

    private List<String> wrong(String fault) {
        HttpProbe.Answer answer = mine.post(FAULTS, fault).is(400);
        return answer.list("errors").stream()
                .map(error -> (List<?>) ((Map<?, ?>) error).get("path"))
                .map(path -> String.valueOf(path.getFirst()))
                .toList();
    }

    private static String user() {
        return "user-" + UUID.randomUUID();
    }

    private static long millis(Runnable call) {
        long start = System.nanoTime();
        call.run();
        return (System.nanoTime() - start) / 1_000_000;
    }
}
