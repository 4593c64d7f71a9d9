package dev.inboxd.tenant.pod;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pods as a client makes, reads, changes and deletes them (identity.md §10). */
class PodsHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void aPodIsMadeReadChangedAndDeleted() {
        HttpProbe.Answer made = world.http()
                .post("/v0/pods", json("name", "  Sales ", "description", "Sells.\nA lot.", "client_id", "sales-1"))
                .is(200);
        String path = "/v0/pods/" + made.text("pod_id");
        assertThat(made.text("name")).isEqualTo("Sales");
        assertThat(made.text("description")).isEqualTo("Sells.\nA lot.");
        assertThat(made.text("client_id")).isEqualTo("sales-1");
        assertThat(made.list("inbox_ids")).isEmpty();
        assertThat(made.text("created_at")).isEqualTo(made.text("updated_at"));
        assertThat(world.http().get(path).is(200).text()).isEqualTo(made.text());

        HttpProbe.Answer changed =
                world.http().patch(path, json("description", null)).is(200);
        assertThat(changed.text("name")).isEqualTo("Sales");
        assertThat(changed.at("description")).isNull();
        assertThat(changed.text("updated_at")).isGreaterThan(made.text("updated_at"));
        assertThat(world.http().patch(path, json("name", "Sales")).is(200).text())
                .isEqualTo(changed.text());
        assertThat(world.http().patch(path, json("name", "Support")).is(200).text("name"))
                .isEqualTo("Support");

        HttpProbe.Answer gone = world.http().delete(path).is(200);
        assertThat(gone.body()).isEmpty();
        assertThat(gone.header("Content-Type")).isNull();
        assertThat(world.http().get(path).is(404).text("message")).isEqualTo("Pod not found");
        world.http().delete(path).is(404);
        world.http().patch(path, json("name", "x")).is(404);
    }

    @Test
    void whatIsLeftOutGetsAName() {
        HttpProbe.Answer made = world.http().post("/v0/pods", "").is(200);
        assertThat(made.text("name")).isEqualTo("Pod " + made.text("pod_id").substring(28));
        assertThat(made.at("description")).isNull();
        assertThat(made.at("client_id")).isNull();
    }

    @Test
    void theSameClientIdMakesOnePodAndIsFreeAgainAfterwards() {
        HttpProbe.Answer first = world.http()
                .post("/v0/pods", json("client_id", "once", "name", "One"))
                .is(200);
        assertThat(world.http()
                        .post("/v0/pods", json("client_id", "once"))
                        .is(200)
                        .text())
                .isEqualTo(first.text());
        world.http().delete("/v0/pods/" + first.text("pod_id")).is(200);
        assertThat(world.http()
                        .post("/v0/pods", json("client_id", "once"))
                        .is(200)
                        .text("pod_id"))
                .isNotEqualTo(first.text("pod_id"));
    }

    @Test
    void faultyPodsAreRefusedMemberByMember() {
        HttpProbe.Answer refused = world.http()
                .post("/v0/pods", json("name", " ", "client_id", "a@b", "description", "x".repeat(1_025)))
                .is(400);
        assertThat(refused.list("errors").stream().map(fault -> String.valueOf(((Map<?, ?>) fault).get("path"))))
                .containsExactlyInAnyOrder("[name]", "[client_id]", "[description]");
        world.http().post("/v0/pods", json("name", "x".repeat(257))).is(400);
        String path = "/v0/pods/" + world.pod("faults");
        for (String body :
                List.of("{}", json("other", 1), json("name", null), json("name", ""), json("description", 1))) {
            assertThat(world.http().patch(path, body).is(400).text("code")).isEqualTo("validation_error");
        }
    }

    @Test
    void podsAreListedTheNewestFirstWithTheirInboxesInTheOrderOfTheirMaking() {
        try (World other = World.start()) {
            String first = other.pod("first");
            String second = other.pod("second");
            List<String> inboxes = List.of("b", "a", "c").stream()
                    .map(name -> other.http()
                            .post("/v0/pods/" + first + "/inboxes", json("username", name))
                            .is(200)
                            .text("inbox_id"))
                    .toList();
            HttpProbe.Answer page = other.http().get("/v0/pods?limit=2").is(200);
            assertThat(page.at("count")).isEqualTo(2L);
            assertThat(page.text("pods.0.pod_id")).isEqualTo(second);
            assertThat(page.text("pods.1.pod_id")).isEqualTo(first);
            assertThat(page.list("pods.1.inbox_ids")).isEqualTo(inboxes);
            HttpProbe.Answer rest = other.http()
                    .get("/v0/pods?limit=2&page_token=" + page.text("next_page_token"))
                    .is(200);
            assertThat(rest.text("pods.0.name")).isEqualTo("Default Pod");
            assertThat(rest.at("next_page_token")).isNull();
            assertThat(other.http().get("/v0/pods?ascending=true").is(200).text("pods.0.name"))
                    .isEqualTo("Default Pod");
            other.http().delete("/v0/inboxes/" + inboxes.get(1)).is(200);
            assertThat(other.http().get("/v0/pods/" + first).is(200).list("inbox_ids"))
                    .isEqualTo(List.of(inboxes.get(0), inboxes.get(2)));
        }
    }

    @Test
    void whatHoldsInboxesOrDomainsStaysAndSoDoesTheDefaultPod() {
        String pod = "/v0/pods/" + world.pod("full");
        String inbox = world.http()
                .post(pod + "/inboxes", json("username", "holds"))
                .is(200)
                .text("inbox_id");
        world.http().post(pod + "/domains", json("domain", "holds.example")).is(200);
        HttpProbe.Answer refused = world.http().delete(pod).is(409);
        assertThat(refused.text("code")).isEqualTo("cannot_delete");
        assertThat(refused.text("message")).contains("1 inboxes", "1 domains");
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        assertThat(world.http().delete(pod).is(409).text("message")).contains("0 inboxes", "1 domains");
        world.http().delete("/v0/domains/holds.example").is(200);
        world.http().delete(pod).is(200);

        String theDefault =
                world.http().get("/v0/inboxes/" + world.inbox("lands")).is(200).text("pod_id");
        assertThat(world.http().get("/v0/pods/" + theDefault).is(200).text("name"))
                .isEqualTo("Default Pod");
        assertThat(world.http().delete("/v0/pods/" + theDefault).is(409).text("code"))
                .isEqualTo("cannot_delete");
        assertThat(world.http()
                        .patch("/v0/pods/" + theDefault, json("name", "Ours"))
                        .is(200)
                        .text("name"))
                .isEqualTo("Ours");
        world.http().delete("/v0/pods/" + theDefault).is(409);
    }

    @Test
    void withAPodItsKeysWebhooksAndListsGo() {
        String pod = world.pod("leaves");
        String key = world.podKey(pod);
        String own = world.as(key)
                .post("/v0/webhooks", json("url", "http://127.0.0.1:9/a", "event_types", List.of("message.sent")))
                .is(200)
                .text("webhook_id");
        String listening =
                world.http().post("/v0/webhooks", """
                {"url":"http://127.0.0.1:9/b",
                "event_types":["message.sent"],"pod_ids":["%s"]}""".formatted(pod)).is(200).text("webhook_id");
        world.http()
                .post("/v0/pods/" + pod + "/lists/send/block", json("entry", "gone.example"))
                .is(200);

        world.http().delete("/v0/pods/" + pod).is(200);
        assertThat(world.as(key).get("/v0/auth/me").is(401).text("code")).isEqualTo("unknown_api_key");
        world.http().get("/v0/webhooks/" + own).is(404);
        HttpProbe.Answer left = world.http().get("/v0/webhooks/" + listening).is(200);
        assertThat(left.at("enabled"))
                .as("without its last pod it would listen to everything")
                .isEqualTo(false);
        UUID id = UUID.fromString(pod);
        int entries = world.database()
                .read(tx -> tx.sql(
                                View.of(world.organization()),
                                "select count(*) as n from list_entry l where {l} and l.pod_id = :pod")
                        .bind("pod", id)
                        .single(row -> row.integer("n")));
        assertThat(entries).isZero();
        world.http().post("/v0/pods/" + pod + "/inboxes", "{}").is(404);
    }

    @Test
    void keysOfAPodSeeTheirOwnAndKeysOfAnInboxNone() {
        String own = world.pod("own");
        String other = world.pod("other");
        String podKey = world.podKey(own);
        HttpProbe.Answer list = world.as(podKey).get("/v0/pods").is(200);
        assertThat(list.list("pods")).hasSize(1);
        assertThat(list.text("pods.0.pod_id")).isEqualTo(own);
        world.as(podKey).get("/v0/pods/" + other).is(404);
        assertThat(world.as(podKey).post("/v0/pods", "{}").is(403).text("code")).isEqualTo("missing_permission");
        assertThat(world.as(podKey).delete("/v0/pods/" + own).is(403).text("code"))
                .isEqualTo("missing_permission");
        assertThat(world.as(podKey)
                        .patch("/v0/pods/" + own, json("name", "Mine"))
                        .is(200)
                        .text("name"))
                .isEqualTo("Mine");
        String inboxKey = world.inboxKey(world.inbox("inside-nothing"));
        for (HttpProbe.Answer answer : List.of(
                world.as(inboxKey).get("/v0/pods"),
                world.as(inboxKey).post("/v0/pods", "{}"),
                world.as(inboxKey).get("/v0/pods/" + own))) {
            assertThat(answer.is(403).text("code")).isEqualTo("forbidden");
        }
    }

    @Test
    void thePodsAnOrganizationMayHaveAreCounted() {
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "pods=1,inboxes=1"))) {
            limited.pod("only");
            assertThat(limited.http().post("/v0/pods", "{}").is(403).text("code"))
                    .isEqualTo("limit_exceeded");
            limited.inbox("only");
            assertThat(limited.http().post("/v0/inboxes", "{}").is(403).text("code"))
                    .isEqualTo("limit_exceeded");
            assertThat(limited.http().get("/v0/organizations").is(200).at("inbox_limit"))
                    .isEqualTo(1L);
        }
    }
}
