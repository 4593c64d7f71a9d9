package dev.inboxd.tenant.organization;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The caller's organization and its labs (identity.md §7.2, §7.3). */
class OrganizationHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void anOrganizationTellsWhatItHasAndWhatItMayHave() {
        HttpProbe http = world.as(world.otherOrganization());
        HttpProbe.Answer empty = http.get("/v0/organizations").is(200);
        assertThat(empty.at("inbox_count")).isEqualTo(0L);
        assertThat(empty.at("domain_count")).isEqualTo(0L);
        assertThat(empty.text("authentication_type")).isEqualTo("console");
        assertThat(empty.text()).doesNotContain("limit", "billing", "authentication_id");
        http.post("/v0/inboxes", json("username", "counted")).is(200);
        http.post("/v0/domains", json("domain", "counted.example")).is(200);
        HttpProbe.Answer some = http.get("/v0/organizations").is(200);
        assertThat(some.at("inbox_count")).isEqualTo(1L);
        assertThat(some.at("domain_count")).isEqualTo(1L);
        assertThat(some.text("organization_id")).isEqualTo(empty.text("organization_id"));
        http.delete("/v0/inboxes/counted@mail.localhost").is(200);
        assertThat(http.get("/v0/organizations").is(200).at("inbox_count")).isEqualTo(0L);
    }

    @Test
    void aSessionSeesItsHumanAndAKeyDoesNot() {
        HttpProbe.Answer own =
                world.as(world.session()).get("/v0/organizations").is(200);
        assertThat(own.text("human_email")).startsWith("human-").endsWith("@people.test");
        assertThat(world.http().get("/v0/organizations").is(200).text()).doesNotContain("human_email");
    }

    @Test
    void everyOrganizationIsInTheLabsFromTheStart() {
        HttpProbe.Answer labs = world.http().get("/v0/organizations/labs").is(200);
        assertThat(labs.at("enabled")).isEqualTo(true);
        assertThat(labs.at("available")).isEqualTo(true);
        assertThat(labs.text("enabled_at"))
                .isEqualTo(world.http().get("/v0/organizations").text("created_at"));
        assertThat(world.http().post("/v0/organizations/labs", "").is(200).text())
                .as("the first time stays")
                .isEqualTo(labs.text());
    }

    @Test
    void whoHasNotJoinedJoinsOnce() {
        String key = world.otherOrganization();
        UUID organization = UUID.fromString(world.as(key).get("/v0/auth/me").text("organization_id"));
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(
                                        View.of(organization),
                                        "update organization o set labs_enabled_at = null where {o}")
                                .run());
        HttpProbe.Answer before = world.as(key).get("/v0/organizations/labs").is(200);
        assertThat(before.text()).isEqualTo(json("enabled", false, "enabled_at", null, "available", true));
        String joined = world.as(key).post("/v0/organizations/labs", "").is(200).text("enabled_at");
        assertThat(world.as(key).post("/v0/organizations/labs", "").is(200).text("enabled_at"))
                .isEqualTo(joined);
        assertThat(world.as(key).get("/v0/organizations/labs").is(200).text("enabled_at"))
                .isEqualTo(joined);
    }

    @Test
    void joiningTakesAnUnrestrictedKeyOfAVerifiedOrganization() {
        String restricted = world.http()
                .post("/v0/api-keys", json("permissions", object("inbox_read", true)))
                .is(200)
                .text("api_key");
        world.as(restricted).get("/v0/organizations/labs").is(200);
        assertThat(world.as(restricted)
                        .post("/v0/organizations/labs", "")
                        .is(403)
                        .text("code"))
                .isEqualTo("unrestricted_key_required");
        HttpProbe.Answer agent = world.anonymous()
                .post("/v0/agent/sign-up", json("username", "labs-agent", "human_email", "jo@elsewhere.test"))
                .is(200);
        HttpProbe.Answer unverified = world.as(agent.text("api_key"))
                .post("/v0/organizations/labs", "")
                .is(403);
        assertThat(unverified.text("code")).isEqualTo("missing_permission");
        assertThat(unverified.text("fix")).contains("/v0/agent/verify");
        assertThat(world.as(world.podKey(world.pod("labs")))
                        .post("/v0/organizations/labs", "")
                        .is(403)
                        .text("fix"))
                .contains("organization_read");
        assertThat(world.as("a.b.c").post("/v0/organizations/labs", "").is(401).text("code"))
                .isEqualTo("invalid_token_type");
    }

    @Test
    void aServerWithoutLabsLetsNobodyJoin() {
        try (World without = World.start(Map.of("INBOXD_LABS", "off"))) {
            assertThat(without.http().get("/v0/organizations/labs").is(200).at("available"))
                    .isEqualTo(false);
            assertThat(without.http().post("/v0/organizations/labs", "").is(403).text("code"))
                    .isEqualTo("forbidden");
        }
    }
}
